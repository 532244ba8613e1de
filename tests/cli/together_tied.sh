# Rows in which a reads 1.2 too high: b, with the opposite effect, 1.2 too low, or c, with an effect of 1
# in place of 2.5, 3 too high explain them as well. All have their change, and what to measure is said.
# Where rows share no change, that is.
cat > make.py <<'P'
import json, random, sys
r = random.Random(6)
w = dict(a=2.5, b=-2.5, c=1)
json.dump(dict(type="linear", variables=list(w), w=list(w.values()), b=1), open("m.json", "w"))
def row(wrong):
    x = {k: r.gauss(40, 2) for k in w}
    y = 1 + sum(w[k] * x[k] for k in w) + r.gauss(0, .5)
    x["a"] += wrong
    return ",".join("%.3f" % v for v in [*x.values(), y])
for name, wrong in ("ref", [0] * 200), ("same", [1.2] * 4), ("differ", [1.5, -1, 2, 2]):
    with open(name + ".csv", "w") as f:
        print(*w, "y", sep=",", file=f)
        for off in wrong:
            print(row(off), file=f)
P
python3 make.py
for name in same differ; do
    "$GPA" explain --model m.json --target y --sigma .5 --reference ref.csv --collective --all $name.csv 2> notes | sed '/was observed/,$d' || cat notes
done
