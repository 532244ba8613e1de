# what is proposed can exist: nothing is negative, in the middle or at either end
python3 "$DATA/kinds.py" concrete
"$GPA" explain --model concrete.json --top 16 --json concrete.csv > e.json 2> notes || echo "exit $?"
"$GPA" explain --model concrete.json --top 16 --json --bounds data concrete.csv > b.json 2> notes || echo "exit $?"
python3 - <<'END'
import csv, json
rows = list(csv.DictReader(open("concrete.csv")))
proposals = 0
for name in ("e", "b"):
    d = json.load(open(name + ".json"))
    names = d["features"]
    assert len(d["explanations"]) == 16
    for e in d["explanations"]:
        for k, a in enumerate(e["culprit"]["alone"]):
            column = [float(r[names[k]]) for r in rows]
            low, high = (0, float("inf")) if name == "e" else (min(column), max(column))
            assert (a["value"] is None) == (a["value_interval90"][0] is None) == ("value_reason" in a), a
            values = [v for v in (a["value"], *a["value_interval90"], e["x"][0][k] + e["delta_raw"][k]) if v is not None]
            assert all(low - 1e-9 <= v <= high + 1e-9 for v in values), (name, names[k], values)
            proposals += 1
            if names[k] == "age" and a["value"] is not None:  # whole days
                assert a["value"] == round(a["value"]), a
assert proposals == 2 * 16 * 6
END
