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
    if "far" in e["culprit"]:
        print("  far: %s; %s" % (", ".join(e["culprit"]["far"]), e["verdict"]["text"]))
P
"$GPA" explain --model m.json --target y --sigma .2 --reference ref.csv --plausible reference --marginals none \
    --rows 0,1 --collective rows.csv | grep -c "usual"
# what was saved says the same, in every output
"$GPA" explain --model m.json --target y --sigma .2 --reference ref.csv --plausible reference --marginals none \
    --rows 0 --units d=kPa --json --out one.json --html page.html rows.csv
grep -o '<h2>[^<]*' page.html; grep -c 'far from' page.html
"$GPA" report one.json | sed -n '1,/^y =/p;/^ *note: far/p'
# several far out, one of them beside a deviation
python3 - <<'P'
lines = open("rows.csv").read().splitlines()
far = lines[4].split(",")
far[:4] = "-999", "1e6", far[2], "5e3"
y = 1 + 2 * -999 - 1.5e6 + 3 * float(far[2]) + .5
print(lines[0], ",".join([*far[:4], repr(y)]), lines[1], lines[1].replace("-999", "-998"),
      ",".join([*far[:4], repr(y + 3)]), sep="\n", file=open("far.csv", "w"))
P
ask="$GPA explain --model m.json --target y --sigma .2 --reference ref.csv --plausible reference --marginals none"
$ask --rows 0,3 --journal kept --json far.csv > first.json
$ask --rows 0,3 --journal kept --json --strict far.csv > second.json 2>/dev/null; cmp first.json second.json
$ask --rows 0 far.csv | sed -n '1,/^y =/p;/^ *note: far/p'
$ask --rows 3 far.csv | sed -n '1,/^y =/p;/^ *note: far/,/unit/p'
$ask --rows 1,2 --collective far.csv | sed -n '1,/^y =/p;/^ *note: far/p'
# scores, which the model may not mind: the columns and their rows; no long tail, no text, nothing usual
python3 - <<'P'
import random
r = random.Random(9)
lines = open("ref.csv").read().splitlines()
code, two = lines[7].split(","), lines[30].split(",")
code[3] = two[3] = "-512.5"
two[0] = "4e5"
print(*lines[:7], ",".join(code), *lines[8:30], ",".join(two), *lines[31:], sep="\n", file=open("coded.csv", "w"))
with open("tail.csv", "w") as f, open("tail.json", "w") as m:
    f.write("a,kind,y\n")
    m.write('{"type": "linear", "variables": ["a", "kind"], "w": [1, 0], "b": 0}')
    for i in range(6000):
        a = r.lognormvariate(0, 1)
        f.write("%r,%s,%r\n" % (a, "z" if i == 3001 else r.choice("abc"), a + r.gauss(0, .1)))
P
"$GPA" score --model m.json --target y --top 1 coded.csv 2>&1 >/dev/null | grep "usual"
"$GPA" score --model m.json --target y --top 1 ref.csv 2>&1 | grep -c "usual"
"$GPA" score --model linear:tail.json --levels kind=a,b,c,d,e,f,g,h,i,j,z --target y --top 1 tail.csv 2>&1 | grep "usual\|rows, worst"
# several rows: what is out in all of them, and no value that only one of them has
awk 'NR == 1 || NR == 3 { print } NR == 3 { sub("1.4", "1.5"); print }' rows.csv > two.csv
"$GPA" explain --model m.json --target y --sigma .2 --reference ref.csv --plausible reference --marginals none \
    --all --collective two.csv | grep "beyond all"
