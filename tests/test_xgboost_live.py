#!/usr/bin/env python3
"""test_xgboost_live.py ROOT BUILD: fresh random models against the XGBoost that is here.

Every prediction through gpa must be the library's 32-bit float, bit for bit. Skipped,
loudly, without xgboost; tests/test_xgboost.c compares with stored predictions.
"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
try:
    import numpy as np
    import xgboost as xgb
except ImportError as problem:
    print(f"SKIP: {problem}: fresh XGBoost models are NOT checked")
    sys.exit(77)

ROOT, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(ROOT / "tests/data/xgboost"))
sys.dont_write_bytecode = True
import make  # noqa: E402

ROUNDS = 24
OBJECTIVES = ["reg:squarederror", "reg:pseudohubererror", "reg:logistic", "reg:gamma",
              "binary:logistic", "binary:logitraw", "count:poisson", "reg:tweedie",
              "reg:squaredlogerror"]


def draw(rng, number):
    """Parameters, rounds and whether the last of four inputs is categorical."""
    parameters = {
        "objective": OBJECTIVES[number % len(OBJECTIVES)],
        "max_depth": int(rng.integers(1, 14)),
        "eta": float(rng.uniform(0.05, 1)),
        "min_child_weight": float(rng.choice([0, 1, 5])),
        "num_parallel_tree": int(rng.choice([1, 1, 4])),
        "subsample": float(rng.choice([0.5, 1])),
        "base_score": float(rng.uniform(0.1, 0.9)),
        "booster": ["gbtree", "gbtree", "dart", "gblinear"][number % 4],
        "nthread": 1,
        "seed": number,
    }
    if parameters["booster"] == "dart":
        parameters["rate_drop"] = 0.3
    categorical = number % 4 == 1
    if categorical:
        parameters.update(tree_method="hist",
                          max_cat_to_onehot=int(rng.choice([1, 100])))
    if parameters["booster"] == "gblinear":
        for key in ("max_depth", "num_parallel_tree", "subsample", "min_child_weight"):
            del parameters[key]
    return parameters, int(rng.integers(1, 30)), categorical


def asked(path, rows, folder):
    with open(folder / "rows.csv", "w", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(["a", "b", "c", "d", "y"])
        for row in rows:
            writer.writerow(["" if np.isnan(v) else repr(float(v)) for v in row] + [0])
    done = subprocess.run(
        [str(BUILD / "gpa"), "score", "--json", "--model", f"xgboost:{path}",
         "--target", "y", str(folder / "rows.csv")], capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"gpa score: exit {done.returncode}: {done.stderr}")
    found = {row["row"]: row["f"] for row in json.loads(done.stdout)["rows"]}
    return np.array([found[i] for i in range(len(rows))])


def check(number, folder):
    rng = np.random.default_rng(number)
    parameters, rounds, categorical = draw(rng, number)
    kind = "partition" if categorical else "gbtree"
    x = make.training_rows(kind, rng)
    y = make.outcome(parameters["objective"].split(":")[1], x, rng)
    if parameters["objective"] in ("reg:gamma", "reg:tweedie", "reg:squaredlogerror"):
        y = np.exp(np.clip(y, -2, 2))
    booster = xgb.train(parameters, make.matrix(kind, x, y, names=False), rounds)
    rows = np.vstack([make.test_rows(kind, booster, rng) for _ in range(8)])
    want = booster.predict(make.matrix(kind, rows, names=False))
    for form in ("json", "ubj"):
        path = folder / f"model.{form}"
        booster.save_model(path)
        got = asked(path, rows, folder)
        different = np.sum(got != want.astype(np.float64))
        if different > 0:
            sys.exit(f"{parameters}, {rounds} rounds, {form}: {different} of {len(rows)} "
                     "predictions differ")
    print(f"{number}: {parameters['booster']} {parameters['objective']}, {rounds} rounds"
          f"{', categorical' if categorical else ''}: {len(rows)} rows equal")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(ROUNDS):
            check(number, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
