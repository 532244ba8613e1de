# Rows whose signs are flipped, explained together: each breaks what the input can be by another
# amount, and the one that does so most must not forbid what is enough for the others.
cat > make.py <<'P'
import json, random
r = random.Random(8)
json.dump(dict(type="linear", variables=["a", "b", "c"], w=[2, 1, -1], b=1), open("m.json", "w"))
def write(name, values, sign):
    with open(name, "w") as f:
        print("a,b,c,y", file=f)
        for a in values:
            b, c = r.gauss(0, 1), r.gauss(0, 1)
            print("%.4f,%.4f,%.4f,%.4f" % (sign * a, b, c, 2 * a + b - c + 1 + r.gauss(0, .2)), file=f)
write("ref.csv", [abs(r.gauss(4, 1.5)) + .3 for i in range(80)], 1)
write("rows.csv", [.6, 1.5, 3.9, 5.2], -1)
P
python3 make.py
"$GPA" explain --model m.json --target y --sigma .2 --reference ref.csv --collective --all --json rows.csv > e.json 2> notes || cat notes
python3 - <<'P'
import json
(e,) = json.load(open("e.json"))["explanations"]
print(e["verdict"]["kind"], [round(p, 1) for p in e["culprit"]["responsible"]])
print(*[n for n in e["notes"] if "share" in n])
# all of them together must still be what they can be
assert min(x[0] for x in e["x"]) + e["delta_raw"][0] >= -1e-9, e["delta_raw"]
P
