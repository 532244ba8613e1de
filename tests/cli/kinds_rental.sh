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
