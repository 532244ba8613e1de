"$GPA" methods | head -n 1
"$GPA" methods --json > m.json
"$GPA" methods --csv > m.csv
python3 - <<'END'
import csv, json
j = json.load(open("m.json"))["methods"]
c = list(csv.DictReader(open("m.csv")))
assert [m["name"] for m in j] == [m["name"] for m in c] and j[0]["name"] == "gpa"
assert j[0]["sees_y"] is True and c[0]["sees_y"] == "true" and j[0]["distribution"] is True
END
"$GPA" methods extra; echo $?
