# Not many more reference rows than inputs, which all depend on each other, and rows given twice: a wrong y accuses no
# input, a wrong input is still named. Every figure is of rows whose truth is known.
python3 - <<'PY'
import json, os, random, subprocess
gpa = os.environ["GPA"]
r = random.Random(2)

def ask(d, n, copies, culprit):
    names = ["a%d" % k for k in range(d)]
    def row():
        common = r.gauss(0, 1)
        return [.9 * common + .44 * r.gauss(0, 1) for _ in range(d)]
    rows, x, w = [row() for _ in range(n)] * copies, row(), [r.choice((-1, 1)) * r.uniform(.5, 1.5) for _ in range(d)]
    y = sum(a * b for a, b in zip(w, x)) + (0 if culprit else r.choice((-2, 2)))
    if culprit:
        x[3] += 5
    json.dump({"type": "linear", "variables": names, "w": w, "b": 0}, open("m.json", "w"))
    write = lambda v: ",".join("%.6f" % u for u in v) + "\n"
    open("ref.csv", "w").write(",".join(names) + "\n" + "".join(map(write, rows)))
    open("row.csv", "w").write(",".join(names) + ",y\n" + write(x + [y]))
    said = subprocess.run([gpa, "explain", "--model", "m.json", "--target", "y", "--reference", "ref.csv", "--scale", "reference",
                           "--sigma", ".2", "--marginals", "none", "--json", "row.csv"], capture_output=True, check=True).stdout
    e = json.loads(said)["explanations"][0]
    return e["culprit"]["responsible"], e["culprit"]["plausible"], e["notes"]

for d, n, copies in ((60, 60, 1), (30, 20, 1), (12, 15, 2), (8, 4, 2)):
    sure = named = 0
    for i in range(8):
        p, where, notes = ask(d, n, copies, False)
        sure += max(p) >= .95
        assert where == ("none" if n < 8 else "reference"), (d, n, where)
        p, where, notes = ask(d, n, copies, True)
        named += p[3] == max(p)
    print(d, "inputs:", "named in %d," % named if n > 8 else "", "accused in", sure)
print(*[note for note in notes if "rows" in note], sep="\n")
PY
