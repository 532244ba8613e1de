# one-hot columns are one input: the smoker recorded as none is found, without a word said
python3 "$DATA/kinds.py" insurance
"$GPA" explain --model insurance.json --rows 149 --json insurance.csv > e.json 2> notes || echo "exit $?"
"$GPA" explain --model insurance.json --rows 149 insurance.csv 2>&1 | grep -c 'taken as: '
python3 - <<'END'
import json
d = json.load(open("e.json"))
(e,) = d["explanations"]
names, c = d["features"], e["culprit"]
k = names.index("smoker_no")
assert e["verdict"]["kind"] == "input" and "smoker" in e["verdict"]["text"], e["verdict"]
assert c["responsible"][k] == c["responsible"][k + 1] > 0.5, c["responsible"]
assert c["alone"][k]["level"] == c["alone"][k + 1]["level"], c["alone"][k]
assert "yes" in c["alone"][k]["level"], c["alone"][k]
# of the groups all columns share one probability, and one of them is 1
for group in (names[3:5], names[5:7], names[7:]):
    at = [names.index(n) for n in group]
    assert len({c["responsible"][i] for i in at}) == 1
    assert sum(e["x"][0][i] + e["delta_raw"][i] for i in at) == 1
(kinds,) = [x for x in e["kinds"] if x.get("columns") == ["smoker_no", "smoker_yes"]]
assert kinds["inferred"] and kinds["kind"] in ("flag", "choice"), kinds
assert [x["kind"] for x in e["kinds"] if x["name"] == "children"] == ["whole"], e["kinds"]
END
