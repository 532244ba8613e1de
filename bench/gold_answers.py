#!/usr/bin/env python3
"""Whole answers about the five Diabetes outliers, against their gold distributions.

    python3 bench/gold_answers.py build/gpa [--seeds N] [any option of gpa explain]

Prints the rows and calls of the whole answer, and of each input's distribution the total
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

SHARED = pathlib.Path(os.environ.get("GPA_SHARED", "../shared")) / "oracle/diabetes"
PER_BIN = 16  # of the gold's 400 cells


def answer(gpa, outlier, seed, more):
    p = outlier["params"]
    command = [gpa, "explain", "--model", f"mlp:{SHARED}/model.json", "--scale", "none",
               "--kind", "all=number", "--noise", "constant", "--marginals", "surrogate",
               "--rows", outlier["test_index"], "--seed", seed, "--json", *more]
    for name in ("eta", "nu", "a0", "b0"):
        command += [f"--{name}", p[name]]
    done = subprocess.run([*map(str, command), str(SHARED / "test.csv")], capture_output=True,
                          text=True, check=False)
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


def compare(marginal, gold, edges):
    """Total variation, cover and error of P(delta > 0)."""
    mass = np.array(gold["mass_400"])
    inner = below(marginal, edges[PER_BIN - 1::PER_BIN])
    bins = np.diff(np.r_[0, inner, 1])
    ends, sums = np.r_[-9, edges, 9], np.r_[0, np.cumsum(mass)]
    low, high = np.interp(marginal["interval90"], ends, sums)
    positive = 1 - np.interp(0, ends, sums)
    return (np.abs(bins - mass.reshape(-1, PER_BIN).sum(1)).sum() / 2, high - low,
            abs(marginal["p_positive"] - positive)), bins


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gpa")
    parser.add_argument("--seeds", type=int, default=6)
    args, more = parser.parse_known_args()
    gold = json.loads((SHARED / "gold.json").read_text())
    edges = np.array(gold["cell_edges_delta_inner"])
    rows, calls, figures, apart = [], [], [], []
    for outlier in gold["outliers"]:
        before = None
        for seed in range(1, args.seeds + 1):
            e = answer(args.gpa, outlier, seed, more)
            rows.append(e["model_rows"])
            calls.append(e["model_calls"])
            pairs = [compare(m, g, edges) for m, g in zip(e["marginals"], outlier["features"])]
            figures += [p[0] for p in pairs]
            now = np.array([p[1] for p in pairs])
            if before is not None:
                apart += list(np.abs(now - before).sum(1) / 2)
            before = now
    variation, cover, positive = np.array(figures).T
    print(f"rows of the whole answer: mean {np.mean(rows):.0f}, most {max(rows)}; "
          f"calls {min(calls)} to {max(calls)}")
    print(f"total variation from gold: median {np.median(variation):.4f}, "
          f"worst {variation.max():.4f}; between seeds {np.median(apart or [np.nan]):.4f}")
    print(f"true mass inside 90 %: median {np.median(cover):.3f}, {cover.min():.3f} to "
          f"{cover.max():.3f}; P(delta > 0) off by at most {positive.max():.3f}")


if __name__ == "__main__":
    main()
