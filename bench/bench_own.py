#!/usr/bin/env python3
"""What an explanation costs beyond the model, and beside what people use today.

    python3 bench/bench_own.py BUILD [--times N]

Processor time of one thread, ten inputs, 200 rows to judge by. A fixed piece of arithmetic after
each explanation says how fast the processor was, so that two runs can be compared: beside what was
measured stands what it would be where that piece takes QUIET seconds. The peers answer about the same
function and rows in NumPy: the published algorithm, and scikit-learn's permutation importance, of the whole
table as it is used, and of the explained row alone (its inputs replaced by those of 24 other rows).
"""
import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

ROWS, INPUTS = 200, 10
TABLE = 300_000  # rows to read, score and choose from
QUIET = 39e-6  # seconds of the fixed piece on a core of an EPYC server with nobody beside it


def aim(name, value, at_quiet, unit, target, most=True):
    """A figure as measured, at the speed of QUIET, and beside its target."""
    good = value <= target if most else value >= target
    print(f"  {name:<44} {value:9.3g} {at_quiet:9.3g} {unit:<8} "
          f"{'<=' if most else '>='} {target:<6g} "
          f"{'ok' if good else f'MISSED {max(value / target, target / value):.1f}x'}", flush=True)


def head(title):
    print(f"{title:<46} {'measured':>9} {'at 1.00':>9} {'':<8} target")


def own_times(program, times, *way):
    """By way: seconds of the library and of the model, rows; seconds of the fixed piece."""
    lines = subprocess.run([program, str(times), *way], check=True, stdout=subprocess.PIPE,
                           text=True).stdout.splitlines()
    return {line.split()[0]: [float(v) for v in line.split()[1:]] for line in lines}


def model(x):
    """The function of bench_own.c."""
    k = np.arange(INPUTS)
    return (0.5 * x[:, 0] * x[:, 1]
            + (np.where(k % 2 == 0, 1, -0.6) * np.sqrt(1 + x**2 * (1 + k)) + 0.4 * x).sum(1))


def published(x, y, sigma, eta=0.1, nu=0.5, kappa=0.1, a0=5.5, cb=10, draws=10, most=100):
    """The MAP and the conditional distributions of the published algorithm; rows asked."""
    rng, b = np.random.default_rng(1), a0 * sigma**2 / cb
    h, delta = rng.normal(size=draws), rng.normal(size=INPUTS) * 1e-8
    asked, before = 0, np.inf
    for _ in range(most):
        moved = np.repeat((x + delta)[None], 1 + INPUTS * draws, 0)
        moved[1:].reshape(INPUTS, draws, INPUTS)[np.arange(INPUTS), :, np.arange(INPUTS)] += h
        f = model(moved)
        asked += len(moved)
        slope = ((f[1:].reshape(INPUTS, draws) - f[0]) / h).mean(1)
        r = y - f[0]
        step = delta + kappa * ((a0 + 0.5) * r * slope / (b + r * r / 2) - eta * delta)
        new = np.sign(step) * np.maximum(np.abs(step) - kappa * eta * nu, 0)
        value = (a0 + 0.5) * np.log1p(r * r / 2 / b) + eta / 2 * new @ new
        still = np.abs(new - delta).max() <= 1e-3 * max(np.abs(new).max(), 1e-12)
        still = still and abs(value - before) <= 1e-3 * abs(before)
        delta, before, kappa = new, value, 0.9 * kappa
        if still:
            break
    grid = np.linspace(-1, 1, 100) * 1.15 * max(np.abs(delta).max(), 1e-9)
    places = np.repeat((x + delta)[None], INPUTS * 100, 0).reshape(INPUTS, 100, INPUTS)
    places[np.arange(INPUTS), :, np.arange(INPUTS)] = x[:, None] + grid
    f = model(places.reshape(-1, INPUTS)).reshape(INPUTS, 100)
    log_q = -(a0 + 0.5) * np.log1p((y - f) ** 2 / 2 / b) - eta / 2 * grid**2 - eta * nu * abs(grid)
    q = np.exp(log_q - log_q.max(1, keepdims=True))
    return q / q.sum(1, keepdims=True), asked + places.shape[0] * 100


def first_row(estimator, x, y):
    """A score for permutation importance that is about the first row alone."""
    return -float((y[0] - estimator.predict(x[:1])[0]) ** 2)


def permutation(x, y, repeats, scoring):
    """Rows asked by scikit-learn's permutation importance."""
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.inspection import permutation_importance
    asked = [0]

    class Model(RegressorMixin, BaseEstimator):
        def fit(self, *_):
            return self

        def predict(self, rows):
            asked[0] += len(rows)
            return model(rows)
    permutation_importance(Model().fit(), x, y, n_repeats=repeats, random_state=1,
                           scoring=scoring)
    return asked[0]


