"$GPA" --help > a && "$GPA" help > b && cmp a b && head -n 3 a
for c in score explain methods bench; do
    "$GPA" $c --help > a && "$GPA" help $c > b && cmp a b && head -n 1 a
    grep -q '^Examples:' a || echo "$c: no examples"
done
"$GPA" explain --help | awk 'length > 88 { print "too long: " $0 }'
