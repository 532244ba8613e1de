# A sensor that has one value in every row of the file, which has as many rows as the reference:
# the reference says that it changes, in which unit, and what is plausible.
cat > make.py <<'P'
import json, random
r = random.Random(3)
json.dump(dict(type="linear", variables=["a", "b", "c", "k"], w=[.02, 1, -1.5, 3], b=1), open("m.json", "w"))
def rows(name, n, stuck):
    with open(name, "w") as f:
        print("a,b,c,k,y", file=f)
        for i in range(n):
            a, b, c = r.gauss(500, 100), r.gauss(0, 1), r.gauss(0, 1)
            y = .02 * a + b - 1.5 * c + 16 + r.gauss(0, .2)
            print("%.2f,%.4f,%.4f,5,%.4f" % (stuck or a, b, c, y), file=f)
rows("ref.csv", 60, None)
rows("file.csv", 60, 880)
rows("normal.csv", 60, None)
P
python3 make.py
for file in file normal; do
    "$GPA" explain --model m.json --target y --sigma .2 --reference ref.csv --json $file.csv > $file.json 2> notes || cat notes
done
"$GPA" explain --model m.json --target y --sigma .2 --reference ref.csv --bounds data --json file.csv > bounds.json 2> notes || cat notes
"$GPA" explain --model m.json --target y --sigma .2 --reference ref.csv --plausible data --json file.csv > data.json 2> notes || cat notes
python3 - <<'P'
import json
for name in ("file", "bounds", "data", "normal"):
    d = json.load(open(name + ".json"))
    (e,) = d["explanations"]
    print(name, [k["kind"] for k in e["kinds"]], e["culprit"]["plausible"], round(d["scale"]["unit"][0], -1) > 50)
    print(*[n for n in e["notes"] if "in all rows of the file" in n], sep="\n")
    if name in ("file", "bounds"):
        assert e["culprit"]["responsible"][0] > .9 and e["verdict"]["kind"] == "input", e["verdict"]
P
