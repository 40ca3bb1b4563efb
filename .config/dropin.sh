#!/bin/sh
# dropin.sh FOLDER LIBRARY: makes FOLDER a drop-in folder, the LIBRARY under every name by which programs ask for GL.
# LIBRARY is relative to FOLDER or absolute. Links, so that the loader sees one file and makes one copy of it.
set -eu
folder=$1 library=$2
mkdir -p "$folder"
for name in libGL.so libGL.so.1 libGLX.so.0 libEGL.so libEGL.so.1 libOpenGL.so libOpenGL.so.0 libGLESv2.so libGLESv2.so.2; do
    ln -sfn "$library" "$folder/$name"
done
