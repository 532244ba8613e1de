"$GPA" explain --model "$DATA/pump.json" --id pump --rows 11,3 --csv --out r.csv "$DATA/pump.csv"
"$GPA" explain --model "$DATA/pump.json" --id pump --rows 11,3 --json --out r.json "$DATA/pump.csv"
python3 - <<'END'
import csv, json
rows = list(csv.DictReader(open("r.csv", newline="")))
d = json.load(open("r.json"))
assert len(rows) == 4
for i, r in enumerate(rows):
    e, k = d["explanations"][i // 2], i % 2
    m = e["marginals"][k]
    assert r["rows"] == str(e["rows"][0]) and r["ids"] == e["ids"][0]
    assert r["feature"] == d["features"][k]
    pairs = [("x", e["x"][0][k]), ("delta", e["delta"][k]), ("delta_raw", e["delta_raw"][k]),
             ("mean", m["mean"]), ("sd", m["sd"]), ("lo50", m["interval50"][0]),
             ("hi50", m["interval50"][1]), ("lo90", m["interval90"][0]),
             ("hi90", m["interval90"][1]), ("p_positive", m["p_positive"]),
             ("information", m["information"]), ("unit", d["scale"]["unit"][k]),
             ("y", e["y"][0]), ("f", e["f"][0]), ("f_moved", e["f_moved"][0]),
             ("score", e["score"][0])]
    for name, value in pairs:
        assert float(r[name]) == value, (name, r[name], value)
print(",".join(rows[0]))
END
