#!/bin/sh
# find_python.sh [MODULE...]: prints a Python 3 that can import the modules. What decides
# which Python is used, everywhere: without modules it is the one that runs the tests.
# $PYTHON comes first, if that is set; then the system's: a python3 earlier on PATH does not
# see the distribution's packages, which are what tools/need.sh installs.
imports=$(echo "sys $*" | sed 's/ *$//; s/  */, /g')
for python in ${PYTHON:+"$PYTHON"} /usr/bin/python3 python3 python; do
    if "$python" -c "import $imports; assert sys.version_info >= (3, 7)" 2>/dev/null; then
        command -v "$python"
        exit 0
    fi
done
echo "find_python.sh: no Python 3.7 or later with: $imports" >&2
exit 1
