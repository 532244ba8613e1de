m="--model $DATA/mixer.json --id batch --sigma 1 --all --witnesses all"
for mode in on basic; do
    "$GPA" explain $m --culprit $mode --json --out $mode.json "$DATA/mixer.csv" || echo $?
done
"$GPA" explain $m --plausible none --json --out none.json "$DATA/mixer.csv"
"$GPA" explain $m --json --out default.json "$DATA/mixer.csv"
"$GPA" explain $m --csv --out default.csv "$DATA/mixer.csv"
python3 - <<'END'
import csv, json
names = ["temp", "speed", "load", "fill"]
def read(name):
    return json.load(open(name + ".json"))["explanations"]
for name in ("on", "basic", "none"):
    for e in read(name):
        c, v = e["culprit"], e["verdict"]
        keys = list(e)
        at = keys.index("nonfinite_rows")
        assert keys[at + 1:at + 5] == ["kinds", "verdict", "culprit", "ess"], keys
        assert list(v) == ["kind", "text"] and v["text"].endswith(".")
        assert list(c) == ["probability", "single", "responsible", "output", "set90", "alone", "output_alone", "likeliest",
                           "plausible", "plausible_rows"], list(c)
        best = c["likeliest"]
        assert list(best) == ["inputs", "exchanged", "probability"] and set(best["inputs"]) <= set(names)
        assert all(best["probability"] <= c["responsible"][names.index(n)] + 1e-12 for n in best["inputs"])
        assert len(best["inputs"]) == 2 or not best["exchanged"]
        assert [len(c[k]) for k in ("probability", "single", "alone")] == [4, 4, 4]
        assert abs(sum(c["single"]) - 1) < 1e-12
        assert all(abs(r - p * (1 - c["output"])) < 1e-15
                   for r, p in zip(c["responsible"], c["probability"]))
        assert all(0 <= p <= 1 for p in c["probability"] + c["single"] + [c["output"]])
        # at least one input moved when one did
        assert sum(c["probability"]) >= 1 - 1e-12
        # the fewest, likeliest first, whose share of `single` is 0.9
        share = [c["single"][names.index(n)] for n in c["set90"]]
        assert share == sorted(c["single"], reverse=True)[:len(share)]
        assert sum(share) >= 0.9 - 1e-9 > sum(share[:-1])
        for k, a in enumerate(c["alone"]):
            assert list(a) == ["median", "interval90", "median_raw", "interval90_raw", "value", "value_interval90"]
            assert a["interval90"][0] <= a["median"] <= a["interval90"][1]
            assert abs(e["x"][0][k] + a["median_raw"] - a["value"]) < 1e-9 and a["value"] >= 0
        normal = c["output_alone"] # sigma is 1
        assert normal["value"] == e["f"][0]
        assert all(abs(abs(x - e["f"][0]) - 1.6448536269514722) < 1e-9 for x in normal["value_interval90"])
        gap = abs(e["y"][0] - e["f"][0])
        top = max(c["probability"]) * (1 - c["output"])
        want = ("normal" if gap <= 2 else "input" if top > 0.8 else
                "output" if c["output"] > 0.3 and c["output"] >= top else "tied")
        assert v["kind"] == want, (e["rows"], v, c)
        assert (c["plausible"], c["plausible_rows"]) == (("none", 0) if name == "none" else ("data", 59))
        assert e["rows_by_stage"]["culprit"] > 0
unit = json.load(open("on.json"))["scale"]["unit"]
for e in read("on"):
    for k, a in enumerate(e["culprit"]["alone"]):
        assert abs(a["median_raw"] - a["median"] * unit[k]) <= 1e-13 * abs(a["median_raw"])
assert [e["culprit"] for e in read("default")] == [e["culprit"] for e in read("on")]
assert [e["culprit"] for e in read("basic")] != [e["culprit"] for e in read("on")]
rows = list(csv.DictReader(open("default.csv")))
for i, r in enumerate(rows):
    e, k = read("default")[i // 4] if i % 4 == 0 else e, i % 4
    c = e["culprit"]
    pairs = [("responsible", c["responsible"][k]), ("p_if_input", c["probability"][k]), ("single", c["single"][k]),
             ("alone_median", c["alone"][k]["median"]), ("alone_lo90", c["alone"][k]["interval90"][0]),
             ("alone_hi90", c["alone"][k]["interval90"][1]), ("p_output", c["output"]),
             ("alone_median_raw", c["alone"][k]["median_raw"]),
             ("alone_lo90_raw", c["alone"][k]["interval90_raw"][0]),
             ("alone_hi90_raw", c["alone"][k]["interval90_raw"][1])]
    assert all(float(r[n]) == x for n, x in pairs) and r["verdict"] == e["verdict"]["kind"]
print(len(rows), "lines")
END
# too few rows to say what is plausible: it is said
head -n 8 "$DATA/mixer.csv" | "$GPA" explain --model "$DATA/mixer.json" --id batch --sigma 1 --rows 5 --json |
    python3 -c 'import json, sys; e = json.load(sys.stdin)["explanations"][0]; print(e["culprit"]["plausible"], e["notes"][-1])'
# no sigma, no culprits
"$GPA" explain --model "$DATA/mixer.json" --id batch --b0 1 --rows 0 --json - <<'END' |
batch,temp,speed,load,fill,torque
a,60,30,10,5,80
END
    python3 -c 'import json, sys; e = json.load(sys.stdin)["explanations"][0]; print(e["verdict"], e["verdict_reason"], e["culprit_reason"])'
