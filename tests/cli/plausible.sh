m="--model $DATA/mixer.json --id batch --sigma 1 --rows 10"
"$GPA" explain $m --plausible reference "$DATA/mixer.csv"; echo $?
"$GPA" explain $m --plausible maybe "$DATA/mixer.csv"; echo $?
"$GPA" explain $m --reference "$DATA/mixer.csv" "$DATA/mixer.csv" > /dev/null; echo $?
"$GPA" score $m --reference "$DATA/mixer.csv" "$DATA/mixer.csv" > /dev/null; echo $?
"$GPA" explain $m --plausible reference --reference none.csv "$DATA/mixer.csv"; echo $?
cut -d, -f 2-4 "$DATA/mixer.csv" > short.csv
"$GPA" explain $m --plausible reference --reference short.csv "$DATA/mixer.csv" > /dev/null; echo $?
# inputs by name, in any order, and no column is needed besides
awk -F, '{ print $5 "," $4 "," $3 "," $2 }' "$DATA/mixer.csv" > turned.csv
# the data without the explained row is what --plausible data looks at
awk -F, 'NR != 12 { print $5 "," $4 "," $3 "," $2 }' "$DATA/mixer.csv" > others.csv
head -n 19 others.csv > few.csv
m="$m --witnesses all"
for r in turned others few; do
    "$GPA" explain $m --plausible reference --reference $r.csv --json --out $r.json "$DATA/mixer.csv"
done
"$GPA" explain $m --scale reference --plausible reference --reference others.csv --json --out both.json "$DATA/mixer.csv"
"$GPA" explain $m --json --out data.json "$DATA/mixer.csv"
python3 - <<'END'
import json
def culprit(name):
    return json.load(open(name + ".json"))["explanations"][0]["culprit"]
for name in ("turned", "others", "few", "both"):
    print(name, culprit(name)["plausible"], culprit(name)["plausible_rows"])
a, b = culprit("others"), culprit("data")
# but for the spread of f and for the medians from which a value is far, which know the explained row, too,
# where it is one of the data
assert a["set90"] == b["set90"] and a["plausible_rows"] == b["plausible_rows"]
for k in ("probability", "single"):
    assert all(abs(p - q) < 2e-5 for p, q in zip(a[k], b[k], strict=True))
assert all(abs(p["median_raw"] - q["median_raw"]) < 1e-3 for p, q in zip(a["alone"], b["alone"], strict=True))
assert a["likeliest"]["inputs"] == b["likeliest"]["inputs"]
assert 0 < abs(a["output"] - b["output"]) < 1e-3
assert culprit("turned")["probability"] != a["probability"]
END
