# a slipped decimal point: far outside everything seen, and still found
m="--model $DATA/mixer.json --id batch --sigma 1 --rows 3 --marginals none --json"
for by in 10 100 1000; do
    awk -F, -v OFS=, -v by=$by 'NR == 5 { $3 *= by } 1' "$DATA/mixer.csv" > far.csv
    "$GPA" explain $m far.csv | python3 -c '
import json, sys
e = json.load(sys.stdin)["explanations"][0]
names = ["temp", "speed", "load", "fill"]
c = e["culprit"]
k = max(range(4), key=lambda i: c["responsible"][i])
x = e["x"][0][k]
repaired = x + c["alone"][k]["median_raw"]
print(names[k], e["verdict"]["kind"], c["responsible"][k] > 0.9, abs(repaired) < 0.2 * abs(x))'
done
