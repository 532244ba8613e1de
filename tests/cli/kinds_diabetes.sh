# sex is 1 or 2
diabetes="$(dirname "$(dirname "$TESTS")")/examples/diabetes"
"$GPA" explain --model "$diabetes/model.json" --top 8 --json "$diabetes/heldout.csv" > e.json 2> notes || echo "exit $?"
python3 - <<'END'
import json
d = json.load(open("e.json"))
k = d["features"].index("sex")
for e in d["explanations"]:
    x = e["x"][0][k]
    assert e["delta_raw"][k] in (0, 3 - 2 * x), (x, e["delta_raw"][k])
    a = e["culprit"]["alone"][k]
    assert a["level"] == 3 - x, a
    assert [v["level"] for v in a["levels"]] == [1, 2], a
END
