#!/bin/sh
# copy_tree.sh FOLDER: copies what a stranger gets of this tree into FOLDER: the files that
# git knows or would take; without git, all but what builds leave behind.
set -eu
mkdir -p "$1"
to=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard
else
    find . -type f ! -path './build*' ! -path './dist/*' ! -path '*/__pycache__/*' -print0
fi | xargs -0 sh -c 'for f; do [ ! -f "$f" ] || printf "%s\0" "$f"; done' sh |
    tar --null -cf - -T - | tar -xf - -C "$to"
