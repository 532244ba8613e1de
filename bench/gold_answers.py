#!/usr/bin/env python3
"""Whole answers about five outliers of a model, against their gold distributions.

    python3 bench/gold_answers.py build/gpa [--set NAME] [--seeds N] [--first SEED] [any option of gpa explain]

Sets: diabetes, and boston (forest) and california (boosted trees), whose gold bench_engine.py
leaves in BUILD/bench; a set without gold is skipped. Prints the rows and calls of the whole answer, and of each input's distribution the total
variation from gold (25 bins of equal prior probability), the true mass inside its 90 % interval
and the error of P(delta > 0). The gold is found through GPA_SHARED (default: ../shared).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

import numpy as np

import sets

SHARED = pathlib.Path(os.environ.get("GPA_SHARED", "../shared")) / "oracle/diabetes"
PER_BIN = 16  # of the gold's 400 cells


TARGETS = {  # rows: mean, most; calls; total variation: median, worst; P(delta > 0)
    "diabetes": (680, 760, 18, 0.015, 0.06, 0.08),
    "boston": (1000, 1000, None, 0.03, 0.12, 0.08),
    "california": (1000, 1000, None, 0.03, 0.12, 0.08),
}


def diabetes():
    """The options of each outlier, its file, its inputs' masses in 400 cells; their edges."""
    gold = json.loads((SHARED / "gold.json").read_text())
    cases = []
    for outlier in gold["outliers"]:
        options = ["--model", f"mlp:{SHARED}/model.json", "--rows", outlier["test_index"]]
        for name in ("eta", "nu", "a0", "b0"):
            options += [f"--{name}", outlier["params"][name]]
        cases.append((options, SHARED / "test.csv",
                      [np.array(f["mass_400"]) for f in outlier["features"]]))
    return cases, np.array(gold["cell_edges_delta_inner"])


def trees(name, folder):
    """The same of a set of bench_engine.py."""
    plugin = folder / "trees_plugin.so"
    s = next((s for s in sets.all_sets(folder, plugin) if s.name == name), None)
    if s is None or not (folder / f"{name}_gold.json").exists():
        return [], None
    sets.load_gold(s, folder, folder / "gold")
    cases = []
    for row, cells in s.gold.items():
        options = ["--model", s.spec, "--model-config", s.config, "--rows", row, "--eta", s.eta,
                   "--nu", sets.NU, "--a0", s.a, "--b0", s.b]
        cases.append((options, folder / f"{name}_test.csv", list(cells)))
    return cases, sets.prior_ppf(np.arange(1, sets.CELLS) / sets.CELLS, s.eta)


def answer(gpa, options, file, seed, more):
    command = [gpa, "explain", "--scale", "none", "--kind", "all=number", "--noise", "constant",
               "--marginals", "surrogate", *options, "--seed", seed, "--json", *more, file]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)["explanations"][0]


def below(marginal, x):
    """The probability below each x of a density that is straight between its points."""
    at, q = np.array(marginal["grid"]), np.array(marginal["density"])
    total = np.r_[0, np.cumsum((q[1:] + q[:-1]) / 2 * np.diff(at))]
    j = np.clip(np.searchsorted(at, x) - 1, 0, len(at) - 2)
    width = at[j + 1] - at[j]
    s = np.clip((x - at[j]) / width, 0, 1)
    return (total[j] + (q[j] * s + (q[j + 1] - q[j]) * s * s / 2) * width) / total[-1]


def compare(marginal, mass, edges):
    """Total variation, cover and error of P(delta > 0)."""
    inner = below(marginal, edges[PER_BIN - 1::PER_BIN])
    bins = np.diff(np.r_[0, inner, 1])
    ends, sums = np.r_[-9e9, edges, 9e9], np.r_[0, np.cumsum(mass)]
    low, high = np.interp(marginal["interval90"], ends, sums)
    positive = 1 - np.interp(0, ends, sums)
    return (np.abs(bins - mass.reshape(-1, PER_BIN).sum(1)).sum() / 2, high - low,
            abs(marginal["p_positive"] - positive)), bins


def say(figure, target, good):
    print(f"  {figure:<66} {target:<14} {'ok' if good else 'MISSED'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gpa", type=pathlib.Path)
    parser.add_argument("--set", choices=TARGETS, default="diabetes")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--first", type=int, default=1)
    args, more = parser.parse_known_args()
    folder = args.gpa.resolve().parent / "bench"
    if args.set == "diabetes":
        cases, edges = diabetes() if SHARED.exists() else ([], None)
    else:
        cases, edges = trees(args.set, folder)
    if not cases:
        print(f"SKIPPED: no gold of {args.set}: its whole answers are NOT measured")
        return
    rows, calls, figures, apart, unknown = [], [], [], [], 0
    for options, file, gold in cases:
        before = None
        for seed in range(args.first, args.first + args.seeds):
            e = answer(args.gpa, options, file, seed, more)
            rows.append(e["model_rows"])
            calls.append(e["model_calls"])
            if e["marginals"][0]["density"] is None:
                unknown += 1
                continue
            pairs = [compare(m, g, edges) for m, g in zip(e["marginals"], gold)]
            figures += [p[0] for p in pairs]
            now = np.array([p[1] for p in pairs])
            if before is not None:
                apart += list(np.abs(now - before).sum(1) / 2)
            before = now
    if not figures:
        print(f"MISSED: {args.set}: none of its distributions is known")
        return
    mean, most, most_calls, median, worst, sign = TARGETS[args.set]
    variation, cover, positive = np.array(figures).T
    seeds = np.median(apart or [np.nan])
    print(f"Whole answers through the surrogate, {args.set}: {len(cases)} outliers, "
          f"{args.seeds} seeds; distributions not known: {unknown}")
    say(f"model rows: mean {np.mean(rows):.0f}, most {max(rows)}", f"<= {mean} / {most}",
        np.mean(rows) <= mean and max(rows) <= most)
    if most_calls:
        say(f"calls: {min(calls)} to {max(calls)}", f"<= {most_calls}", max(calls) <= most_calls)
    say(f"total variation from gold: median {np.median(variation):.4f}, worst "
        f"{variation.max():.4f}", f"<= {median} / {worst}",
        np.median(variation) <= median and variation.max() <= worst)
    say(f"between two seeds, median: {seeds:.4f}", "<= 0.02", not seeds > 0.02)
    say(f"true mass inside 90 %: median {np.median(cover):.3f}, {cover.min():.3f} to "
        f"{cover.max():.3f}", ".88-.92 / .85",
        0.88 <= np.median(cover) <= 0.92 and cover.min() >= 0.85)
    say(f"P(delta > 0) off by at most {positive.max():.3f}", f"<= {sign}", positive.max() <= sign)


if __name__ == "__main__":
    main()
