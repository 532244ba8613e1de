#!/bin/sh
# deb.sh FOLDER: builds the Debian packages of this tree into FOLDER. It is done in a copy,
# so that the tree stays as it is. The unit tests are those of `make test` and not run again
# here; DEB_BUILD_OPTIONS= runs them.
set -eu
export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-nocheck}"
here=$(dirname "$0")
mkdir -p "$1"
to=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/copy_tree.sh" "$work/libgpa"
(cd "$work/libgpa" && dpkg-buildpackage --build=binary --no-sign)
rm -rf "$work/libgpa"
mv "$work"/* "$to"
ls -l "$to"
