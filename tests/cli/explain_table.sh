"$GPA" explain --model "$DATA/pump.json" --id pump "$DATA/pump.csv" > table
cat table
# on request: all inputs together, what the columns mean, settings and cost
"$GPA" explain --model "$DATA/pump.json" --id pump --verbose "$DATA/pump.csv" > verbose
head -n "$(wc -l < table)" verbose | cmp - table
sed '1,/note: taken/d; /^  eta/,$d' verbose
sed -n '/^  eta/,$p' verbose | sed -E 's/ [0-9]+(\.[0-9]+)?(e-?[0-9]+)?/ N/g'
# colours only when asked for
"$GPA" explain --model "$DATA/pump.json" --id pump --color always "$DATA/pump.csv" > colour
NO_COLOR=1 "$GPA" explain --model "$DATA/pump.json" --id pump "$DATA/pump.csv" | cmp - table
sed "s/$(printf '\033')\[[0-9]*m//g" colour | cmp - table
cmp -s colour table && echo "no colours"
# more than twenty inputs
python3 - <<'END'
import json
json.dump({"type": "linear", "w": [1 + k for k in range(30)], "b": 0}, open("wide.json", "w"))
with open("wide.csv", "w") as f:
    f.write(",".join(["input_%d" % k for k in range(29)] + ["a name that is much too long to be shown", "y"]) + "\n")
    for i in range(9):
        x = [(i * (k + 3)) % 7 + 0.1 * i for k in range(30)]
        f.write(",".join(map(str, x + [sum((1 + k) * v for k, v in enumerate(x)) + i + (500 if i == 4 else 0)])) + "\n")
END
"$GPA" explain --model linear:wide.json --culprit off --solver paper-det --kappa 1e-6 wide.csv > wide
grep -E '^  (a name|and)' wide | cut -c 1-40
"$GPA" explain --model linear:wide.json --sigma 1 --rows 4 wide.csv > wide
grep -E '^  and' wide
sed -n '/^  input/,/^$/p' wide | wc -l
# no line of a table is wider than 100 columns
cat table verbose wide | sed '/^  note/d' | python3 -c 'import sys; print(max(len(line.rstrip("\n")) for line in sys.stdin) <= 100)'
# the published algorithm alone, as it stood before there were culprits
"$GPA" explain --model "$DATA/pump.json" --id pump --solver paper-det --marginals paper --culprit off "$DATA/pump.csv" | sed '/^  eta/,$d'
# heads stand above their columns
for f in table wide; do
    sed -n '/^  input/,/^$/p' $f | python3 -c 'import sys; a = sys.stdin.read().split("\n"); print(a[0].index("responsible") == a[1].index("%") - 3)'
done
