#!/usr/bin/env python3
"""Measures ig, eig and sv: time against NumPy, rows, distance from converged values.

    python3 bench/bench_methods.py build/bench [--quick]

The folder holds the programs bench_methods and trees_plugin.so and takes what is made. The
tree models and their rows come from bench_engine.py; without them they are left out.

Times: NumPy does what the published program does, the library the same thing or, by default,
the same integral with fewer rows; in turns, one thread each, medians. Errors: the relative
distance from the double integral over the path and over h ~ N(0, 1), which a fine trapezoid
with many slope nodes gives; `of the converged` is how far a coarser one is from it.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"  # before NumPy is loaded; the library inherits it
import numpy as np  # noqa: E402

import sets  # noqa: E402

REFERENCE = 354  # rows, as published
INTERVALS, H = 100, 10  # of the published path, and perturbations per slope
PIECE = 1000  # rows NumPy is fastest with
TARGET = {"sv": 100, "eig published": 5, "eig default": 25}
PUBLISHED_ROWS = {"ig": 20_600, "eig": 7_221_800, "sv": 2_000}  # sv: of 100 configurations


class Methods:
    """bench_methods as a child that answers."""

    def __init__(self, program, spec, config, rows, reference):
        self.child = subprocess.Popen([program, spec, config or "-", rows, reference],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        self.child.stdin.write(" ".join(map(str, words)) + "\n")
        self.child.stdin.flush()
        line = self.child.stdout.readline()
        if not line:
            sys.exit("bench_methods.py: bench_methods gave no answer")
        return line

    def rule(self, rule, intervals=0, nodes=0, rows=0):
        self.ask("rule", rule, intervals, nodes, rows)

    def run(self, method, row, configurations=0, repeats=1):
        """Seconds, rows, calls, scores."""
        v = [float(w) for w in self.ask("run", method, row, configurations, repeats).split()]
        return v[0], int(v[1]), int(v[2]), np.array(v[3:])

    def close(self):
        self.child.stdin.close()
        if self.child.wait() != 0:
            sys.exit("bench_methods.py: bench_methods failed")


def aim(figure, text="", good=None):
    """A figure with its target beside it, aligned."""
    judged = "" if good is None else "ok" if good else "MISSED"
    print(f"  {figure:<84} {text:<12} {judged}".rstrip(), flush=True)


# ------------------------------------------------------------------ as published, in NumPy
def loop_sv(predict, x, reference, rows, orders):
    """One row per prediction, two for every input of every configuration."""
    score, asked = np.zeros(len(x)), 0
    for r, order in zip(rows, orders):
        for place, k in enumerate(order):
            z = reference[r].copy()
            z[order[:place]] = x[order[:place]]
            without = predict(z[None, :])[0]
            z[k] = x[k]
            score[k] += predict(z[None, :])[0] - without
            asked += 2
    return score / len(rows), asked


def vector_eig(predict, x, reference, h, piece):
    """All rows of an input at once, f on the path again for every input and h, and the
    ends of the paths again; evaluated in pieces (0: as a whole)."""
    alpha = np.linspace(0, 1, INTERVALS + 1)
    middle = (reference[:, None, :] + alpha[None, :, None] * (x - reference)[:, None, :])
    middle = middle.reshape(-1, len(x))
    score, asked = np.empty(len(x)), 0

    def ask(z):
        if piece == 0:
            return predict(z)
        out = np.empty(len(z))
        for i in range(0, len(z), piece):
            out[i:i + piece] = predict(z[i:i + piece])
        return out

    def slope(points, k):
        nonlocal asked
        z = np.repeat(points, len(h), 0)
        before = ask(z)
        step = np.tile(h, len(points))
        z[:, k] += step
        asked += 2 * len(z)
        return ((ask(z) - before) / step).reshape(-1, len(h)).mean(1)

    for k in range(len(x)):
        begin, end = slope(reference, k), slope(x[None, :], k)
        inside = slope(middle, k).reshape(len(reference), -1)
        path = (inside[:, 1:-1].sum(1) + 0.5 * (begin + end)) / INTERVALS
        score[k] = ((x[k] - reference[:, k]) * path).mean()
    return score, asked


def clock(function, *args):
    start = time.perf_counter()
    out = function(*args)
    return time.perf_counter() - start, out


# ------------------------------------------------------------------ what is measured
def write_csv(path, x, y):
    names = [f"x{k}" for k in range(x.shape[1])] + ["y"]
    np.savetxt(path, np.column_stack([x, y]), fmt="%.17g", delimiter=",",
               header=",".join(names), comments="")
    return path


def write_numbers(path, numbers):
    path.write_text("".join(f"{v:.17g}\n" for v in numbers))
    return path


def reference_rows(s):
    """The rows that the authors' network was trained on, else held-out rows again."""
    path = sets.SHARED / "oracle/diabetes/train.csv"
    if s.name == "diabetes" and path.exists():
        return sets.read_csv(path)
    print(f"SKIPPED: no {path}: held-out rows, drawn {REFERENCE} times, stand in")
    i = np.random.default_rng(1).integers(len(s.y), size=REFERENCE)
    return s.x[i], s.y[i]


