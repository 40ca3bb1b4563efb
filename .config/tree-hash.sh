#!/usr/bin/env bash
# Prints a hash of the source tree as it lies here, without phases/ and docs/: what a result belongs to.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    if git rev-parse --git-dir >/dev/null 2>&1; then
        git ls-files -z --cached --others --exclude-standard
    else
        find . -path ./target -prune -o -type f -print0
    fi
} | sed -z 's|^\./||' | grep -zvE '^(phases|docs)/' | sort -zu | while IFS= read -r -d '' file; do
    [ -f "$file" ] && printf '%s\0' "$file"
done | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1
