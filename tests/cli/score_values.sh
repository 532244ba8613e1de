"$GPA" score --model builtin:sinusoid2d --sigma 0.5 --json "$DATA/sinusoid.csv" > s.json
python3 - <<'END'
import csv, json, math, os
data = [[float(v) for v in r] for r in list(csv.reader(open(os.environ["DATA"] + "/sinusoid.csv")))[1:]]
s = json.load(open("s.json"))
assert list(s) == ["format", "sigma", "collective", "options", "input_digest", "model_probe_digest", "rows"], list(s)
assert s["format"] == "gpa-scores/1" and s["sigma"] == 0.5
want = []
for i, (a, b, y) in enumerate(data):
    f = 2 * math.cos(math.pi * a) * math.cos(math.pi * b)
    want.append((-(0.5 * ((y - f) / 0.5) ** 2 + math.log(0.5) + 0.5 * math.log(2 * math.pi)), i, y, f))
want.sort()
for (minus, i, y, f), r in zip(want, s["rows"], strict=True):
    assert list(r) == ["row", "id", "y", "f", "score"]
    assert r["row"] == i and r["id"] == str(i) and r["y"] == y
    assert abs(r["f"] - f) < 1e-12 and abs(r["score"] + minus) < 1e-9, (r, f, minus)
assert abs(s["collective"] + sum(w[0] for w in want) / len(want)) < 1e-9
print("rows", len(want))
END