def same(ours, theirs, what):
    off = np.abs(ours - theirs).max()
    if off > 1e-9 * (1 + np.abs(theirs).max()):
        sys.exit(f"bench_methods.py: {what}: the scores differ by {off:g}")


def time_sv(methods, s, reference, folder, row, rounds):
    rng = np.random.default_rng(1)
    rows = rng.integers(len(reference), size=REFERENCE)
    orders = np.array([rng.permutation(s.x.shape[1]) for _ in rows])
    methods.ask("draws", write_numbers(folder / "draws.txt", [len(rows), *rows, *orders.ravel()]))
    ratios, ours, theirs = [], [], []
    for _ in range(rounds):
        a = methods.run("sv", row, len(rows), 20)
        seconds, (score, asked) = clock(loop_sv, s.predict, s.x[row], reference, rows, orders)
        same(a[3], score, "sv")
        ours.append(a[0])
        theirs.append(seconds)
        ratios.append(seconds / a[0])
    ratio = np.median(ratios)
    aim(f"sv, {len(rows)} configurations: {1e3 * np.median(theirs):.1f} ms and {asked} rows in "
        f"NumPy, {1e3 * np.median(ours):.3f} ms and {a[1]} rows: {ratio:.0f} times",
        f">= {TARGET['sv']}", ratio >= TARGET["sv"])


def time_eig(methods, s, reference, h, row, rounds):
    """NumPy as published (a call holds all rows of an input) and in pieces; the faster one
    counts."""
    figures = {}
    for _ in range(rounds):
        methods.rule("trapezoid")
        a = methods.run("eig", row)
        for piece in (0, PIECE):
            seconds, (score, asked) = clock(vector_eig, s.predict, s.x[row], reference, h, piece)
            same(a[3], score, "eig")
            figures.setdefault(f"NumPy {piece}", []).append(seconds)
        figures.setdefault("published", []).append(a[0])
        methods.ask("slopes", "-")
        methods.rule("auto")
        b = methods.run("eig", row, repeats=5)
        methods.ask("slopes", methods.slopes)
        figures.setdefault("default", []).append(b[0])
    whole, pieces = figures["NumPy 0"], figures[f"NumPy {PIECE}"]
    aim(f"eig, {len(reference)} reference rows, NumPy: {asked} rows, "
        f"{np.median(whole):.2f} s; in pieces of {PIECE} {np.median(pieces):.2f} s")
    best = np.minimum(whole, pieces)
    for name, answer in (("published", a), ("default", b)):
        ratio, target = np.median(best / np.array(figures[name])), TARGET["eig " + name]
        aim(f"eig, {name} quadrature: {answer[1]} rows, "
            f"{1e3 * np.median(figures[name]):.1f} ms: {ratio:.0f} times", f">= {target}",
            ratio >= target)


def distance(score, gold):
    return float(np.linalg.norm(score - gold) / np.linalg.norm(gold))


