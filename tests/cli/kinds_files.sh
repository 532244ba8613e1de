# model files that know categories: by the names in the file (LightGBM), or by codes that
# --levels names (XGBoost)
data="$(dirname "$TESTS")/data"
cat > make.py <<'PY'
import csv, json, random, subprocess, sys
gpa, model, head, levels = *sys.argv[1:4], sys.argv[4:]
head, draw = head.split(","), random.Random(5)
at = 4 if len(head) == 6 else 3
rows = []
for i in range(240):
    x = [round(draw.gauss(0, 1), 3) for _ in range(at)] + [draw.choice(levels)]
    rows.append(x + ([draw.randrange(10, 80)] if at == 4 else []))
def write(name, rows):
    with open(name, "w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([head + ["y"], *rows])
def predict(rows):
    write("ask.csv", [x + [0] for x in rows])
    said = subprocess.run([gpa, "score", "--model", model, "--sigma", "1", "--json", "ask.csv"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    found = sorted((r["row"], r["f"]) for r in json.loads(said.stdout)["rows"])
    assert len(found) == len(rows), found
    return [f for _, f in found]
f = predict(rows)
# the row and level that a wrong reading moves most
others = [(i, l) for i in range(240) for l in levels if l != rows[i][at]]
moved = predict([rows[i][:at] + [l] + rows[i][at + 1:] for i, l in others])
i, wrong = others[max(range(len(others)), key=lambda k: abs(moved[k] - f[others[k][0]]))]
# levels that the model cannot tell from the right one
right = [rows[i][at]] + [l for (j, l), v in zip(others, moved) if j == i and abs(v - f[i]) < 0.1]
rows[i][at] = wrong
write("data.csv", [x + [round(v + draw.gauss(0, .05), 4)] for x, v in zip(rows, f)])
json.dump([i, right, wrong], open("spoilt.json", "w"))
print(i)
PY
cat > check.py <<'PY'
import json, sys
name, names = sys.argv[1], dict(zip(sys.argv[2::2], sys.argv[3::2]))
d = json.load(open("e.json"))
(e,), (i, right, wrong) = d["explanations"], json.load(open("spoilt.json"))
wrong, right = names.get(wrong, wrong), [names.get(l, l) for l in right]
k = d["features"].index(name)
assert e["verdict"]["kind"] == "input", e["verdict"]
level = e["culprit"]["alone"][k]["level"]
assert level in right, (level, right)
assert f"{name} '{level}' instead of '{wrong}'" in e["verdict"]["text"], e["verdict"]
assert e["culprit"]["responsible"][k] == max(e["culprit"]["responsible"])
assert [x["kind"] for x in e["kinds"] if x["name"] == name] == ["choice"], e["kinds"]
PY
x() { "$GPA" explain --rows "$row" --marginals none --json "$@" data.csv > e.json 2> notes || { echo "exit $?"; cat notes; }; }
m=$data/lightgbm/pandas.txt
row=$(python3 make.py "$GPA" "$m" load,rate,rain,wind,shop,size north 'south, by "the" sea' 🌊 007 1e5 a=b été True) || exit
x --model "$m"
python3 check.py shop
m=$data/xgboost/partition.json
row=$(python3 make.py "$GPA" "$m" "a,b,c c,dé" 0 1 2 3) || exit
x --model "$m" --levels dé=north,south,east,west
python3 check.py dé 0 north 1 south 2 east 3 west
