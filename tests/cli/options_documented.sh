root=$(dirname "$(dirname "$TESTS")")
# completes WORD...: what the last word may become
completes() { bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gpa; printf "%s\n" "${COMPREPLY[@]%% }"' "$root/completions/gpa.bash" "$GPA" "$@"; }
sed 's/\\-/-/g' "$root/docs/gpa.1" > page
for c in score explain compare model paper methods bench report verify serve; do
    completes $c | grep -qxe $c || echo "gpa.bash: no $c"
    completes $c -- > completed
    for o in $("$GPA" $c --help | grep -oE '^  --[a-z0-9-]+' | tr -d ' '); do
        grep -qe "[^a-z-]$o\([^a-z-]\|\$\)" page || echo "gpa.1: no $o"
        grep -qxe "$o" completed || echo "gpa.bash: $c does not complete $o"
    done
done
# what follows options and commands, and files
mkdir folder && touch folder.csv
[ "$(completes explain --solver '' | tr '\n' ' ')" = "fast thorough paper paper-det " ] || echo "no solvers"
[ "$(completes explain --json '' | sort | tr '\n' ' ')" = "completed folder folder.csv page " ] || echo "no files"
[ "$(completes explain --svg '')" = folder ] || echo "no folder"
[ "$(completes explain --scale fold | sort | tr '\n' ' ')" = "folder folder.csv " ] || echo "no file of units"
[ "$(completes explain --model built)" = builtin:sinusoid2d ] || echo "no model"
[ "$(completes explain --model e)" = exec: ] || echo "no kind of model"
[ "$(completes compare --baseline z)" = zero ] || echo "no baseline"
[ "$(completes paper b)" = boston ] || echo "no experiment"
[ "$(completes bench p)" = planted ] || echo "no planted"
[ "$(completes help me)" = methods ] || echo "no help"
[ "$(completes --v)" = --version ] || echo "no version"
