#!/usr/bin/env bash
# Builds the library twice and lays the variants side by side, because a library has one file name whatever its features:
#   target/stage/shipping/libMobileGL.so   without the pull path, verify and faults
#   target/stage/default/libMobileGL.so    with them, target/stage/default/dropin/ for real programs, and driverbench
# nextest runs it before the tests of scenarios and gates; they find the folder in MOBILEGL_STAGE.
# Always the whole workspace: another selection of packages would unify features otherwise and build dependencies anew.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/stage"
target=$(cd "$target" && pwd)
stage=$target/stage
hash=$(.config/tree-hash.sh)
# What the tests of this run say of their masks.
rm -rf "$stage/masks"
# Programs are compiled once in a run and kept, as users have it; nothing is left from an earlier run.
rm -rf "$stage/shader-cache"

put() { # VARIANT
    mkdir -p "$stage/$1"
    # A new file and a rename: a running test keeps the file that it has open.
    cp "$target/debug/libMobileGL.so" "$stage/$1/libMobileGL.so.new"
    if cmp -s "$stage/$1/libMobileGL.so.new" "$stage/$1/libMobileGL.so"; then
        rm "$stage/$1/libMobileGL.so.new"
    else
        mv "$stage/$1/libMobileGL.so.new" "$stage/$1/libMobileGL.so"
    fi
    cp "$target/debug/libMobileGL.$1.map" "$stage/$1/libMobileGL.map"
    echo "$hash" > "$stage/$1/tree-hash"
}

cargo build --quiet --workspace --lib --no-default-features
put shipping
cargo build --quiet --workspace --lib --bin driverbench
put default
cp "$target/debug/driverbench" "$stage/default/driverbench.new"
mv "$stage/default/driverbench.new" "$stage/default/driverbench"
.config/dropin.sh "$stage/default/dropin" ../libMobileGL.so

if [ -n "${NEXTEST_ENV:-}" ]; then
    echo "MOBILEGL_STAGE=$stage" >> "$NEXTEST_ENV"
    echo "MOBILEGL_SHADER_CACHE_DIR=$stage/shader-cache" >> "$NEXTEST_ENV"
fi
