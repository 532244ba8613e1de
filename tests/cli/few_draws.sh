# below 50 effective draws no interval is shown as if it were known, and that is said
m="--model $DATA/mixer.json --id batch --sigma 1 --rows 10 --marginal-rows 16"
"$GPA" explain $m --verbose "$DATA/mixer.csv" > table
tr -s '\n ' ' ' < table | grep -o '[0-9]* effective draws, fewer than 50'
tr -s '\n ' ' ' < table | grep -o 'how far the joint change may vary is not known'
sed -n '/^the joint/,$p' table | grep -c '\['
"$GPA" explain $m --json-full "$DATA/mixer.csv" > r.json
"$GPA" explain $m --csv "$DATA/mixer.csv" > r.csv
python3 - <<'END'
import csv, json
(e,) = json.load(open("r.json"))["explanations"]
assert e["ess"] < 50
for m in e["marginals"]:
    assert m["map"] is not None
    for name in ("mean", "sd", "interval50", "interval90", "p_positive", "information", "grid", "density"):
        assert m[name] is None and "fewer than 50" in m[name + "_reason"], m
for a in e["culprit"]["alone"]: # which rests on no draws
    assert a["value_interval90"][0] <= a["value"] <= a["value_interval90"][1]
for row in csv.DictReader(open("r.csv")):
    assert all(row[n] == "" for n in ("mean", "sd", "lo50", "hi50", "lo90", "hi90", "p_positive", "information"))
    assert row["delta"] and row["responsible"] and row["value_low"]
END
# read back it is the same
"$GPA" report --verbose r.json | cmp - table
"$GPA" report --csv r.json | cmp - r.csv
"$GPA" verify --model "$DATA/mixer.json" r.json "$DATA/mixer.csv"
# enough of them, and none needed
"$GPA" explain $m --marginal-rows 4096 --verbose "$DATA/mixer.csv" | grep -c '\['
"$GPA" explain $m --marginals plugin --verbose "$DATA/mixer.csv" | grep -c '\['
