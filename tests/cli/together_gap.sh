# several rows, in one of which a number is missing: in how many it is, and what would fill the gap
cat > make.py <<'P'
import json, random
r = random.Random(5)
def tree(k, at, gain):  # one step of an input; a missing one goes left
    return {"feature": [k, -1, -1], "threshold": [at, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1],
            "missing_left": [1, 0, 0], "value": [0, 0, gain]}
json.dump({"type": "trees", "variables": ["load", "flow"], "inputs": 2, "arithmetic": "float64-le", "trees":
           [tree(k, i / 4, w / 4) for k, w in ((0, 3), (1, 1)) for i in range(1, 24)]}, open("steps.json", "w"))
with open("rows.csv", "w") as out:
    print("load,flow,y", file=out)
    for i in range(60):
        x = [r.uniform(1, 5) for _ in range(2)]
        y = sum(w / 4 * sum(v > s / 4 for s in range(1, 24)) for w, v in zip((3, 1), x)) + r.gauss(0, .3)
        x[0] += 1 * (i < 5)
        print("%.3f" % x[0], "" if i == 2 else "%.3f" % x[1], "%.3f" % y, sep=",", file=out)
P
python3 make.py
x() { "$GPA" explain --model steps.json --target y --sigma .3 --rows 0-4 --collective --marginals none "$@" rows.csv; }
x | grep -E "^  (input|load|flow)" | awk '{ print $1, $2, $3, $4 }'
x | grep "^  flow" | grep -cE "%.* to [0-9.]+ .* to "
x --json | python3 -c '
import json, sys
(e,) = json.load(sys.stdin)["explanations"]
print(e["verdict"]["kind"], [row[1] is None for row in e["x"]])'
