# What is beyond all that is usual is said: a code in a column that hardly moves the model, though nothing
# looks wrong; several numbers at once, where the model may be wrong itself. Not what is accused anyway,
# not one number that is a little out, nothing of ordinary rows.
cat > make.py <<'P'
import json, random
r = random.Random(8)
json.dump(dict(type="linear", variables=["a", "b", "c", "d"], w=[2, -1.5, 3, 1e-4], b=1), open("m.json", "w"))
def row(f, off=0, **instead):
    v = {k: r.uniform(0, 1) for k in "abcd"} | instead
    f.write("%(a)r,%(b)r,%(c)r,%(d)r," % v + "%r\n" % (1 + 2 * v["a"] - 1.5 * v["b"] + 3 * v["c"] + r.gauss(0, .2) + off))
with open("ref.csv", "w") as f:
    f.write("a,b,c,d,y\n")
    for _ in range(60):
        row(f)
with open("rows.csv", "w") as f:
    f.write("a,b,c,d,y\n")
    row(f, d=-999)                   # a code, and y as it should be
    row(f, 3, a=1.4, b=-.4, c=1.5)   # a state that nobody has seen
    row(f, 0, a=1.4)                 # one of them alone
    row(f, 0)
    f.write("50,.5,.5,.5,2.7\n")     # accused
P
python3 make.py
"$GPA" explain --model m.json --target y --sigma .2 --reference ref.csv --plausible reference --marginals none \
    --all --json rows.csv > out.json
python3 - <<'P'
import json
for e in sorted(json.load(open("out.json"))["explanations"], key=lambda e: e["rows"]):
    print(e["rows"], e["verdict"]["kind"], *[n for n in e["notes"] if "usual" in n], sep="\n  ")
P
"$GPA" explain --model m.json --target y --sigma .2 --reference ref.csv --plausible reference --marginals none \
    --rows 0,1 --collective rows.csv | grep -c "usual"
# several rows: what is out in all of them, and no value that only one of them has
awk 'NR == 1 || NR == 3 { print } NR == 3 { sub("1.4", "1.5"); print }' rows.csv > two.csv
"$GPA" explain --model m.json --target y --sigma .2 --reference ref.csv --plausible reference --marginals none \
    --all --collective two.csv | grep "beyond all"
