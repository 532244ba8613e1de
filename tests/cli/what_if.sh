# --set: the rows as if an input, or the target, had another value; the rest of the table stays
python3 - <<'END'
import json, random
random.seed(1)
json.dump({"type": "linear", "variables": ["a", "b"], "w": [2, -1], "b": 5}, open("m.json", "w"))
with open("d.csv", "w") as f:
    f.write("a,b,y\n")
    for i in range(60):
        a, b = random.uniform(0, 9), random.uniform(0, 9)
        f.write("%.3f,%.3f,%.4f\n" % (a if i != 4 else a + 90, b, 2 * a - b + 5 + random.gauss(0, 0.5)))
END
ask() { "$GPA" explain --model linear:m.json --marginals none --rows 4,7 --sigma 0.5 --json "$@" d.csv; }
ask > as_is.json
ask --set a=3.5 > a.json
ask --set a=3.5 --set y=12 > both.json
ask --set a= ; echo $?
ask --set c=1; echo $?
ask --set a=x; echo $?
ask --set a; echo $?
python3 - <<'END'
import json
e = {n: json.load(open(n + ".json"))["explanations"] for n in ("as_is", "a", "both")}
for n in ("a", "both"):
    for i in range(2):
        x, y, f = e[n][i]["x"][0], e[n][i]["y"][0], e[n][i]["f"][0]
        assert e[n][i]["rows"] == e["as_is"][i]["rows"]
        assert x[0] == 3.5 and x[1] == e["as_is"][i]["x"][0][1]
        assert abs(f - (2 * x[0] - x[1] + 5)) < 1e-12
        assert y == (12 if n == "both" else e["as_is"][i]["y"][0])
        assert e[n][i]["prior"]["sigma"] == e["as_is"][i]["prior"]["sigma"]
print(e["as_is"][0]["verdict"]["kind"])
END
# --bounds data: no number is proposed beyond what was seen
"$GPA" explain --model linear:m.json --marginals none --rows 7 --set y=90 --bounds data --json d.csv | python3 -c '
import json, sys
e, = json.load(sys.stdin)["explanations"]
low, high = zip(*[(k["low"], k["high"]) for k in e["kinds"]])
x = [v + d for v, d in zip(e["x"][0], e["delta_raw"])]
assert all(l <= v <= h for l, v, h in zip(low, x, high)), (low, x, high)
assert all(l <= a["value"] <= h for l, a, h in zip(low, e["culprit"]["alone"], high))
rows = [line.split(",") for line in open("d.csv").read().split("\n")[1:-1]]
assert [float(min(r[k] for r in rows)) for k in (0, 1)] == list(low) or low[0] >= 0
print("within")'