def error_table(title, methods, rows, eig_rows, converged):
    """Relative distance from the double integral over the path and h ~ N(0, 1)."""
    print(f"\n  {title}: relative distance from the converged value, median/worst of {len(rows)}")
    print(f"  {'':<10} {'published rule':>22} {'trapezoid, 4 nodes':>22} {'default':>22} "
          f"{'of the converged':>18}")
    for method in ("ig", "eig"):
        intervals, nodes = converged[method]
        off = {}
        for row in rows:
            methods.ask("slopes", "-")
            methods.rule("trapezoid", intervals, nodes, eig_rows)
            gold = methods.run(method, row)[3]
            if row == rows[0]:
                methods.rule("trapezoid", intervals * 2 // 3, nodes // 2, eig_rows)
                off["gold"] = distance(methods.run(method, row)[3], gold)
            for name, rule, slopes in (("published", "trapezoid", True),
                                       ("nodes", "trapezoid", False), ("default", "auto", False)):
                methods.ask("slopes", methods.slopes if slopes else "-")
                methods.rule(rule, 0, 0, eig_rows)
                answer = methods.run(method, row)
                off.setdefault(name, []).append(distance(answer[3], gold))
                off[name + " rows"] = answer[1]
        cells = [f"{np.median(off[n]):.4f}/{max(off[n]):.4f} {off[n + ' rows']:>8}"
                 for n in ("published", "nodes", "default")]
        print(f"  {method:<10} {cells[0]:>22} {cells[1]:>22} {cells[2]:>22} "
              f"{off['gold']:18.4f}")
        better = max(d / p for d, p in zip(off["default"], off["published"]))
        aim(f"{method}: default error over published error, worst row: {better:.2f}", "<= 1",
            better <= 1)


def rows_table(methods, row):
    print("\n  Model rows and calls by default, one row explained")
    methods.ask("slopes", "-")
    methods.rule("auto")
    for method in ("gpa", "lc", "lime", "baylime", "ig", "eig", "sv", "z"):
        seconds, rows, calls, _ = methods.run(method, row)
        published = f"{PUBLISHED_ROWS[method]} published" if method in PUBLISHED_ROWS else ""
        aim(f"{method:<8} {rows:>8} rows {calls:>5} calls {1e3 * seconds:9.2f} ms   {published}")


def diabetes(s, folder, rounds):
    reference, y = reference_rows(s)
    methods = Methods(folder / "bench_methods", s.spec, s.config,
                      write_csv(folder / "methods_rows.csv", s.x, s.y),
                      write_csv(folder / "methods_reference.csv", reference, y))
    h = np.random.default_rng(0).normal(size=H)
    methods.slopes = write_numbers(folder / "methods_slopes.txt", h)
    rows = s.gold_groups[:, 0]
    print(f"{s.title}, {len(reference)} reference rows, one thread each")
    methods.ask("slopes", methods.slopes)
    time_sv(methods, s, reference, folder, rows[0], rounds)
    time_eig(methods, s, reference, h, rows[0], rounds)
    rows_table(methods, rows[0])
    error_table(s.title, methods, rows, 0, {"ig": (600, 200), "eig": (60, 64)})
    methods.close()


def trees(s, folder):
    """Steps instead of slopes: the hardest there is for a quadrature. 100 reference rows."""
    train = folder / f"{s.name}_train.csv"
    if not train.exists():
        return
    methods = Methods(folder / "bench_methods", s.spec, s.config,
                      write_csv(folder / "methods_rows.csv", s.x, s.y), train)
    methods.slopes = folder / "methods_slopes.txt"
    error_table(s.title, methods, s.gold_groups[:, 0], 100, {"ig": (1500, 400), "eig": (60, 60)})
    methods.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, no trees")
    args = parser.parse_args()
    folder = args.folder.resolve()
    everything = sets.all_sets(folder, folder / "trees_plugin.so")
    diabetes(everything[0], folder, 1 if args.quick else 5)
    for s in everything[1:]:
        if s.together == 1 and not args.quick:
            trees(s, folder)


if __name__ == "__main__":
    main()
