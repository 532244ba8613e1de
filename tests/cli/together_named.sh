# Several rows, in which a and s are wrong by 5 and e by 1.5: without what s adds the rows are still
# 16 sigma off ((2.5 * 5 + .2 * 1.5) / .8), so nobody may say that it would look normal. Where all
# likely ideas have a and s both are named, and the episode accuses the one that would do more alone;
# where they share s only, it is said with whom.
cat > make.py <<'P'
import json, random, sys
r = random.Random(int(sys.argv[1]))
w = dict(a=2.5, b=-2.5, c=.15, d=-.15, e=.2, f=-.2, g=.1, h=.1, s=.2)
json.dump(dict(type="linear", variables=list(w), w=list(w.values()), b=1), open("m.json", "w"))
def row(wrong):
    x = {k: r.gauss(40, 8) for k in w}
    x["a"] = r.gauss(70, 4)
    x["b"] = .75 * x["a"] + r.gauss(0, .6)
    x["e"] = .5 * x["a"] + r.gauss(0, 1)
    x["s"] = 65
    y = 1 + sum(w[k] * x[k] for k in w) + r.gauss(0, .8)
    for k, off in dict(a=5, s=5, e=1.5).items():
        x[k] += off * wrong
    return ",".join("%.3f" % v for v in [*x.values(), y])
for name, n, wrong in ("ref.csv", 300, False), ("rows.csv", 16, True):
    with open(name, "w") as f:
        print(*w, "y", sep=",", file=f)
        for i in range(n):
            print(row(wrong), file=f)
P
for seed in 12 25; do
    python3 make.py $seed
    "$GPA" explain --model m.json --target y --sigma .8 --reference ref.csv --scale reference \
        --collective --all rows.csv 2> notes | sed -n "1,2p;/not enough/p" || cat notes
    "$GPA" watch --model m.json --target y --sigma .8 --reference ref.csv --only episodes rows.csv \
        2> notes | tail -n 1 > close.json || cat notes
    python3 -c 'import json; e = json.load(open("close.json")); print(e["event"], e["accused"], e["verdict"]["text"])'
done
