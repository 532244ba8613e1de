e() { "$GPA" explain --model "$DATA/mixer.json" --id batch --sigma 1 --rows 10 "$@" "$DATA/mixer.csv"; echo $?; }
e --freeze tmp
e --freeze temp,batch
e --freeze ''
e --integer nothing
e --bounds temp
e --bounds temp=5
e --bounds tmp=data
e --bounds temp=9:1
e --bounds temp=a:b
e --bounds xyz=1:2
e --onehot temp,temp
e --onehot temp --onehot load,temp
e --onehot temp,load
e --freeze temp,speed,load,fill --json --out all.json
e --freeze temp,speed --freeze load --bounds fill=5:6 --json --out b.json
e --integer temp,load --bounds speed=:31 --json --out i.json
python3 - <<'END'
import json
def read(name):
    return json.load(open(name + ".json"))["explanations"][0]
a = read("all")
print(a["delta"], a["verdict"], a["verdict_reason"])
b = read("b")
assert b["delta_raw"][:3] == [0, 0, 0] and b["culprit"]["probability"][:3] == [0, 0, 0]
assert b["culprit"]["probability"][3] == 1 and b["culprit"]["set90"] == ["fill"]
x = b["x"][0][3]
moved = [b["delta_raw"][3]] + [b["culprit"]["alone"][3]["median_raw"]] + b["culprit"]["alone"][3]["interval90_raw"]
assert all(5 - 1e-9 <= x + d <= 6 + 1e-9 for d in moved), (x, moved)
i = read("i")
for k in (0, 2):
    whole = [i["delta_raw"][k], i["culprit"]["alone"][k]["median_raw"]] + i["culprit"]["alone"][k]["interval90_raw"]
    assert all(d == round(d) for d in whole), whole
assert i["x"][0][1] + i["delta_raw"][1] <= 31 + 1e-9
assert i["x"][0][1] + i["culprit"]["alone"][1]["interval90_raw"][1] <= 31 + 1e-9
END
# of one number: its range is that of the file, and what is proposed lies within
e --bounds temp=data --json --out one.json
e --bounds data --json --out every.json
python3 - <<'END'
import csv, json, os
rows = list(csv.DictReader(open(os.environ["DATA"] + "/mixer.csv")))
for name, bounded in ("one", ["temp"]), ("every", ["temp", "speed", "load", "fill"]):
    e = json.load(open(name + ".json"))["explanations"][0]
    for k, kind in enumerate(e["kinds"]):
        seen = [f(float(r[kind["name"]]) for r in rows) for f in (min, max)]
        assert ([kind.get("low"), kind.get("high")] == seen) == (kind["name"] in bounded), (name, kind)
        if kind["name"] in bounded:
            assert all(seen[0] <= v <= seen[1] for v in e["culprit"]["alone"][k]["value_interval90"]), (name, kind)
END
# what may not move is held, and says so
"$GPA" explain --model "$DATA/mixer.json" --id batch --sigma 1 --rows 10 --freeze temp,load "$DATA/mixer.csv" | grep -c '  held'
"$GPA" explain --model "$DATA/mixer.json" --id batch --sigma 1 --rows 10 --freeze temp,load --culprit off "$DATA/mixer.csv" | grep -c '  held'
# a row outside its bounds is brought inside, and who did it is asked as with limits that the data have
python3 - <<'END'
import csv
rows = list(csv.DictReader(open(__import__("os").environ["DATA"] + "/mixer.csv")))
row = max(range(len(rows)), key=lambda i: float(rows[i]["temp"]))
print("%s:%s" % tuple(f(float(r["temp"]) for i, r in enumerate(rows) if i != row) for f in (min, max)), file=open("range", "w"))
with open("others.csv", "w") as f, open("one.csv", "w") as g:
    for to, keep in ((f, lambda i: i != row), (g, lambda i: i == row)):
        w = csv.DictWriter(to, rows[0])
        w.writeheader()
        w.writerows(r for i, r in enumerate(rows) if keep(i))
END
o() { "$GPA" explain --model "$DATA/mixer.json" --id batch --sigma 1 --reference others.csv --json "$@" one.csv; echo $?; }
o --bounds data --out data.json
o --bounds "temp=$(cat range)" --out o.json
python3 - <<'END'
import json
def read(name):
    return json.load(open(name + ".json"))["explanations"][0]
o, data, high = read("o"), read("data"), float(open("range").read().split(":")[1])
assert o["x"][0][0] > high and o["x"][0][0] + o["delta_raw"][0] <= high + 1e-9
print(o["verdict"]["kind"], data["verdict"]["kind"], o["culprit"]["set90"])
assert o["culprit"]["alone"][0]["value_interval90"][1] <= high + 1e-9
assert abs(o["culprit"]["alone"][0]["value"] - data["culprit"]["alone"][0]["value"]) < .01
END

# bounds that are one value, which x + unit * change may miss by the last digit
for at in 0.3 7.7 23.4 33.3333 1e-9 -0.1; do
    "$GPA" explain --model "$DATA/mixer.json" --id batch --sigma 1 --rows 3 --marginals none --bounds "load=$at:$at" --json "$DATA/mixer.csv" 2>&1 |
        python3 -c '
import json, sys
at, e = float(sys.argv[1]), json.load(sys.stdin)["explanations"][0]
v = e["culprit"]["alone"][2]["value"]
print(v is None or abs(v - at) < 1e-9)' "$at"
done
