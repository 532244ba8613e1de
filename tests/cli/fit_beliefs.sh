# lab/planted/fit.py and diagram.py: what verdict.c believes, from its evidence in another language
if ! python3 -c 'import numpy, scipy' 2>/dev/null; then
    echo "SKIP: no SciPy: the fit of what is believed beforehand is NOT checked"
    exit 0
fi
python3 - <<'END'
import csv, json
import numpy as np
names = ["a", "b", "c", "d"]
for data, w in (("one", [3, -2, 1, 0.5]), ("two", [1, 1, 2, -1])):
    rng = np.random.default_rng(len(data) + int(sum(w) * 10))
    x = rng.normal(size=(160, 4)) @ np.array([[1, 0.6, 0, 0], [0, 0.8, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]) * [2, 1, 5, 3]
    y = x @ w + 0.3 * rng.normal(size=160)
    json.dump({"type": "linear", "w": w, "b": 0}, open(data + ".model.json", "w"))
    json.dump({"set": data, "data": data, "variables": names, "sigma": 0.3, "model": data + ".model.json"},
              open(data + ".meta.json", "w"))
    sd, kinds = x.std(0), ["gross", "unit", "flip", "stuck", "swap", "double", "doublein", "colswap", "out", "outunit",
                           "outswap", "natural", "normal"]
    with open(data + ".reference.csv", "w", newline="") as f:
        csv.writer(f).writerows([names, *x[100:].tolist()])
    with open(data + ".csv", "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["case", "kind", "culprits", "y"] + ["x_" + v for v in names])
        for i in range(39):
            kind, z, at = kinds[i % 13], x[i].copy(), y[i]
            k, j = rng.permutation(4)[:2]
            guilty = [] if kind[:3] in ("out", "nat", "nor") else [k, j] if kind in ("double", "doublein", "colswap") else [k]
            for g in guilty:
                z[g] = z[j] if kind == "colswap" and g == k else x[i, k] if kind == "colswap" else \
                    x[50 + i, g] if kind in ("swap", "doublein") else np.median(x[:, g]) if kind == "stuck" else \
                    -z[g] if kind == "flip" else 10 * z[g] if kind == "unit" else z[g] + 4 * sd[g]
            at += {"out": 3, "outunit": 9 * at, "outswap": y[60 + i] - at, "natural": 0.9}.get(kind, 0)
            out.writerow([i, kind, ";".join(map(str, guilty)), repr(float(at)), *map(repr, map(float, z))])
END
lab=$(dirname "$(dirname "$TESTS")")/lab/planted
python3 "$lab/fit.py" . --gpa "$GPA" > fit.txt 2> notes || { echo "exit $?"; cat notes; }
cat notes
sed -n 's/ as the program.s to [0-9.]*e-[01][0-9],/ agree,/p' fit.txt
grep -c '^  fitted on all .* stray_output ' fit.txt
python3 "$lab/diagram.py" . --gpa "$GPA" --svg it.svg > it.md || echo "exit $?"
python3 -c '
import xml.etree.ElementTree as tree
print(tree.parse("it.svg").getroot().tag.split("}")[1])
rows = [l.split("|") for l in open("it.md") if l.startswith("| gross ")]
print(len(rows), int(rows[0][2]))'
