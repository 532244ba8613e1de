#!/usr/bin/env python3
"""Models of scikit-learn through Python, by this tree and by another, in turns.

    python3 bench/bench_python.py OTHER_TREE [THIS_TREE] [--rounds N] [--busy N] [--only NAME]

Both trees are built (make). Each explains the same row of the same models with its defaults,
one after the other, as often as --rounds says; by the clock, because what threads cost each
other is no time of a processor. `first` is the first answer about a model, with whatever is
found out about it once; `again` the later ones. --busy N keeps N processors busy meanwhile.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parents[1]
WANTED = 5  # times as fast, of those marked
MODELS = {  # name: (how it is made, whether WANTED is asked of it)
    "histogram boosting": ("HistGradientBoostingRegressor()", True),
    "forest": ("RandomForestRegressor(100)", True),
    "forest, n_jobs=-1": ("RandomForestRegressor(100, n_jobs=-1)", True),
    "extra trees": ("ExtraTreesRegressor(100)", True),
    "boosting": ("GradientBoostingRegressor()", False),
}
WORKER = """
import copy, sys, time, warnings
import numpy as np
from sklearn.ensemble import *
import gpa
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
x = rng.normal(size=(501, 10))
y = x @ rng.normal(size=10) + np.sin(3 * x[:, 0]) + .1 * rng.normal(size=501)
x[500, 2] += 4
models = {}
for line in sys.stdin:
    code = line.strip()
    if code not in models:
        models[code] = eval(code).set_params(random_state=0).fit(x[:400], y[:400])
    model = copy.deepcopy(models[code])
    spent = []
    for _ in range(3):
        start = time.perf_counter()
        e = gpa.explain(model, x[400:], y[400:], progress="never")
        spent.append(time.perf_counter() - start)
    print(spent[0], min(spent[1:]), flush=True)
"""


class Tree:
    """A process with one tree's package and library."""

    def __init__(self, root):
        environment = {**os.environ, "PYTHONPATH": str(root / "bindings/python"),
                       "GPA_LIBRARY": str(root / "build/libgpa.so")}
        self.process = subprocess.Popen([sys.executable, "-c", WORKER], env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, code):
        """Seconds of the first answer, and of one after it."""
        self.process.stdin.write(code + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{code}: no answer")
        return [float(word) for word in line.split()]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--only", action="append", choices=list(MODELS))
    args = parser.parse_args()
    trees = [Tree(root.resolve()) for root in [*args.trees[:1], *(args.trees[1:2] or [HERE])]]
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
              for _ in range(args.busy)]
    print(f"{'ms, medians (and shortest)':26}  {'other':>14}  {'this':>14}  times")
    try:
        for name, (code, wanted) in MODELS.items():
            if args.only and name not in args.only:
                continue
            found = [[tree.ask(code) for tree in trees] for _ in range(args.rounds)]
            for k, which in enumerate(("first", "again")):
                other, this = ([1e3 * turn[t][k] for turn in found] for t in (0, 1))
                times = statistics.median(other) / statistics.median(this)
                said = ("ok" if times >= WANTED else "MISSED") if wanted and k else ""
                cells = [f"{statistics.median(ms):.1f} ({min(ms):.1f})" for ms in (other, this)]
                print(f"{name + ', ' + which:26}  {cells[0]:>14}  {cells[1]:>14}  "
                      f"{times:5.1f}  {said}", flush=True)
    finally:
        for one in others:
            one.kill()
            one.wait()


if __name__ == "__main__":
    main()
