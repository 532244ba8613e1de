# The same mistake in several rows: those rows do not make it look usual. Planted: a, b or c times 100 in 1, 2, 3
# or 5 rows of 150, with a straight model and with one that bends far out, as trees do.
python3 - <<'PY'
import json, random
r = random.Random(7)
noise = lambda: sum(r.random() for _ in range(12)) - 6
centre, spread, slope = (40, 3, 12), (6, .5, 2), (3, -2.5, 2)
rows = []
for _ in range(150):
    common = noise()
    z = [.6 * common + .8 * noise() for _ in range(3)]
    rows.append(([round(c + s * v, 3) for c, s, v in zip(centre, spread, z)], z))
bend = lambda v: 3 * __import__("math").tanh(v / 3)
json.dump({"type": "linear", "variables": ["a", "b", "c"], "w": [w / s for w, s in zip(slope, spread)],
           "b": -sum(w * c / s for w, c, s in zip(slope, centre, spread))}, open("straight.json", "w"))
json.dump({"type": "mlp", "activation": "tanh", "variables": ["a", "b", "c"], "layers": [
    {"W": [[(i == j) / spread[i] / 3 for j in range(3)] for i in range(3)],
     "b": [-c / s / 3 for c, s in zip(centre, spread)]}, {"W": [[3 * w] for w in slope], "b": [0]}]}, open("bent.json", "w"))
for model, f in (("straight", lambda v: v), ("bent", bend)):
    y = [round(sum(w * f(v) for w, v in zip(slope, z)) + .5 * noise(), 3) for _, z in rows]
    for k, name in enumerate("abc"):
        for count in (1, 2, 3, 5):
            bad = (20, 40, 60, 80, 100)[:count]
            with open("%s-%s-%d.csv" % (model, name, count), "w") as out:
                print("a,b,c,y", file=out)
                for i, ((x, _), v) in enumerate(zip(rows, y)):
                    x = [u * 100 if i in bad and j == k else u for j, u in enumerate(x)]
                    print(*x, v, sep=",", file=out)
PY
for model in straight bent; do for input in a b c; do for count in 1 2 3 5; do
    "$GPA" explain --model $model.json --target y --rows 20 --marginals none --json \
        --out $model-$input-$count.json $model-$input-$count.csv 2> /dev/null
done; done; done
python3 - <<'PY'
import json
for model in ("straight", "bent"):
    for name in "abc":
        for count in (1, 2, 3, 5):
            d = json.load(open("%s-%s-%d.json" % (model, name, count)))
            e = d["explanations"][0]
            if e["verdict"]["kind"] == "normal":
                continue
            p = dict(zip(d["features"], e["culprit"]["responsible"]))
            assert p[name] > .9 and max(p, key=p.get) == name, (model, name, count, p, e["culprit"]["output"])
PY
# they are named, and may count
"$GPA" explain --model straight.json --target y --rows 20 --marginals none straight-a-3.csv | sed -n '/judged/p; / not say /,$p'
"$GPA" explain --model straight.json --target y --rows 20 --marginals none --witnesses all straight-a-3.csv | sed -n '/judged/p; / not say /,$p'
# without outcomes, too
cut -d, -f 1-3 bent-b-3.csv > before.csv
"$GPA" explain --model bent.json --target y --rows 20 --sigma .5 --reference before.csv --plausible reference --marginals none \
    bent-b-1.csv | sed -n '1,2p; /judged/p; / not say /,$p'
