# The closed forms of appendix A, from the command.
"$GPA" paper sinusoid --work w --json > t.json 2> err
python3 - <<'END'
import json, math, pathlib, xml.etree.ElementTree as tree
t, = json.load(open("t.json"))["tables"]
want = {"GPA": {1: (-1 / 6, 0), -1: (1 / 6, 0), 0: (0, 0)}}
want["LC"] = want["GPA"]
fixed = {"LIME": (-2 * math.pi, 0), "IG x0=(0,0)": (-2, 0), "IG x0=(0,1)": (-2 / 3, 8 / 3),
         "SV": (0, 0)}
seen = 0
for point, method, _, a, _, b, _ in t["rows"]:
    y = float(point.split("=")[1])
    x = fixed[method] if method in fixed else want[method][y]
    assert abs(a - x[0]) < 1e-5 and abs(b - x[1]) < 1e-5, (point, method, a, b)
    seen += 1
assert seen == 18
svg = sorted(p.name for p in pathlib.Path("w/figures").iterdir())
assert svg == ["sinusoid-litmus.svg", "sinusoid-slice.svg", "sinusoid-surface.svg"], svg
for name in svg:
    tree.parse("w/figures/" + name)
page = open("w/sinusoid.html").read()
assert page.count("<svg") == 3 and "<script" not in page
END
"$GPA" paper sinusoids --work w; echo "exit $?"
"$GPA" paper california --work w; echo "exit $?"
