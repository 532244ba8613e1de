# sex is 1 or 2
diabetes="$(dirname "$(dirname "$TESTS")")/examples/diabetes"
"$GPA" explain --model "$diabetes/model.json" --top 8 --json "$diabetes/heldout.csv" > e.json 2> notes || echo "exit $?"
python3 - <<'END'
import json
d = json.load(open("e.json"))
k = d["features"].index("sex")
shown = 0
for e in d["explanations"]:
    x = e["x"][0][k]
    assert e["delta_raw"][k] in (0, 3 - 2 * x), (x, e["delta_raw"][k])
    a = e["culprit"]["alone"][k]
    # the other one, where it brings the model nearer to y
    assert a["level"] in (3 - x, None), a
    shown += a["level"] is not None
    assert [v["level"] for v in a["levels"]] == [1, 2], a
assert 0 < shown, "none helps"
END
