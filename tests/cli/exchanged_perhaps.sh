# planted: temp and flow exchanged in row 7, temp and ph both wrong in row 20; the noise is large and outcomes are often wrong, so that neither is the fact: the sentence names them all the same
cat > make.py <<'END_PY'
import random
rng = random.Random(1)
rows = [[rng.gauss(85, 6), rng.gauss(120, 15), rng.gauss(7, .4)] for _ in range(120)]
y = [.9 * a - .1 * b - 4 * c + rng.gauss(0, 1) for a, b, c in rows]
rows[7][:2] = rows[7][1::-1]
rows[20][0] += 15
rows[20][2] -= 1.5
with open("data.csv", "w") as f:
    f.write("temp,flow,ph,y\n" + "".join(",".join("%.4f" % v for v in [*x, t]) + "\n" for x, t in zip(rows, y)))
open("model.json", "w").write('{"type": "linear", "variables": ["temp", "flow", "ph"], "w": [0.9, -0.1, -4], "b": 0}')
END_PY
python3 make.py
ask="$GPA explain --model model.json --marginals none"
often="--sigma 7 --output-prior 0.95"
$ask $often --rows 7 data.csv | sed -n '1,/^ *observed/p'
for case in "7 7 0.95" "20 4 0.5" "20 1 0.95"; do
    set -- $case
    $ask --rows $1 --sigma $2 --output-prior $3 --html page.html --json --out one.json data.csv 2>&1
    python3 - <<'END_PY'
import html, json, re
e = json.load(open("one.json"))["explanations"][0]
c, said, kind = e["culprit"], e["verdict"]["text"], e["verdict"]["kind"]
idea, p = c["likeliest"], "(%.0f %%)" % (100 * c["likeliest"]["probability"])
planted = {7: ["temp", "flow"], 20: ["temp", "ph"]}[e["rows"][0]]
print(e["rows"][0], kind, said)
assert (idea["inputs"], idea["exchanged"]) == (planted, e["rows"] == [7]), idea
assert kind == ("output" if c["output"] > max(c["responsible"]) else "tied"), e["verdict"]
assert " and ".join(planted) + " are %s %s" % ("exchanged" if idea["exchanged"] else "wrong", p) in said
assert ("likeliest of all" in said) == (c["output"] < idea["probability"] < .5)
known = {"(%.0f %%)" % (100 * v) for v in [*c["responsible"], c["output"], idea["probability"]]}
assert set(re.findall(r"\(\d+ %\)", said)) <= known, known
page = html.unescape(re.sub("<[^>]*>", "", open("page.html").read()))
assert said in " ".join(page.split())
END_PY
done
