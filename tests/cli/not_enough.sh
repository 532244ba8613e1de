# An input that cannot go far enough by itself: what it would leave is said, in place of "would look
# normal"; a dash where nothing helps is explained.
cat > make.py <<'P'
import json, random
r = random.Random(3)
json.dump(dict(type="linear", variables=["a", "b", "c"], w=[2, 1, 0], b=1), open("m.json", "w"))
print("a,b,c,y")
for i in range(61):
    a, b, c = r.gauss(0, 1), r.gauss(0, 1), r.gauss(0, 1)
    print("%.4f,%.4f,%.4f,%.4f" % (4.5 if i == 60 else a, b, c, 2 * (-.6 if i == 60 else a) + b + 1 + r.gauss(0, .2)))
P
python3 make.py > d.csv
x() { "$GPA" explain --model m.json --target y --sigma .2 --rows 60 "$@" d.csv; }
x --freeze b,c
x --freeze b,c --bounds a=1:2.5 --output-prior 1e-6
x --bounds data --bounds a=1:2.5 --output-prior 1e-6
x --freeze b --bounds a=1:2.5 --output-prior 1e-6 --html page.html > /dev/null
grep -o "What would look normal: [^<]*" page.html
x --freeze b --bounds a=1:2.5 --output-prior 1e-6 --json-full --out r.json && "$GPA" report r.json | head -n 2
