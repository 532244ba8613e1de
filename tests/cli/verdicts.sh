# Faults that are known (data/mixer.csv): B10 temp reads 25 too high, B20 torque 5 too high,
# B30 torque 15 too high, B40 speed 14 and load 7 too high, B50 to B52 speed 14 too low.
m="--model $DATA/mixer.json --id batch --sigma 1"
"$GPA" explain $m --rows 10,20,30,40,45,50 --json --out v.json "$DATA/mixer.csv"
"$GPA" explain $m --rows 50-52 --collective --json --out c.json "$DATA/mixer.csv"
"$GPA" explain $m --rows 45-47 --collective --json --out n.json "$DATA/mixer.csv"
python3 - <<'END'
import json
for name in ("v", "c", "n"):
    for e in json.load(open(name + ".json"))["explanations"]:
        print(",".join(e["ids"]), e["verdict"]["kind"] + ":", e["verdict"]["text"])
e = json.load(open("v.json"))["explanations"][0]
# f is linear: if temp alone moves, 0.8 delta closes the gap
gap = e["y"][0] - e["f"][0]
assert abs(e["culprit"]["alone"][0]["median_raw"] - gap / 0.8) < 0.05 * abs(gap / 0.8)
END
# the same sentence for people, and none when it is not wanted
"$GPA" explain $m --rows 10 "$DATA/mixer.csv" | sed -n '1,2p'
"$GPA" explain $m --rows 10 --culprit off "$DATA/mixer.csv" | grep -c -e culprit -e responsible
"$GPA" explain $m --rows 10 --culprit off --json "$DATA/mixer.csv" |
    python3 -c 'import json, sys; e = json.load(sys.stdin)["explanations"][0]
print(e["verdict"], e["verdict_reason"], e["culprit"], e["culprit_reason"], e["rows_by_stage"]["culprit"])'
