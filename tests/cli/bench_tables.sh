# mixed tables made by a script: kinds of inputs find more than numbers do, and propose what can exist
lab=$(dirname "$GPA")/lab
if ! python3 -c 'import sklearn, pandas, joblib' 2>/dev/null; then
    echo "SKIP: no scikit-learn and pandas: mixed tables are NOT checked"
    exit 77
fi
b() { GPA_LAB=$lab "$GPA" bench planted --tables --plant 1 --work w "$@"; }
b --set heating-boosting,mill-forest,insurance-polynomial,rental-boosting --json > four.json 2> said || { echo "exit $?"; cat said; }
grep -c 'making tables, models and faults' said
b --set mill-forest,rental-boosting --json --threads 1 > one.json 2> said || { echo "exit $?"; cat said; }
b --set mill-forest,rental-boosting --json --threads 3 2>> said | cmp - one.json
b --set mill-forest,rental-boosting > table 2>> said || echo "exit $?"
cat said
grep -c '^  \(mill-forest\|rental-boosting\) ' table
grep -o '^  says input  *and is right  *and is wrong  *output at fault  *calib.  *-ln P  *impossible' table | wc -l
python3 - <<'END'
import csv, json, math
d = json.load(open("four.json"))
assert [m["name"] for m in d["methods"]] == ["culprit", "numbers", "fast", "z"]
assert len(d["sets"]) == 4 and d["skipped"] == [] and d["all"]["sets"] == d["mean"]["sets"] == 4
kinds = {k["kind"]: k for k in d["all"]["kinds"]}
wanted = {"flag", "level", "count", "countgross", "gross", "x10", "swap", "missing", "bystander", "out", "outrow"}
assert set(kinds) <= wanted and len(kinds) >= 9, list(kinds)
# the cases, counted here; those with gaps are counted for themselves
counted, with_gaps = {}, 0
for s in d["sets"]:
    for row in csv.DictReader(open("w/seed-1-plant-1/%s.csv" % s["set"])):
        gap = any(v == "" for k, v in row.items() if k.startswith("x_"))
        assert gap == (row["kind"] in ("missing", "bystander"))
        counted[row["kind"]] = counted.get(row["kind"], 0) + 1
        with_gaps += gap
assert counted == {k: v["cases"] for k, v in kinds.items()}, (counted, kinds)
total = d["all"]["total"]
assert total["cases"] == sum(counted.values()) - with_gaps
m = total["methods"]
assert m["culprit"]["recall"]["value"] >= max(0.8, m["z"]["recall"]["value"]), m["culprit"]["recall"]
assert m["culprit"]["impossible"]["value"] == 0 and m["numbers"]["impossible"]["value"] > 0.3
assert m["culprit"]["model_rows"]["value"] < m["numbers"]["model_rows"]["value"]
assert m["culprit"]["says_right"]["value"] + m["culprit"]["says_wrong"]["value"] <= 1
# all cases together: the mean of the kinds, by their cases
inputs = [k for k in kinds if not k.startswith("out") and k not in ("missing", "bystander")]
for name in m:
    n = sum(counted[k] for k in inputs)
    mean = sum(counted[k] * kinds[k]["methods"][name]["recall"]["value"] for k in inputs) / n
    assert math.isclose(m[name]["recall"]["value"], mean, rel_tol=1e-12), name
END
b --cases .; echo $?
b --model builtin:sinusoid2d; echo $?
"$GPA" bench planted --cases . --work w; echo $?
