# how much of the time was the model's: nearly all of a model that sleeps, next to nothing of a sum
{ sed '/^while/,$d' "$TESTS/../../examples/exec/linear.pl"
  sed -n '/^while/,$p' "$TESTS/../../examples/exec/linear.pl" | sed 's/^    print pack/    select undef, undef, undef, 0.05;\n    print pack/'
} > slow.pl
echo '{"type":"linear","w":[2,-3],"b":1}' > sum.json
printf 'x1,x2,y\n' > t.csv
for i in 1 2 3 4 5 6 7 8; do echo "$i,$((i * i % 7)),$((1 + 2 * i - 3 * (i * i % 7) + i % 3))"; done >> t.csv
share() {
    "$GPA" explain "$@" --progress always --rows 3 --csv t.csv 2>&1 > /dev/null | sed -n 's/.*, \([0-9]*\) % of the time the model.s$/\1/p'
}
[ "$(share --model "exec:perl slow.pl")" -gt 50 ] && echo "most of it"
[ "$(share --model sum.json)" -lt 50 ] && echo "little of it"
