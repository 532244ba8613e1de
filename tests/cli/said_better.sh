# rows by what they are called, as in Python; a word too many after --csv; a table in place of a saved result
"$GPA" explain --model "$DATA/pump.json" --id pump --rows P-11,3 --json "$DATA/pump.csv" 2>/dev/null | python3 -c '
import json, sys
r = json.load(sys.stdin)
print(r["options"]["rows"], [e["ids"] for e in r["explanations"]])'
"$GPA" explain --model "$DATA/pump.json" --id pump --rows P-99 "$DATA/pump.csv" || echo "exit $?"
"$GPA" explain --model "$DATA/pump.json" --drop pump --rows P-11 "$DATA/pump.csv" || echo "exit $?"
"$GPA" explain --model "$DATA/pump.json" --id pump --csv out.csv "$DATA/pump.csv" 2>&1 | sed "s#$DATA/##" | head -1
cp "$DATA/pump.csv" table.csv
"$GPA" report table.csv || echo "exit $?"
# a reference with gaps: the other methods go without those rows; a method without an answer has no column
python3 - <<'END'
import json, random
random.seed(2)
json.dump({"type": "linear", "variables": ["a", "b"], "w": [1, 2], "b": 0}, open("m.json", "w"))
rows = [(random.gauss(0, 1), random.gauss(0, 1)) for _ in range(40)]
for name, gap in (("whole", None), ("gaps", 4)):
    with open(name + ".csv", "w") as f:
        f.write("a,b\n")
        for i, (a, b) in enumerate(rows):
            if gap is None and i % 10 == 4:
                continue
            f.write("%.4f,%s\n" % (a, "" if gap is not None and i % 10 == gap else "%.4f" % b))
with open("t.csv", "w") as f:
    f.write("a,b,y\n1,2,9\n0.5,0.1,0.7\n")
END
for name in gaps whole; do
    "$GPA" compare --model m.json --sigma 1 --methods sv,z --rows 0 --reference $name.csv --json t.csv > $name.json
done
python3 -c '
import json
a, b = (json.load(open(name + ".json"))["rows"][0]["scores"] for name in ("gaps", "whole"))
print(a == b)'
"$GPA" compare --model m.json --sigma 1 --methods gpa,lc,eig --rows 0 t.csv 2>/dev/null | grep "^  input "
