# one new row, with reference rows that have the target: as if it had come among them
python3 "$DATA/kinds.py" rental
head -n 200 rental.csv > old.csv
(head -n 1 rental.csv; tail -n 1 rental.csv) > new.csv
"$GPA" explain --model rental.json --reference old.csv --json new.csv > e.json 2> notes || { echo "exit $?"; cat notes; }
"$GPA" explain --model rental.json --rows 199 --json rental.csv > all.json 2> notes || echo "exit $?"
python3 - <<'END'
import json
(e,), (a,) = (json.load(open(n + ".json"))["explanations"] for n in ("e", "all"))
assert e["verdict"]["kind"] == "input" and "0 instead of 1" in e["verdict"]["text"], e["verdict"]
assert [x["kind"] for x in e["kinds"]] == [x["kind"] for x in a["kinds"]]
assert all(abs(p - q) < 0.1 for p, q in zip(e["culprit"]["responsible"], a["culprit"]["responsible"]))
END
