# Values so large that the distance between two of them is no number: an answer all the same, and soon.
python3 - <<'PY'
import json, random
r = random.Random(4)
json.dump({"type": "mlp", "activation": "tanh", "variables": ["a", "b"],
           "layers": [{"W": [[.01, 0], [0, 1]], "b": [0, 0]}, {"W": [[1], [2]], "b": [0]}]}, open("m.json", "w"))
with open("rows.csv", "w") as f:
    f.write("a,b,y\n")
    for i in range(40):
        a, b = r.gauss(0, 1), r.gauss(0, 1)
        f.write("%.4f,%.4f,%.4f\n" % (a, b, .01 * a + (2 if i else -2) * b / (1 + abs(b)) + r.gauss(0, .05)))
PY
for value in 8e307 1e308 1.7e308 -1e308; do for how in "exact" "surrogate" "none --solver thorough"; do
    timeout 60 "$GPA" explain --model m.json --target y --sigma .1 --rows 0 --set a=$value --marginals $how --json rows.csv > out.json 2> err ||
        echo "$value $how: $?"
    python3 -c 'import json; e = json.load(open("out.json"))["explanations"][0]; p = e["culprit"]["responsible"]; assert all(0 <= v <= 1 for v in p), p'
done; done
