"$GPA" explain --model "$DATA/pump.json" --id pump "$DATA/pump.csv" > table
head -n 8 table
tail -n +9 table | sed -E 's/ [0-9]+(\.[0-9]+)?(e-?[0-9]+)?/ N/g'
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
"$GPA" explain --model linear:wide.json --kappa 1e-6 wide.csv | grep -E '^  (a name|and)' | cut -c 1-40
