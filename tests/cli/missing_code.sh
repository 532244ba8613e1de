# -999 among numbers that are never negative, and a model in steps: the value that was there is
# found, nobody else is accused, and it is said that the number was taken as missing.
cat > make.py <<'P'
import json, math, random
r = random.Random(5)
NAMES, W = ["load", "temp", "flow"], [3, 1.5, 1]
def tree(k, at, gain):  # one step of an input
    return {"feature": [k, -1, -1], "threshold": [at, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1], "value": [0, 0, gain]}
steps = [i / 4 for i in range(1, 24)]
json.dump({"type": "trees", "variables": NAMES, "inputs": 3, "arithmetic": "float64-le", "trees":
           [tree(k, s, w / 4) for k, w in enumerate(W) for s in steps]}, open("steps.json", "w"))
def f(x):
    return sum(w / 4 * sum(v > s for s in steps) for w, v in zip(W, x))
rows = [[min(max(r.gauss(3, 1), .1), 5.9) for _ in W] for _ in range(120)]
for i, row in enumerate(rows):
    row.append(f(row) + r.gauss(0, .3))
rows[21][0], rows[21][3] = 4.6, f([4.6] + rows[21][1:3]) # the truth
for name, hit in (("often", (8, 21, 60)), ("once", (21,))):
    with open(name + ".csv", "w") as out:
        print(*NAMES, "y", sep=",", file=out)
        for i, row in enumerate(rows):
            print(*["-999" if i in hit and k == 0 else "%.3f" % v for k, v in enumerate(row)], sep=",", file=out)
P
python3 make.py
for name in often once; do
    "$GPA" explain --model steps.json --target y --rows 21 --json $name.csv > $name.json 2> notes || cat notes
done
python3 - <<'P'
import json
for name in ("often", "once"):
    (e,) = json.load(open(name + ".json"))["explanations"]
    c = e["culprit"]
    print(name, e["verdict"]["kind"], [p > .9 for p in c["responsible"]], max(c["responsible"][1:]) < .5,
          abs(c["alone"][0]["value"] - 4.6) < .25)
    print(e["verdict"]["text"])
P