def seconds(function, times=5):
    """The least processor time of some calls, and what the last gave."""
    least = np.inf
    for _ in range(times):
        start = time.process_time()
        answer = function()
        least = min(least, time.process_time() - start)
    return least, answer


def peers(own):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(ROWS, INPUTS))
    y = model(x) + 0.5 * rng.normal(size=ROWS)
    sigma = float((y - model(x)).std())
    numpy_time, (_, numpy_rows) = seconds(lambda: published(x[0], y[0] + 4, sigma))
    table = [("published algorithm, NumPy (MAP and conditionals)", numpy_rows, numpy_time)]
    try:
        for name, repeats, scoring in (("whole table", 5, "neg_mean_squared_error"),
                                       ("same row, 24 values each", 24, first_row)):
            spent, rows = seconds(lambda: permutation(x, y, repeats, scoring))
            table.append((f"permutation importance, scikit-learn ({name})", rows, spent))
    except ImportError:
        print("  SKIPPED: no scikit-learn: permutation importance is NOT measured")
    for name, key in (("gpa, default for models in this process", "exact"),
                      ("gpa, default for models outside of it", "surrogate"),
                      ("gpa, who and how far (--marginals none)", "culprits"),
                      ("gpa, most probable change alone", "map")):
        table.append((name, own[key][2], own[key][0] + own[key][1]))
    print("\nOne answer beside what people use today")
    print(f"  {'':<64} {'rows':>8} {'ms':>8}   and with a model of 1 ms a row: s")
    for name, rows, spent in table:
        print(f"  {name:<64} {rows:8.0f} {1e3 * spent:8.2f}   {spent + 1e-3 * rows:8.2f}")


def reading(gpa, program, rounds=7):
    """Rows a second from a CSV file to the chosen row, in the fastest of some rounds; and at the speed
    of QUIET, in their median: the fixed piece just before and just after says how fast the processor
    was."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(TABLE, INPUTS))
    rates, quiet = [], []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        names = [f"x{k}" for k in range(INPUTS)]
        (folder / "model.json").write_text(
            '{"type":"linear","w":[' + ",".join(["0.5"] * INPUTS) + '],"b":1}')
        np.savetxt(folder / "rows.csv", np.c_[x, x.sum(1) / 2 + 1 + rng.normal(size=TABLE)],
                   delimiter=",", fmt="%.6g", header=",".join([*names, "y"]), comments="")
        for _ in range(rounds):
            fixed = own_times(program, 20, "fixed")["fixed"][3]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([gpa, "explain", "--model", folder / "model.json", "--top", "1",
                                   "--marginals", "none", "--culprit", "off", "--threads", "1",
                                   folder / "rows.csv"], capture_output=True, text=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode != 0:
                sys.exit(f"bench_own.py: {done.stderr}")
            fixed = (fixed + own_times(program, 20, "fixed")["fixed"][3]) / 2
            rates.append(TABLE / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
            quiet.append(rates[-1] * fixed / QUIET)
    return max(rates), float(np.median(quiet))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--times", type=int, default=5)
    args = parser.parse_args()
    program = args.build / "bench/bench_own"
    own = own_times(program, args.times)
    quiet = {key: 1e3 * v[0] * QUIET / v[3] for key, v in own.items()}
    here = {key: 1e3 * v[0] for key, v in own.items()}
    slow = [v[3] / QUIET for v in own.values()]
    print(f"Processor time; the processor was at {1 / max(slow):.2f} to {1 / min(slow):.2f} "
          "of its quiet speed (1.00)\n")
    head("The library itself, one explanation")
    for name, key, less, target in (
            ("search for the most probable change", "map", None, 0.10),
            ("culprits", "culprits", "map", 1),
            ("exact distributions, 4096 rows", "draws", "map", 1.5),
            ("surrogate's distributions", "surrogate", "culprits", 40), ("its JSON", "json", None, 0.2)):
        aim(name, *(t[key] - (t[less] if less else 0) for t in (here, quiet)), "ms", target)
    rates = reading(args.build / "gpa", program)
    aim("rows of CSV read, scored and chosen from", *(r / 1e6 for r in rates), "M rows/s", 1, most=False)
    print()
    head("Answers a second and core, 1 us a row")
    for name, key, target in (("default (exact)", "exact", 150), ("--marginals none", "culprits", 800),
                              ("--all --marginals none", "all", 800),
                              ("most probable change alone", "map", 4000)):
        aim(name, *(1 / (1e-3 * t[key] + 1e-6 * own[key][2]) for t in (here, quiet)), "/s", target,
            most=False)
    peers(own)


if __name__ == "__main__":
    main()
