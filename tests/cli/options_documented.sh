root=$(dirname "$(dirname "$TESTS")")
for c in score explain compare model paper methods bench report verify; do
    for o in $("$GPA" $c --help | grep -oE '^  --[a-z0-9-]+' | tr -d ' '); do
        sed 's/\\-/-/g' "$root/docs/gpa.1" | grep -qe "[^a-z-]$o\([^a-z-]\|\$\)" || echo "gpa.1: no $o"
        grep -qe "[^a-z-]$o\([^a-z-]\|\$\)" "$root/completions/gpa.bash" || echo "gpa.bash: no $o for $c"
        bash -c '. "$0"; COMP_WORDS=(gpa "$1" "$2"); COMP_CWORD=2; _gpa; for w in "${COMPREPLY[@]}"; do test "${w%% }" = "$2" && exit 0; done; exit 1' \
            "$root/completions/gpa.bash" $c $o || echo "gpa.bash: $c does not complete $o"
    done
done
