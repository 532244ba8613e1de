"""The problems that the engine is measured on: models, rows, hyper-parameters, gold.

Four sets: Diabetes (a neural network), Boston (a random forest), California (boosted
trees) and California with three rows explained together. Of the rows a model never saw,
the five with the largest deviation get gold marginals; the rows for everything else are
spread over the worse half of the others.
"""
import json
import math
import os
import pathlib
import subprocess
import sys

import numpy as np
from scipy.special import ndtr, ndtri

CELLS, BINS = 400, 25
GOLD_JOBS = 5
NU = 0.5
ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("GPA_SHARED", ROOT.parent / "shared"))


class Set:
    """One model with its rows. `groups` and `gold_groups` hold the rows of each job."""

    def __init__(self, name, title, spec, config, x, y, f, eta, kappa, together=1):
        self.name, self.title, self.spec, self.config = name, title, spec, config
        self.x, self.y, self.f = x, y, f
        self.sigma = float((y - f).std())
        self.eta, self.kappa, self.together = eta, kappa, together
        self.a = 5 + together / 2
        self.b = self.a * self.sigma**2 / 10
        self.gold = None

    def choose(self, count, gold=None):
        """The worst jobs (or those of the rows `gold`) are gold; `count` jobs are spread over the worse half of the rest.
        Rows explained together deviate in the same direction and about as much."""
        residual = self.y - self.f - (self.y - self.f).mean()
        worst = np.argsort(-np.abs(residual), kind="stable")
        groups = worst[:, None]
        if self.together > 1:
            up, down = worst[residual[worst] > 0], worst[residual[worst] < 0]
            groups = np.vstack([side[: len(side) // self.together * self.together]
                                .reshape(-1, self.together) for side in (up, down)])
            order = np.argsort(-np.abs(residual[groups]).mean(1), kind="stable")
            groups = groups[order]
        self.gold_groups = groups[:GOLD_JOBS] if gold is None else np.array(gold)[:, None]
        rest = groups[: len(groups) // 2]
        rest = rest[~np.isin(rest, self.gold_groups).any(1)]
        self.groups = rest[np.linspace(0, len(rest) - 1, count).astype(int)]
        return self

    def write_jobs(self, path, groups):
        with open(path, "w", newline="\n", encoding="utf-8") as out:
            out.write(f"model {self.spec}\nconfig {self.config or '-'}\n")
            for rows in groups:
                name = "+".join(map(str, rows))
                out.write(f"job {name} {len(rows)} {self.x.shape[1]} {self.eta:.17g} {NU:.17g} "
                          f"{self.a:.17g} {self.b:.17g} {self.kappa:.17g}\n")
                for r in rows:
                    out.write(" ".join(f"{v:.17g}" for v in [self.y[r], *self.x[r]]) + "\n")
        return path


def read_json(path):
    return json.loads(path.read_text("utf-8"))


def read_csv(path):
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return np.ascontiguousarray(table[:, :-1]), table[:, -1]


def mlp(layers):
    """The network as a NumPy function."""
    weights = [(np.array(layer["W"]), np.array(layer["b"])) for layer in layers]

    def predict(x):
        for w, b in weights[:-1]:
            x = np.maximum(x @ w + b, 0)
        w, b = weights[-1]
        return (x @ w + b)[:, 0]

    return predict


def diabetes(folder):
    """The model of the paper's authors when it is there, else the demo's, whose inputs are
    standardised here so that one unit is one standard deviation."""
    oracle, gold = SHARED / "oracle/diabetes", None
    if oracle.exists():
        path, title = oracle / "model.json", "Diabetes, the authors' network"
        x, y = read_csv(oracle / "test.csv")
        layers = read_json(path)["layers"]
        gold = [o["test_index"] for o in read_json(oracle / "gold.json")["outliers"]]
    else:
        print(f"SKIPPED: no {oracle}: the demo's network stands in for the authors'")
        title, example = "Diabetes, the demo's network", ROOT / "examples/diabetes"
        x, y = read_csv(example / "heldout.csv")
        layers = read_json(example / "model.json")["layers"]
        center, unit = x.mean(0), x.std(0)
        w = np.array(layers[0]["W"])
        layers[0] = {"W": (w * unit[:, None]).tolist(),
                     "b": (np.array(layers[0]["b"]) + center @ w).tolist()}
        x = (x - center) / unit
        path = folder / "demo.json"
        path.write_text(json.dumps({"type": "mlp", "activation": "relu", "layers": layers}))
    predict = mlp(layers)
    name = "demo" if gold is None else "diabetes"
    s = Set(name, title, f"mlp:{path}", None, x, y, predict(x), 0.4, 0.08)
    s.predict = predict
    return s.choose(35, gold)


def trees(folder, plugin, name, title, eta, kappa, count, together=1):
    x, y = read_csv(folder / f"{name}_test.csv")
    f = np.loadtxt(folder / f"{name}_check.txt")
    s = Set(name if together == 1 else f"{name}{together}", title, f"plugin:{plugin}",
            str(folder / f"{name}.trees"), x, y, f, eta, kappa, together)
    return s.choose(count)


def all_sets(folder, plugin):
    sets = [diabetes(folder)]
    if (folder / "boston.json").exists():
        sets.append(trees(folder, plugin, "boston", "Boston, random forest", 0.1, 0.08, 35))
    if (folder / "california.json").exists():
        sets.append(trees(folder, plugin, "california", "California, boosted trees",
                          0.5, 0.1, 40))
        sets.append(trees(folder, plugin, "california", "California, 3 rows together",
                          1.5, 0.1 / 3, 20, 3))
    return sets


def prior_ppf(u, eta):
    """Quantile of one coordinate of the elastic-net prior (|delta| is a normal about -nu cut
    off at 0)."""
    u, s = np.asarray(u, float), math.sqrt(eta)
    tail = (1 - np.abs(2 * u - 1)) * ndtr(-s * NU)
    return np.sign(2 * u - 1) * np.maximum(-ndtri(np.maximum(tail, 1e-300)) / s - NU, 0)


def prior_cdf(x, eta):
    x, s = np.asarray(x, float), math.sqrt(eta)
    tail = 0.5 * ndtr(-s * (np.abs(x) + NU)) / ndtr(-s * NU)
    return np.where(x < 0, tail, 1 - tail)


def bins(cells):
    """Masses of 25 bins from those of 400 cells, last axis."""
    return cells.reshape(*cells.shape[:-1], BINS, CELLS // BINS).sum(-1)


def tv(p, q):
    return 0.5 * np.abs(p - q).sum(-1)


def parse_gold(text, groups, d):
    """{name: (cells (d, 400), rows, evidence)} of what bench/gold.c prints."""
    lines, out = text.splitlines(), {}
    for rows in groups:
        head = lines.pop(0).split()
        cells = np.array([[float(v) for v in lines.pop(0).split()] for _ in range(d)])
        if head[1] != "+".join(map(str, rows)) or cells.shape[1] != CELLS:
            sys.exit(f"gold: an unexpected answer for {rows}")
        out[head[1]] = (cells, float(head[3]), float(head[5]))
    return out


def run_gold(s, folder, program):
    """Two runs at once, seeds 1 and 2, kept in SET_gold.json under the jobs' text. None: there is
    none, and without a program none is made."""
    jobs = s.write_jobs(folder / f"{s.name}_gold_jobs.txt", s.gold_groups)
    cache, text = folder / f"{s.name}_gold.json", jobs.read_text("utf-8")
    if cache.exists():
        kept = read_json(cache)
        if kept["jobs"] == text:
            return kept
    if program is None:
        return None
    runs = [subprocess.Popen([program, jobs, str(seed)], stdout=subprocess.PIPE, text=True)
            for seed in (1, 2)]
    answers = [r.communicate()[0] for r in runs]
    if any(r.returncode for r in runs):
        sys.exit(f"gold: failed on {s.name}")
    a, b = (parse_gold(t, s.gold_groups, s.x.shape[1]) for t in answers)
    kept = {"jobs": text,
            "rows": sum(v[1] for v in a.values()) + sum(v[1] for v in b.values()),
            "cells": {k: [np.round(v[0], 9).tolist() for v in (a[k], b[k])] for k in a},
            "evidence": {k: [a[k][2], b[k][2]] for k in a}}
    cache.write_text(json.dumps(kept))
    return kept


def load_gold(s, folder, program):
    """Sets s.gold {name: cells} and s.gold_noise, the TV between two runs, per input; whether
    there is gold, which without a program is not made.

    The authors' Diabetes rows come with a gold of their own, made by another sampler."""
    oracle = SHARED / "oracle/diabetes/gold.json"
    if s.name == "diabetes" and oracle.exists():
        gold = read_json(oracle)["outliers"]
        s.gold = {str(o["test_index"]): np.array([v["mass_400"] for v in o["features"]])
                  for o in gold}
        s.gold_noise = np.array([v["tv_25bins_A_vs_B"] for o in gold for v in o["features"]])
        s.gold_rows = float(sum(o["n_draws_run_A"] + o["n_draws_run_B"] for o in gold))
        return True
    kept = run_gold(s, folder, program)
    if kept is None:
        return False
    s.gold_rows = kept["rows"]
    pairs = {k: np.array(v) for k, v in kept["cells"].items()}
    s.gold = {k: v.mean(0) for k, v in pairs.items()}
    s.gold_noise = np.concatenate([tv(bins(v[0]), bins(v[1])) for v in pairs.values()])
    return True
