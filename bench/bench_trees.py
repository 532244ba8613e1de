#!/usr/bin/env python3
"""Our evaluation of trees against XGBoost's and scikit-learn's, in turns, one thread each.

    python3 bench/bench_trees.py build/bench/bench_trees [--rounds N]

- xgboost: 100 trees of depth 6, 8 inputs, against libxgboost's C API.
- forest: a random forest of 100 trees of depth 20, written by tools/export_sklearn.py,
  against predict() with n_jobs=1; and boosting, 100 trees of depth 3.

Times are ns per row: the best of all rounds, and the median of theirs over ours, round by
round. Each figure for 10,000 rows has its target beside it, and `ok` or `MISSED`. What is
not installed (python3-xgboost, python3-sklearn) is left out with a line that says SKIPPED.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
sys.dont_write_bytecode = True

ROWS = (1, 25, 100, 500, 10000)
ROUND_NS = 3e7  # a round takes about this long


def make_data():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(20000, 8))
    y = (np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + x[:, 3] ** 2
         + 0.3 * rng.normal(size=len(x)))
    return x, y, rng.normal(size=(max(ROWS), 8))


class Child:
    """bench_trees with a model: answers how long n rows take, and their sum."""

    def __init__(self, program, *words):
        self.process = subprocess.Popen([program, *map(str, words)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, n, repeats):
        try:
            self.process.stdin.write(f"{n} {repeats}\n")
            self.process.stdin.flush()
            each, total = map(float, self.process.stdout.readline().split())
        except (ValueError, BrokenPipeError):
            sys.exit("bench_trees.py: bench_trees gave no answer")
        return each, total

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def in_python(predict, rows):
    def ask(n, repeats):
        x = rows[:n]
        start = time.perf_counter_ns()
        for _ in range(repeats):
            y = predict(x)
        return (time.perf_counter_ns() - start) / (repeats * n), float(np.sum(y))
    return ask


def compare(title, ours, theirs, rounds, target):
    """The table of one model; `target`: how often we must be as fast at the end."""
    print(f"\n{title}\n{'rows':>6} {'ours':>10} {'theirs':>10}   theirs / ours")
    print(f"{'':>6} {'ns/row':>10} {'ns/row':>10}   best   median")
    for n in ROWS:
        repeats = [max(1, int(ROUND_NS / 4 / (n * ask(n, 1)[0]))) for ask in (ours, theirs)]
        a, b = [], []
        for _ in range(rounds):
            for ask, count, times in ((ours, repeats[0], a), (theirs, repeats[1], b)):
                each, total = ask(n, count)
                times.append(each)
                if ask is ours:
                    ours_total = total
            if abs(total - ours_total) > 1e-9 * (n + abs(total)):
                sys.exit(f"bench_trees.py: the sums differ: {ours_total} and {total}")
        best, median = min(b) / min(a), np.median(np.array(b) / np.array(a))
        verdict = ""
        if n == max(ROWS):
            verdict = f"   (at least {target}: {'ok' if median >= target else 'MISSED'})"
        print(f"{n:6} {min(a):10.1f} {min(b):10.1f}   {best:<6.2f} {median:.2f}{verdict}")


def bench_xgboost(program, folder, rows, rounds):
    try:
        import xgboost as xgb
    except ImportError:
        print("SKIPPED: no xgboost")
        return
    x, y, _ = make_data()
    booster = xgb.train({"max_depth": 6, "eta": 0.1, "nthread": 1}, xgb.DMatrix(x, y), 100)
    model = folder / "model.json"
    booster.save_model(model)
    ours = Child(program, f"xgboost:{model}", rows)
    theirs = Child(program, "--xgboost", model, rows)
    compare("XGBoost: 100 trees of depth 6, 8 inputs; libxgboost " + xgb.__version__,
            ours, theirs, rounds, 1.5)
    ours.close()
    theirs.close()


def bench_sklearn(program, folder, rows, rounds):
    try:
        import sklearn
        from export_sklearn import export, write
        from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
    except ImportError:
        print("SKIPPED: no scikit-learn")
        return
    x, y, asked = make_data()
    for title, model in (
            ("random forest: 100 trees of depth 20", RandomForestRegressor(
                100, max_depth=20, random_state=1, n_jobs=1)),
            ("boosting: 100 trees of depth 3", GradientBoostingRegressor(random_state=1))):
        model.fit(x, y)
        path = folder / "trees.json"
        write(export(model), path)
        ours = Child(program, f"trees:{path}", rows)
        compare(f"{title}, 8 inputs; scikit-learn {sklearn.__version__}",
                ours, in_python(model.predict, asked), rounds, 1)
        ours.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        rows = folder / "rows"
        make_data()[2].astype("<f8").tofile(rows)
        bench_xgboost(options.program, folder, rows, options.rounds)
        bench_sklearn(options.program, folder, rows, options.rounds)


if __name__ == "__main__":
    main()
