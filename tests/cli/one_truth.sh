# Words and numbers agree: whole steps from a row that is not whole, nothing that may move, noise
# whose square is no number.
cat > make.py <<'P'
import json, random, sys
r, unit = random.Random(3), float(sys.argv[1])
json.dump(dict(type="linear", variables=["a", "b"], w=[1, 2], b=0), open("m.json", "w"))
print("a,b,flow")
for i in range(50):
    a, b = r.gauss(0, 1), r.gauss(0, 1)
    y = a + 2 * b + r.gauss(0, .1)
    print("%.4g,%.4g,%.4g" % ((a + 5 * (i == 3)) * unit, b * unit, y * unit))
P
python3 make.py 1 > d.csv
x() { "$GPA" explain --model m.json --target flow --rows 3 "$@"; }
x --integer a d.csv | head -n 7
x --integer a --json d.csv | grep -o '"value":[^,]*' | head -n 1
x --freeze a,b d.csv | head -n 4
"$GPA" explain --model m.json --target flow --rows 4 --freeze a,b d.csv | head -n 4
for unit in 1e-300 1e305; do
    python3 make.py $unit > far.csv
    x far.csv 2>&1 > /dev/null | head -n 1
    "$GPA" score --model m.json --target flow far.csv 2> /dev/null | sed -n 4p
done
"$GPA" watch --help | tail -n 2
"$GPA" serve --help | tail -n 2
