"$GPA" methods | head -n 10
"$GPA" methods --json > m.json
"$GPA" methods --csv > m.csv
python3 - <<'END'
import csv, json
j = json.load(open("m.json"))["methods"]
c = list(csv.DictReader(open("m.csv")))
assert [m["name"] for m in j] == [m["name"] for m in c]
yes = {"true": True, "false": False}
for a, b in zip(j, c):
    assert all(yes[b[k]] == a[k] for k in ("sees_y", "distribution", "baseline_free"))
# table 1 of the paper: training-data-free, baseline-input-free, y-sensitive, built-in UQ
paper = {"lime": "yyn.", "sv": "nynn", "ig": "ynnn", "eig": "nynn", "z": "nynn",
         "lc": "yyyn", "gpa": "yyyy"}
for m in j:
    got = [m[k] for k in ("training_data_free", "baseline_free", "sees_y", "distribution")]
    for letter, value in zip(paper.get(m["name"], "...."), got):
        assert letter == "." or value == (letter == "y"), m
END
"$GPA" methods extra; echo $?
