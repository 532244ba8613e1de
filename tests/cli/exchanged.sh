# columns that look exchanged: the table proposes what the verdict says, each the other's value, and not what one alone would need
cat > make.py <<'END_PY'
import random
rng = random.Random(1)
rows = [[rng.gauss(85, 6), rng.gauss(120, 15), rng.gauss(7, .4)] for _ in range(120)]
y = [.9 * a - .1 * b - 4 * c + rng.gauss(0, 1) for a, b, c in rows]
for i in (7, 8, 9):
    rows[i][:2] = rows[i][1::-1]
with open("data.csv", "w") as f:
    f.write("temp,flow,ph,y\n" + "".join(",".join("%.4f" % v for v in [*x, t]) + "\n" for x, t in zip(rows, y)))
open("model.json", "w").write('{"type": "linear", "variables": ["temp", "flow", "ph"], "w": [0.9, -0.1, -4], "b": 0}')
END_PY
python3 make.py
ask="$GPA explain --model model.json --marginals none"
sed -n "1p;9p" data.csv
$ask --rows 7 data.csv | sed -n '1,/^ *observed/p'
echo several; $ask --rows 7,8,9 --collective data.csv | sed -n '1,/^ *observed/p'
$ask --rows 7 --csv data.csv | cut -d , -f 3,4,6-9
$ask --rows 7 --verbose data.csv | tr '\n' ' ' | grep -o 'if it alone [^.]*other.s place'
$ask --rows 7 --html page.html --json --out one.json data.csv 2>&1
python3 - <<'END_PY'
import json, re
page = open("page.html").read()
for name in ("temp", "flow"):
    line = re.search(r'<tr class="first"><th class="nm" scope="row">%s.*?</tr>' % name, page).group()
    print(name, *re.findall(r'<span class="(?:v|iv)">(.*?)</span>', line))
    assert line.count('class="n"') == 1 and line.count('class="i"') == 0, line
# what each alone would need stays what it is
for one in json.load(open("one.json"))["explanations"][0]["culprit"]["alone"][:2]:
    assert one["value_interval90"][0] < one["value"] < one["value_interval90"][1], one
END_PY
