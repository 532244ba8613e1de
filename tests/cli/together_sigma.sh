# Rows that are explained together do not say how noisy y is. Planted: noise of .5, and b off by 1.2 in rows 100 to 139.
python3 - <<'PY'
import json, random
r = random.Random(3)
noise = lambda: sum(r.random() for _ in range(12)) - 6
json.dump({"type": "linear", "variables": ["a", "b", "c"], "w": [1, 2, -1], "b": 0}, open("m.json", "w"))
with open("t.csv", "w") as out:
    print("a,b,c,y", file=out)
    for i in range(240):
        x = [noise() for _ in range(3)]
        y = x[0] + 2 * x[1] - x[2] + .5 * noise()
        x[1] += 1.2 if 100 <= i < 140 else 0
        print(*["%.3f" % v for v in x], "%.3f" % y, sep=",", file=out)
PY
x() { "$GPA" explain --model m.json --target y --marginals none "$@" t.csv; }
x --rows 100-139 --collective --json > together.json
x --rows 100-139 --collective --sigma .7 --json > given.json
x --rows 100-169 --collective --json > most.json
x --top 40 --collective --json > worst.json
x --rows 0-199 --collective --json > many.json
"$GPA" score --model m.json --target y --json t.csv > score.json
python3 - <<'PY'
import json
rows = {v["row"]: v["y"] - v["f"] for v in json.load(open("score.json"))["rows"]}
def sd(those):
    v = [rows[i] for i in those]
    mean = sum(v) / len(v)
    return (sum((u - mean) ** 2 for u in v) / len(v)) ** .5
def answer(name):
    d = json.load(open(name + ".json"))
    return d, d["explanations"][0]
same = lambda a, b: abs(a - b) < 1e-9
d, e = answer("together")
assert same(e["prior"]["sigma"], sd([i for i in rows if not 100 <= i < 140])) and .4 < e["prior"]["sigma"] < .6
p = dict(zip(d["features"], e["culprit"]["responsible"]))
assert p["b"] > .8, p
print([n for n in e["notes"] if "sigma" in n])
assert answer("given")[1]["prior"]["sigma"] == .7
assert same(answer("most")[1]["prior"]["sigma"], sd([i for i in rows if not 100 <= i < 170]))
for name in ("worst", "many"):  # chosen for being off; too few others
    assert same(answer(name)[1]["prior"]["sigma"], json.load(open("score.json"))["sigma"])
PY
