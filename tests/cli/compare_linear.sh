# On a linear model everybody's answer is known: f = 2 x1 - 3 x2 + 1.
printf '{"type":"linear","w":[2,-3],"b":1,"variables":["x1","x2"]}' > m.json
printf 'x1,x2,y\n1,2,5\n0,1,-2.1\n2,0,5.2\n1,1,0.1\n0,0,0.8\n3,1,4.1\n' > d.csv
printf 'x1,x2\n0,0\n2,2\n4,-2\n2,0\n' > r.csv
"$GPA" compare --model m.json --rows 0 --reference r.csv --scale none --lime-l1 0 --json d.csv > c.json
"$GPA" compare --model m.json --rows 0 --scale none --csv d.csv > c.csv
"$GPA" compare --model m.json --rows 0,1 --methods sv,gpa,ig --threads 4 --json --reference r.csv d.csv > a.json
"$GPA" compare --model m.json --rows 0,1 --methods sv,gpa,ig --threads 1 --json --reference r.csv d.csv > b.json
cmp a.json b.json
python3 - <<'END'
import csv, json, math
c = json.load(open("c.json"))
assert c["format"] == "gpa-comparison/1" and c["features"] == ["x1", "x2"]
row, = c["rows"]
s = row["scores"]
assert row["row"] == 0 and list(s) == ["gpa", "lc", "lime", "baylime", "ig", "eig", "sv", "z"]
near = lambda a, b, tol: all(abs(x - y) <= tol for x, y in zip(a, b)) or exit(f"{a} is not {b}")
near(s["lime"], [2, -3], 1e-9)             # the slopes
near(s["ig"], [2 * 1, -3 * 2], 1e-6)       # w (x - 0)
mean, sd = [2, 0], [math.sqrt(2), math.sqrt(2)]
near(s["eig"], [2 * (1 - 2), -3 * (2 - 0)], 1e-6)  # w (x - mean of the reference)
near(s["sv"], [2 * (1 - 2), -3 * (2 - 0)], 1e-9)
near(s["z"], [(1 - 2) / sd[0], (2 - 0) / sd[1]], 1e-12)
assert s["gpa"][0] > 0 > s["gpa"][1]       # y = 5 is far above f = -3
assert row["reacts"] == {"gpa": True, "lc": True, "lime": False, "baylime": False,
                         "ig": False, "eig": False, "sv": False, "z": False}, row["reacts"]
assert c["consistency"]["lc"]["smr"]["mean"] == 1
rows = list(csv.DictReader(open("c.csv")))
assert {r["method"] for r in rows if r["score"]} == {"gpa", "lc", "lime", "baylime", "ig"}, rows
END
