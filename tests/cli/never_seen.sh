# An input that never changes in the reference and has another value in a row: it is suspected,
# and may go back to the value it always had.
cat > make.py <<'P'
import json, random
r = random.Random(3)
json.dump(dict(type="linear", variables=["a", "b", "k", "flag"], w=[2, -1.5, 3, 4], b=1), open("m.json", "w"))
def rows(name, n, k=5, flag=0, ts=False):
    with open(name, "w") as f:
        print(("ts," if ts else "") + "a,b,k,flag,y", file=f)
        for i in range(n):
            a, b = r.gauss(0, 1), r.gauss(0, 1)
            y = 2 * a - 1.5 * b + 16 + r.gauss(0, .2)
            at = k[i] if isinstance(k, list) else k
            print(("r%d," % i if ts else "") + "%.4f,%.4f,%g,%d,%.4f" % (a, b, at, flag, y), file=f)
rows("ref.csv", 60)
rows("ref_ts.csv", 60, ts=True)
rows("number.csv", 1, k=6.2)
rows("flag.csv", 1, flag=1)
rows("usual.csv", 1)
rows("same.csv", 60, k=6.2)
rows("together.csv", 4, k=6.2)
rows("varies.csv", 4, k=[6.2, 7, 8.1, 6.6])
rows("stream.csv", 3, k=[5, 6.2, 5], ts=True)
P
python3 make.py
x() { "$GPA" explain --model m.json --target y --sigma .2 --reference ref.csv --json "$@" 2> notes || cat notes; }
for name in number flag usual same; do x $name.csv > $name.json; done
for name in together varies; do x --collective --all $name.csv > $name.json; done
x --freeze k number.csv > frozen.json
x --kind k=held number.csv > said.json
python3 - <<'P'
import json
for name in ("number", "flag", "usual", "same", "together", "varies", "frozen", "said"):
    (e,) = json.load(open(name + ".json"))["explanations"]
    print(name, e["verdict"]["kind"], [k["kind"] for k in e["kinds"]], [p > .9 for p in e["culprit"]["responsible"]])
    print(*["  " + n for n in e["notes"] if "taken as" in n or "never seen" in n], sep="\n")
(e,) = json.load(open("number.json"))["explanations"]
print(e["verdict"]["text"], e["culprit"]["alone"][2])
P
"$GPA" watch --model m.json --target y --id ts --sigma .2 --reference ref_ts.csv --only rows --follow off stream.csv > out.jsonl 2> notes || cat notes
python3 - <<'P'
import json
for e in map(json.loads, open("out.jsonl")):
    print(e["event"], e["id"], e["verdict"]["text"])
P
"$GPA" report number.json > page.txt || echo "exit $?"
grep -c "k 5 instead of 6.2" page.txt
