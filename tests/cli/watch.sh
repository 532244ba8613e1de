# A level shift of one input: rows are explained as `gpa explain --reference` does, and one
# episode opens, is updated and closes. Lines that are no rows are said and passed over.
cat > rows.py <<'P'
import random, sys
r, (n, start, end) = random.Random(int(sys.argv[1])), map(int, sys.argv[2:])
print("ts,a,b,c,y")
for i in range(n):
    a, b, c = r.gauss(0, 1), r.gauss(5, 2), r.gauss(-1, 1)
    y = 2 * a - 3 * b + c + r.gauss(0, .3)
    print("r%d,%.4f,%.4f,%.4f,%.4f" % (i, a, b + 9 * (start <= i < end), c, y))
P
echo '{"type":"linear","w":[2,-3,1],"b":0,"variables":["a","b","c"]}' > m.json
python3 rows.py 1 300 0 0 > ref.csv
python3 rows.py 2 400 100 140 > rows.csv
p="--model m.json --target y --id ts"
"$GPA" watch $p --reference ref.csv --follow off rows.csv > out.jsonl
python3 - <<'P'
import json
for e in map(json.loads, open("out.jsonl")):
    if e["event"] != "row":
        print(e["event"], e["episode"], e["n"], e["first"], e["last"], e["accused"])
rows = [e for e in map(json.loads, open("out.jsonl")) if e["event"] == "row"]
print(len(rows), rows[0]["id"], rows[-1]["id"], rows[0]["episode"], rows[-1]["episode"])
json.dump(rows[0], open("row.json", "w"))
P
echo "the same answer as of explain"
(head -1 rows.csv; grep '^r100,' rows.csv) > one.csv
"$GPA" explain $p --reference ref.csv --marginals none --json one.csv > explain.json
python3 - <<'P'
import json
row, e = json.load(open("row.json")), json.load(open("explain.json"))["explanations"][0]
for k in "verdict", "culprit":
    mine, its = dict(row[k]), dict(e[k])
    print(k, {n for n in mine if mine[n] != its[n]})
print(row["score"] == e["score"][0], row["sigma"] == e["prior"]["sigma"], row["f"] == e["f"][0])
P
echo "JSON lines, and a stream, give the same"
python3 - <<'P' > rows.jsonl
import csv, json
for r in csv.DictReader(open("rows.csv")):
    print(json.dumps({"more": [1, {"x": []}], **{k: v if k == "ts" else float(v) for k, v in reversed(r.items())}}))
P
"$GPA" watch $p --reference ref.csv --follow off < rows.jsonl 2> /dev/null | cmp - out.jsonl && echo same
python3 - <<'P' | "$GPA" watch $p --reference ref.csv --follow off - 2> /dev/null | cmp - out.jsonl && echo same
import sys, time
for i, piece in enumerate(open("rows.csv").read().split("7")):
    sys.stdout.write(piece if i == 0 else "7" + piece)
    sys.stdout.flush()
    if i % 20 == 0:
        time.sleep(.01)
P
echo "one line out per line in"
"$GPA" watch $p --reference ref.csv --every rows.csv 2> /dev/null > every.jsonl
wc -l < every.jsonl
python3 - <<'P'
import json
for e in map(json.loads, open("every.jsonl")):
    for x in e.get("events", ()):
        print(e["id"], x["event"], x["n"])
P
echo "the first lines say what is normal"
"$GPA" watch $p --warm-up 90 --only episodes rows.csv | cut -c 1-60
sed '6s/,[^,]*/,off/' rows.csv | "$GPA" watch $p --warm-up 90 --only episodes 2> /dev/null | cut -c 1-160 | sed -n 1p
echo "lines that are no rows"
{
    head -2 rows.csv
    printf '\nr1,2\nr2,1,2,x,4\n,1,2,3,4\nr3,1,2,3,\nr4,1,,3,4\n"r5,1,2,3,4\nr6,0,5,-1,-16\n'
    head -c 2000000 /dev/zero | tr '\0' x
    printf '\nr7,0,5,-1,-16'
} | "$GPA" watch $p --reference ref.csv | cut -d , -f 2-6
echo '{"ts": "r8", "a":' | "$GPA" watch $p --reference ref.csv 2> /dev/null | cut -d , -f 5,6
echo "what is no text at all"
gzip -c rows.csv | "$GPA" watch $p --reference ref.csv || echo $?
gzip -c rows.csv | "$GPA" watch $p || echo $?
echo "what is added to is not compressed"
"$GPA" watch $p --reference ref.csv --out out.jsonl.gz rows.csv || echo $?
[ ! -e out.jsonl.gz ]
