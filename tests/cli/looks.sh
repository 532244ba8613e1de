# what is strange about a whole table is said once, first; a table of normal rows has nothing strange
python3 - <<'END'
import json, random
random.seed(3)
json.dump({"type": "linear", "variables": ["a", "b"], "w": [2, -1], "b": 5}, open("m.json", "w"))
json.dump({"type": "linear", "variables": ["a", "b"], "w": [0, 0], "b": 7}, open("same.json", "w"))
rows = [(random.uniform(1, 9), random.uniform(1, 9)) for _ in range(200)]
def write(name, y, shift=0):
    with open(name, "w") as f:
        f.write("a,b,y\n")
        for i, (a, b) in enumerate(rows):
            f.write("%.4f,%.4f,%.5f\n" % (a + shift, b, y(2 * (a + shift) - b + 5, a, random.gauss(0, 1))))
write("normal.csv", lambda f, a, e: f + e)
write("off.csv", lambda f, a, e: f + e + 20)
write("factor.csv", lambda f, a, e: 1000 * f + e)
write("grows.csv", lambda f, a, e: f + e * a ** 2 / 10)
write("with_f.csv", lambda f, a, e: f + e * (f / 8) ** 2)
write("spoilt.csv", lambda f, a, e: f + e + 60 * (a < 1.3))
with open("text.json", "w") as f:
    json.dump({"type": "linear", "variables": ["a", "where"], "w": [2, 1], "b": 5}, f)
for name, choose in (("text", ["b", "b", "b", "a"]), ("seen", ["a", "c"])):
    with open(name + ".csv", "w") as f:
        f.write("a,where,y\n")
        for i, (a, b) in enumerate(rows):
            w = choose[i % len(choose)]
            f.write("%.4f,%s,%.5f\n" % (a, w, 2 * a + "abc".index(w) + 5 + random.gauss(0, 1)))
write("away.csv", lambda f, a, e: f + e, 30)
def one_wrong(y):
    low = min(a for a, b in rows)
    return lambda f, a, e: y(f, a, e) + 5e6 * (a == low)
# a tilt is no change of size, but a mean of y - f that one row moves makes one of it
write("tilted.csv", lambda f, a, e: f + e + (a - 5) / 4)
write("wrong_tilted.csv", one_wrong(lambda f, a, e: f + e + (a - 5) / 4))
write("wrong_off.csv", one_wrong(lambda f, a, e: f + e + 20))
write("wrong_factor.csv", one_wrong(lambda f, a, e: 1000 * f + e))
write("wrong_grows.csv", one_wrong(lambda f, a, e: f + e * a ** 2 / 10))
END
said() {
    model=$1 file=$2
    shift 2
    "$GPA" explain --model "linear:$model" --marginals none "$@" --rows 3 --json "$file" | python3 -c '
import json, sys
for note in json.load(sys.stdin)["notes"][1:]: print(" ", note)'
}
for file in normal off factor grows with_f spoilt; do echo "$file"; said m.json $file.csv; done
# the row that is left out of sigma is left out of what is said about the others, too
for file in tilted wrong_tilted wrong_off wrong_factor wrong_grows; do echo "$file"; said m.json $file.csv; done
echo constant; said same.json normal.csv
echo reference; said m.json away.csv --reference normal.csv; said m.json normal.csv --reference off.csv
# a text that lies between those that were seen was not seen
said text.json text.csv --levels where=a,b,c --reference seen.csv
said text.json seen.csv --levels where=a,b,c --reference seen.csv
echo together; "$GPA" explain --model linear:m.json --marginals none --collective --top 8 --json normal.csv | grep -o 'of the rows explained together[^"]*' | head -1
# in every output: the table, the page, standard error of a score
"$GPA" explain --model linear:m.json --marginals none --html page.html off.csv | grep -c 'note: the model is off on average'
grep -c 'the model is off on average' page.html
"$GPA" score --model linear:m.json off.csv 2>&1 >/dev/null | cut -c 1-60
# few whole numbers that are on no scale may be codes; steps of 10, or many values, are none
python3 - <<'END'
import json, random
random.seed(4)
columns = {"sku": [10331, 10440, 20871, 33009], "size": [10, 20, 50, 100, 200], "rpm": range(250, 400, 3), "part": [.5, 7.25, 9.01], "days": [1, 3, 7, 28, 180]}
json.dump({"type": "linear", "variables": list(columns), "w": [0.001, 0.1, 0.1, 1, 0.1], "b": 0}, open("codes.json", "w"))
with open("codes.csv", "w") as f:
    print(*columns, "y", sep=",", file=f)
    for i in range(200):
        x = [random.choice(list(v)) for v in columns.values()]
        print(*x, "%.3f" % (.001 * x[0] + .1 * x[1] + .1 * x[2] + x[3] + .1 * x[4] + random.gauss(0, 1)), sep=",", file=f)
END
echo codes; said codes.json codes.csv
echo said; said codes.json codes.csv --kind sku=choice; said codes.json codes.csv --kind sku=number
echo reference; said codes.json codes.csv --reference codes.csv
