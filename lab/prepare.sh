#!/bin/sh
# prepare.sh SET FOLDER [OPTION...]: trains a model of the paper's experiments into FOLDER,
# or makes the mixed tables (SET is tables) with theirs, unless it is there already. Ends
# with 4 where no Python has scikit-learn.
set -eu
here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
set_name=$1
folder=$2
shift 2
[ -e "$folder/about.json" ] && exit 0
# nothing of the user's is ever replaced
if [ -n "$(ls -A "$folder" 2>/dev/null)" ]; then
    echo "gpa: $folder is there and holds something else; name another --work folder" >&2
    exit 5
fi
script=train.py modules=sklearn
[ "$set_name" = tables ] && script=tables.py modules="sklearn pandas"
# shellcheck disable=SC2086 # several words
python=$("$here/find_python.sh" $modules 2>/dev/null) || exit 4
part="$folder.part.$$"
trap 'rm -rf "$part"' EXIT
mkdir -p "$part"
"$python" -W ignore "$here/$script" "$set_name" "$part" --parent "$PPID" "$@"
rmdir "$folder" 2>/dev/null || :
mv -T "$part" "$folder" 2>/dev/null || [ -e "$folder/about.json" ] # another run was faster
