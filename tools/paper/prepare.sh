#!/bin/sh
# prepare.sh SET FOLDER [--data FILE]: trains a model of the paper's experiments into
# FOLDER unless it is there already. Installs scikit-learn when it is missing and it may.
set -eu
here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
set_name=$1
folder=$2
shift 2
[ -e "$folder/about.json" ] && exit 0
"$here/../need.sh" train
python=$("$here/../find_python.sh" sklearn)
part="$folder.part.$$"
trap 'rm -rf "$part"' EXIT
mkdir -p "$part"
"$python" -W ignore "$here/train.py" "$set_name" "$part" --parent "$PPID" "$@"
rm -rf "$folder"
mv "$part" "$folder" 2>/dev/null || [ -e "$folder/about.json" ] # another run was faster
