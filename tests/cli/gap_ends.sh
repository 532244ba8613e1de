# what a missing number may have been: also a rare value, and never just the end of its own interval
cat > make.py <<'P'
import json, random
r = random.Random(11)
def tree(k, at, gain):  # a step of an input; one that is missing counts as 50
    return {"feature": [k, -1, -1], "threshold": [at, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1],
            "missing_left": [int(at >= 50), 0, 0], "value": [0, 0, gain]}
json.dump({"type": "trees", "variables": ["load", "flow"], "inputs": 2, "arithmetic": "float64-le", "trees":
           [tree(0, at / 2, .5) for at in range(40, 160)] + [tree(1, at / 10, .1) for at in range(100)]}, open("steps.json", "w"))
rows = [(r.gauss(50, 7), r.uniform(0, 10)) for _ in range(200)]
order = sorted(range(200), key=lambda i: rows[i][0])
truth = {}
for place in (1, 3, 20, 100, 180, 196, 198):  # of 200 in order
    i = order[place]
    truth[i] = rows[i][0]
with open("rows.csv", "w") as f:
    print("load,flow,y", file=f)
    for i, (load, flow) in enumerate(rows):
        print("" if i in truth else "%.2f" % load, "%.2f" % flow, "%.2f" % (load - 20 + flow + r.gauss(0, 1.5)), sep=",", file=f)
json.dump(truth, open("truth.json", "w"))
P
python3 make.py
"$GPA" explain --model steps.json --target y --sigma 1.5 --all --json --marginals none --out all.json rows.csv
python3 - <<'P'
import json
truth = {int(k): v for k, v in json.load(open("truth.json")).items()}
for e in json.load(open("all.json"))["explanations"]:
    at = truth.get(e["rows"][0])
    if at is None:
        continue
    one = e["culprit"]["alone"][0]
    low, high = one["value_interval90"]
    print("%5.1f" % at, "inside" if low <= at <= high else "outside %.2f to %.2f" % (low, high),
          "between" if low < one["value"] < high else "%.2f is an end of %.2f to %.2f" % (one["value"], low, high))
P
