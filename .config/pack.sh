#!/usr/bin/env bash
# pack.sh FOLDER PROFILE VARIANT: lays what a user gets into FOLDER and packs it as FOLDER.tar.gz. PROFILE is the folder that cargo
# built into; VARIANT, `shipping` or `default`, is written down. It builds nothing.
set -euo pipefail
folder=$1 built=$2 variant=$3
root=$(cd "$(dirname "$0")/.." && pwd)
rm -rf "$folder" "$folder.tar.gz"
mkdir -p "$folder/lib" "$folder/bin" "$folder/doc"
strip -o "$folder/lib/libMobileGL.so" "$built/libMobileGL.so"
strip -o "$folder/bin/mobilegl" "$built/mobilegl"
if [ -f "$built/mobilegl-server" ]; then strip -o "$folder/bin/mobilegl-server" "$built/mobilegl-server"; fi
# The command line looks for ../dropin beside itself.
sh "$root/.config/dropin.sh" "$folder/dropin" ../lib/libMobileGL.so
cp "$root"/LICENSE-* "$root/README.md" "$root/CHANGELOG.md" "$folder/"
cp "$root/docs/generated/options.md" "$root/docs/generated/coverage.md" "$folder/doc/"
cat > "$folder/BUILD" <<END
build: $variant
tree: $("$root/.config/tree-hash.sh")
END
tar -C "$(dirname "$folder")" --owner=0 --group=0 --numeric-owner --sort=name -czf "$folder.tar.gz" "$(basename "$folder")"
printf '%s: %s KiB, the %s build\n' "$folder.tar.gz" "$(du -k "$folder.tar.gz" | cut -f 1)" "$variant"
