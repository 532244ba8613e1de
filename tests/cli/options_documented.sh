root=$(dirname "$(dirname "$TESTS")")
sed 's/\\-/-/g' "$root/docs/gpa.1" > page
for c in $("$GPA" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    grep -qe "^\.B gpa $c" page || echo "gpa.1: no $c"
    for o in $("$GPA" $c --help | grep -oE '^  --[a-z0-9-]+' | tr -d ' '); do
        grep -qe "[^a-z-]$o\([^a-z-]\|\$\)" page || echo "gpa.1: no $o"
    done
done
