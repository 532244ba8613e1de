# Few rows: eight others say what is plausible; fewer do not, and then nothing is sure. Planted: a, b or c times 10 in one row.
python3 - <<'PY'
import json, random
r = random.Random(11)
noise = lambda: sum(r.random() for _ in range(12)) - 6
centre, spread, slope = (40, 3, 12), (6, .5, 2), (3, -2.5, 2)
json.dump({"type": "linear", "variables": ["a", "b", "c"], "w": [w / s for w, s in zip(slope, spread)],
           "b": -sum(w * c / s for w, c, s in zip(slope, centre, spread))}, open("m.json", "w"))
for n in (7, 8, 9, 12, 15, 20, 21):
    for k, name in enumerate("abc"):
        with open("%s-%d.csv" % (name, n), "w") as out:
            print("a,b,c,y", file=out)
            for i in range(n):
                common = noise()
                z = [.6 * common + .8 * noise() for _ in range(3)]
                x = [round(c + s * v, 3) for c, s, v in zip(centre, spread, z)]
                y = round(sum(w * v for w, v in zip(slope, z)) + .5 * noise(), 3)
                x[k] *= 10 if i == 4 else 1
                print(*x, y, sep=",", file=out)
PY
for n in 7 8 9 12 15 20 21; do for name in a b c; do
    "$GPA" explain --model m.json --target y --rows 4 --sigma .5 --marginals none --json $name-$n.csv > $name-$n.json 2> /dev/null
done; done
python3 - <<'PY'
import json
for n in (7, 8, 9, 12, 15, 20, 21):
    for name in "abc":
        d = json.load(open("%s-%d.json" % (name, n)))
        c = d["explanations"][0]["culprit"]
        p = dict(zip(d["features"], c["responsible"]))
        if n > 8:
            assert (c["plausible"], c["plausible_rows"]) == ("data", n - 1), (n, name, c)
            assert p[name] > .9, (n, name, p, c["output"])
        else:
            assert c["plausible"] == "none" and max([c["output"], *p.values()]) < .7, (n, name, p, c["output"])
PY
"$GPA" explain --model m.json --target y --rows 4 --sigma .5 --marginals none a-8.csv | sed -n '1,/^$/p; /other rows, fewer/,$p'
# a larger reference comes before few rows of one's own, and after many
head -n 13 a-15.csv > own.csv
tail -n +2 c-20.csv | sed 's/^/x,/' > more; { echo x,a,b,c,y; cat more; } | cut -d, -f 2-4 > reference.csv
for file in own.csv a-21.csv; do
    "$GPA" explain --model m.json --target y --rows 4 --sigma .5 --reference reference.csv --marginals none --json $file 2> /dev/null > r.json
    python3 -c 'import json; c = json.load(open("r.json"))["explanations"][0]["culprit"]; print(c["plausible"], c["plausible_rows"])'
done
