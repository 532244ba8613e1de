# sigma from rows the model may have been fitted to is said to be; not what was given
echo '{"type": "linear", "w": [1, 2], "b": 0}' > line.json
python3 - <<'END'
import random
random.seed(4)
def rows(n, noise):
    for _ in range(n):
        a, b = random.gauss(0, 1), random.gauss(3, 2)
        yield "%r,%r,%r\n" % (a, b, a + 2 * b + random.gauss(0, noise))
open("fitted.csv", "w").writelines(["a,b,y\n", *rows(80, 0.1)])
open("new.csv", "w").writelines(["a,b,y\n", *rows(1, 0.3)])
END
x() { "$GPA" explain --model line.json --target y --reference fitted.csv --marginals none "$@" new.csv; }
x --json > e.json || echo "exit $?"
x --json --sigma 0.3 > given.json || echo "exit $?"
python3 - <<'END'
import csv, json, re, statistics
said, given = (json.load(open(n))["notes"] for n in ("e.json", "given.json"))
told = [n for n in said if n.startswith("sigma is ")]
off = [float(r["y"]) - float(r["a"]) - 2 * float(r["b"]) for r in csv.DictReader(open("fitted.csv"))]
assert len(told) == 1 and "the 80 reference rows; too small if the model was fitted" in told[0], said
# robust or not, of normal noise it is the standard deviation, to chance
assert abs(float(re.search(r"[\d.]+", told[0])[0]) / statistics.stdev(off) - 1) < 0.3, told
assert not any("sigma" in n for n in given), given
END
