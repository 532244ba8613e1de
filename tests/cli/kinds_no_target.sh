# one row without y is left out and counted; --strict ends
python3 "$DATA/kinds.py" rental
awk -F, 'BEGIN { OFS = "," } NR == 31 { $7 = "" } { print }' rental.csv > gap.csv
"$GPA" score --model rental.json --json gap.csv > s.json 2> notes || echo "exit $?"
grep -v 'taken as' notes
"$GPA" explain --model rental.json --json gap.csv > e.json 2> notes || echo "exit $?"
"$GPA" explain --model rental.json --rows 29 gap.csv; echo "exit $?"
"$GPA" explain --model rental.json --rows 28-30 --json --marginals none gap.csv > some.json 2> notes || echo "exit $?"
python3 -c 'import json; print([e["rows"] for e in json.load(open("some.json"))["explanations"]])'
"$GPA" score --model rental.json --strict gap.csv; echo "exit $?"
python3 - <<'END'
import json
rows = json.load(open("s.json"))["rows"]
assert len(rows) == 199 and 29 not in [r["row"] for r in rows]
d = json.load(open("e.json"))
assert any("1 of 200 rows left out" in n for n in d.get("notes") or d["explanations"][0]["notes"]), d.get("notes")
END
