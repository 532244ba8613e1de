# Where scikit-learn is missing, one line says what to type; nothing is installed.
mkdir scripts && cp "$TESTS/../../lab/prepare.sh" "$TESTS/../../lab/paper/train.py" scripts
printf '#!/bin/sh\necho "find_python.sh: none" >&2; exit 1\n' > scripts/find_python.sh
chmod +x scripts/*.sh
GPA_LAB=$PWD/scripts "$GPA" paper diabetes --work w; echo $?
find w
