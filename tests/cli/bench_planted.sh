# faults planted in the rows of an example: what comes out, and that it is always the same
diabetes="$(dirname "$(dirname "$TESTS")")/examples/diabetes"
b() { "$GPA" bench planted --model "$diabetes/model.json" --plant 8 "$@" "$diabetes/heldout.csv"; }
b --json --threads 1 > one.json || echo "exit $?"
b --json --threads 3 --batch 7 --progress never | cmp - one.json
b --json --seed 2 > two.json; cmp -s two.json one.json && echo "the seed does nothing"
b > table || echo "exit $?"
grep -c '^  \(single\|double\|coll\|out\|total\) ' table
grep -o 'Never at fault.*' table
# of the four that state probabilities: what they say of four kinds, and how true it is
sed -n '/^  verdict on/,/^$/p' table | grep -c ' culprit'
sed -n '/^  stated and true/,/^$/p' table | grep -c '^  culprit\|^    off in the mean  *0\.[0-9]* *0\.[0-9]*$'
python3 - <<'END'
import json
def refuse(word): raise ValueError(word)
one, two = (json.load(open(n), parse_constant=refuse) for n in ("one.json", "two.json"))
names = ["culprit", "numbers", "culprit-basic", "culprit-model", "fast", "mean", "paper-det",
         "lc", "lime", "sv", "z"]
figures = ["first_place", "recall", "output_auc", "set90_holds", "set90_size", "correction_error",
           "model_rows", "says_right", "says_wrong", "accuses_input", "calibration_error", "surprise",
           "impossible", "says_output", "says_tied", "says_normal"]
assert one["format"] == "gpa-bench-planted/1" and one["seed"] == 1 and one["resamples"] == 1000
assert [m["name"] for m in one["methods"]] == names
assert one["skipped"] == [] and one["mean"] is None and one["mean_reason"]
for d in (one, two):
    p = d["planting"]
    assert p["quantile"] == 0.95 and p["threshold"] > 0 and p["normal_rows"] == 45
    assert [(k["kind"], k["wanted"], k["made"]) for k in p["kinds"]] == [
        ("single", 8, 8), ("double", 4, 4), ("coll", 2, 2), ("out", 4, 4)]
    (s,) = d["sets"]
    assert s["inputs"] == 10 and s["unlabelled_rows"] == 89 and s["sigma"] > 0
    kinds = {k["kind"]: k for k in s["kinds"]}
    assert [(k, v["cases"], v["culprits"], v["rows"]) for k, v in kinds.items()] == [
        ("single", 8, 1, 1), ("double", 4, 2, 1), ("coll", 2, 1, 5), ("out", 4, 0, 1)]
    assert s["total"]["cases"] == 18
    for block in list(kinds.values()) + [s["total"]]:
        assert list(block["methods"]) == names
        for name, m in block["methods"].items():
            assert list(m)[:16] == figures and set(m) - set(figures) <= {"reliability"}
            for figure in figures:
                v = m[figure]
                if v is None:
                    continue
                low, high = v["interval90"]
                assert 0 <= low <= high and v["value"] >= 0, (figure, v)
                if figure in figures[:4] + figures[7:11] + figures[12:]:
                    assert high <= 1 and v["value"] <= 1, (figure, v)
    for name, m in kinds["single"]["methods"].items():
        assert m["first_place"] == m["recall"] and m["output_auc"] is None
        culprit = name.startswith("culprit") or name == "numbers"
        assert (m["set90_size"] is not None) == culprit
        for figure in figures[7:9] + figures[10:12] + figures[13:]:
            assert (m[figure] is not None) == culprit, (name, figure)
        assert m["accuses_input"] is None
        assert (m["correction_error"] is None) == (name in ("lime", "sv", "z"))
    for name, m in kinds["out"]["methods"].items():
        culprit = name.startswith("culprit") or name == "numbers"
        assert m["recall"] is None and m["says_right"] is None
        assert (m["output_auc"] is not None) == (m["accuses_input"] is not None) == culprit
    for name, said in kinds["double"]["methods"].items():
        parts = [said[f] for f in figures[7:9] + figures[13:]]
        assert parts[0] is None or abs(sum(v["value"] for v in parts) - 1) < 1e-12, parts
    reliable = {n: m["reliability"] for n, m in s["total"]["methods"].items() if "reliability" in m}
    assert list(reliable) == [n for n in names if n.startswith("culprit") or n == "numbers"]
    for name, r in reliable.items():
        assert sum(b["cases"] for b in r["largest"]["bins"]) == 8 + 2
        assert sum(b["cases"] for b in r["output"]["bins"]) == 18
        off = s["total"]["methods"][name]["calibration_error"]["value"]
        assert abs(r["largest"]["calibration_error"] - off) < 1e-12, (name, off)
        for b in r["largest"]["bins"] + r["output"]["bins"]:
            low, high = b["came_true"]["interval90"]
            assert b["from"] <= b["stated"] <= b["to"] and low <= b["came_true"]["value"] <= high, b
    single = {n: m["first_place"]["value"] for n, m in kinds["single"]["methods"].items()}
    rows = {n: m["model_rows"]["value"] for n, m in kinds["single"]["methods"].items()}
    assert single["culprit"] >= 0.75 and single["culprit"] >= single["fast"], single
    # of ten inputs one is a flag; with rows, eight exchanges of two inputs are asked about
    assert rows["numbers"] == 241 + 8 and rows["culprit"] == 218 + 8, rows
    assert rows["culprit-model"] == 218, rows
    assert rows["z"] == 0, rows
    assert s["total"]["methods"]["culprit"]["impossible"]["value"] == 0
    assert rows["mean"] > rows["fast"] > 20 and kinds["single"]["methods"]["culprit"][
        "correction_error"]["value"] < 0.5
END
b --methods culprit,zz; echo $?
b --set a; echo $?
b --cases .; echo $?
"$GPA" bench planted --model builtin:sinusoid2d "$DATA/sinusoid.csv"; echo $?
head -n 15 "$diabetes/heldout.csv" | "$GPA" bench planted --model "$diabetes/model.json" --plant 8; echo $?
"$GPA" bench; echo $?
"$GPA" bench sown; echo $?
"$GPA" bench planted --plant 8 "$diabetes/heldout.csv"; echo $?
"$GPA" bench planted --plant 0 "$diabetes/heldout.csv"; echo $?
