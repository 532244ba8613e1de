#!/usr/bin/env python3
"""test_examples.py ROOT BUILD: demo, shell example and README.md say what is true.

Which row is the worst, and what the model predicts for it, are worked out here from the
model file and the data, in plain Python.
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DATA = "examples/diabetes"


def predict(model, x):
    """A ReLU network, one row."""
    for i, layer in enumerate(model["layers"]):
        x = [sum(v * w for v, w in zip(x, column)) + b
             for column, b in zip(zip(*layer["W"]), layer["b"])]
        if i + 1 < len(model["layers"]):
            x = [max(v, 0) for v in x]
    return x[0]


def worst_row(folder):
    """(row, inputs, y, f) of the largest residual among the held-out rows."""
    model = json.loads((folder / "model.json").read_text())
    with open(folder / "heldout.csv", newline="") as lines:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(lines)]
    found = []
    for i, row in enumerate(rows):
        f = predict(model, [row[name] for name in model["variables"]])
        found.append((abs(row["progression"] - f), i, row, row["progression"], f))
    return max(found)[1:]


def run(command, **env):
    done = subprocess.run(command, env=dict(os.environ, **env), capture_output=True,
                          encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_csv_example(root, build, row, inputs, y, f):
    text = run([root / "examples/explain_csv.sh"], GPA=f"{build}/gpa",
               PYTHON=sys.executable)
    want = f"row {row}: observed {y:g}, predicted {f:.1f}\n"
    found = re.search(r"^(\w+) is ([\d.]+); ([-+][\d.]+) would fit", text, re.M)
    if not text.startswith(want) or found is None:
        sys.exit(f"expected {want!r} and a culprit: {text!r}")
    name, value, delta = found[1], float(found[2]), float(found[3])
    if value != inputs[name]:
        sys.exit(f"{name} of row {row} is {inputs[name]}: {text!r}")
    moved = f_moved(root, {**inputs, name: value + delta})
    if not abs(y - moved) < abs(y - f):
        sys.exit(f"{name} {delta:+g} brings f to {moved}, not nearer to {y}: {text!r}")


def f_moved(root, inputs):
    model = json.loads((root / DATA / "model.json").read_text())
    return predict(model, [inputs[name] for name in model["variables"]])


def check_demo(root, build, row, y):
    text = run([root / "tools/demo.sh", build])
    page = (pathlib.Path(build) / "demo/report.html").read_text(encoding="utf-8")
    for word in (f"row {row}", f"{y:g}", "bmi"):
        for name, where in (("demo's output", text), ("page", page)):
            if word.lower() not in where.lower():
                sys.exit(f"{word!r} is not in the {name}")
    if re.search(r"(?:src|href)\s*=\s*[\"']?https?:", page):
        sys.exit("the page loads something from elsewhere")


def check_readme(root, build):
    """The answer shown in README.md is the one that gpa gives."""
    run([sys.executable, root / "tools/update_readme.py", build, "--check"])
    run([sys.executable, root / "tools/update_gallery.py", build, "--check"])


def check_watch(root, build):
    """The episodes shown in docs/watch.md are those of the example."""
    folder, out = root / "examples/watch", []
    with tempfile.TemporaryDirectory(prefix="gpa-examples-") as work:
        for name, words in (("history", ["1000", "1"]), ("stream", ["600", "2", "300", "420"])):
            text = run([sys.executable, folder / "rows.py", *words])
            pathlib.Path(work, name + ".csv").write_text(text)
        said = run([pathlib.Path(build) / "gpa", "watch", "--model", folder / "pump.json", "--reference",
                    pathlib.Path(work, "history.csv"), "--id", "ts", "--only", "episodes", "--json",
                    pathlib.Path(work, "stream.csv")])
    for e in map(json.loads, said.splitlines()):
        out.append([*(e[key] for key in ("event", "n", "first", "last", "accused")),
                    round(e["culprit"]["output"], 4)])
    page = (root / "docs/watch.md").read_text(encoding="utf-8")
    shown = [json.loads(line) for line in re.findall(r'^    (\["(?:open|close)".*\])$', page, re.M)]
    if shown != [out[0], out[-1]]:
        sys.exit(f"docs/watch.md shows {shown}, and the command says {[out[0], out[-1]]}")


def main():
    root, build = pathlib.Path(sys.argv[1]), sys.argv[2]
    row, inputs, y, f = worst_row(root / DATA)
    print(f"worst: row {row}, observed {y:g}, predicted {f:.2f}")
    check_csv_example(root, build, row, inputs, y, f)
    check_demo(root, build, row, y)
    check_readme(root, build)
    check_watch(root, build)


if __name__ == "__main__":
    main()
