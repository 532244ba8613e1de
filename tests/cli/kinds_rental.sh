# a holiday marked as a working day
python3 "$DATA/kinds.py" rental
"$GPA" explain --model rental.json --rows 199 --json rental.csv > e.json 2> notes || echo "exit $?"
python3 - <<'END'
import json
d = json.load(open("e.json"))
(e,) = d["explanations"]
names, c = d["features"], e["culprit"]
assert e["verdict"]["kind"] == "input", e["verdict"]
assert "workingday" in e["verdict"]["text"] and "0 instead of 1" in e["verdict"]["text"], e["verdict"]
k = names.index("workingday")
assert c["responsible"][k] == max(c["responsible"]) > 0.5, c["responsible"]
assert c["alone"][k]["level"] == 0, c["alone"][k]
kinds = {x["name"]: x for x in e["kinds"]}
assert [kinds[n]["kind"] for n in names] == ["whole", "whole", "flag", "flag", "number", "number"], kinds
assert (kinds["hour"]["low"], kinds["hour"]["high"]) == (0, 23), kinds["hour"]
END
# as it was before there were kinds
"$GPA" explain --model rental.json --rows 199 --kind all=number --json rental.csv > n.json 2> notes || echo "exit $?"
python3 - <<'END'
import json
(e,) = json.load(open("n.json"))["explanations"]
assert all(x["kind"] == "number" and "low" not in x for x in e["kinds"]), e["kinds"]
assert all("value" in a and "level" not in a for a in e["culprit"]["alone"])
END
# and as it was published
"$GPA" explain --model rental.json --rows 199 --solver paper-det --json rental.csv > p.json 2> notes || echo "exit $?"
"$GPA" explain --model rental.json --rows 199 --solver paper-det --kind all=number --json rental.csv > q.json 2> notes || echo "exit $?"
"$GPA" compare --model rental.json --rows 199 --methods lc --eta 0.7 --sigma 20 --json rental.csv > c.json 2> notes || echo "exit $?"
"$GPA" compare --model rental.json --rows 199 --methods lc --eta 0.7 --sigma 20 --kind all=number --json rental.csv > d.json 2> notes || echo "exit $?"
python3 - <<'END'
import json
p, q, c, d = (json.load(open(n + ".json")) for n in "pqcd")
(e,) = p["explanations"]
assert e["kinds"] == q["explanations"][0]["kinds"] and {x["kind"] for x in e["kinds"]} == {"number"}
assert e["delta"] == q["explanations"][0]["delta"] and any(v != round(v) for v in e["delta_raw"][:4]), e
assert c["rows"][0]["scores"]["lc"] == d["rows"][0]["scores"]["lc"]
END
