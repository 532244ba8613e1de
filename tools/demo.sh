#!/bin/sh
# demo.sh BUILD: the first five minutes, as commands that a newcomer can repeat.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
model=examples/diabetes/model.json
data=examples/diabetes/heldout.csv
mkdir -p "$build/demo"
rm -f "$build/demo/report.html" "$build/demo/spoilt.html"

show() { # says a command, then runs it
    printf '\n$ %s\n' "$*"
    "$@"
}

cat <<'TEXT'
A small neural network predicts the progression of diabetes from ten measurements
(examples/diabetes). Which of the 89 patients it never saw contradict it most?
TEXT
show "$build/gpa" score --model "$model" --target progression --top 5 "$data"

cat <<'TEXT'

And which of the inputs are responsible in the worst case? Age and sex are taken as
given.
TEXT
show "$build/gpa" explain --model "$model" --target progression --top 1 \
    --freeze age,sex --html "$build/demo/report.html" "$data"

cat <<'TEXT'

And when an input really is wrong? In row 10 of spoilt.csv the body mass index was
computed with pounds in place of kilograms: 51.4 in place of 23.3.
TEXT
show "$build/gpa" explain --model "$model" --target progression --rows 10 \
    --freeze age,sex --html "$build/demo/spoilt.html" examples/diabetes/spoilt.csv
printf '\nThe same as pages with pictures: %s/demo/report.html and spoilt.html\n' "$build"
