root=$(dirname "$(dirname "$TESTS")")
sed 's/\\-/-/g' "$root/docs/gpa.1" > page
for c in score explain compare model paper methods bench report verify; do
    options=$("$GPA" $c --help | grep -oE '^  --[a-z0-9-]+' | tr -d ' ')
    for o in $options; do
        grep -qe "[^a-z-]$o\([^a-z-]\|\$\)" page || echo "gpa.1: no $o"
        grep -qe "[^a-z-]$o\([^a-z-]\|\$\)" "$root/completions/gpa.bash" || echo "gpa.bash: no $o for $c"
    done
    # one bash for all options of a command
    bash -c '. "$0"; c=$1; shift; for o; do
        COMP_WORDS=(gpa "$c" "$o"); COMP_CWORD=2; COMPREPLY=(); _gpa; found=
        for w in "${COMPREPLY[@]}"; do test "${w%% }" = "$o" && found=1; done
        test "$found" || echo "gpa.bash: $c does not complete $o"
    done' "$root/completions/gpa.bash" $c $options
done
