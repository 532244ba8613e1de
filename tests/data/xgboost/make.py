#!/usr/bin/env python3
"""Makes the models and predictions that tests/test_xgboost.c compares with.

    python3 tests/data/xgboost/make.py [FOLDER]

Needs python3-xgboost. For each model there are NAME.json or NAME.ubj or both, as
written by the library, and NAME.rows: rows of little-endian doubles, the inputs and then
the library's prediction, which is a 32-bit float. Inputs are random numbers, the very
thresholds of the trees and their neighbours, and missing values (NaN).
"""
import json
import pathlib
import sys

import numpy as np
import xgboost as xgb

INPUTS = 4
ROWS = 32

# name: (parameters, rounds, forms)
MODELS = {
    "gbtree": ({"max_depth": 3, "objective": "reg:squarederror"}, 4, "json ubj"),
    "dart": ({"booster": "dart", "rate_drop": 0.5, "max_depth": 2}, 4, "json ubj"),
    "forest": ({"num_parallel_tree": 3, "subsample": 0.6, "max_depth": 2,
                "base_score": 1.25}, 2, "json"),
    "deep": ({"max_depth": 11, "min_child_weight": 0, "gamma": 0, "eta": 1}, 1, "ubj"),
    "gblinear": ({"booster": "gblinear", "objective": "reg:squarederror"}, 3, "json ubj"),
    "onehot": ({"tree_method": "hist", "max_depth": 3, "max_cat_to_onehot": 50}, 2, "ubj"),
    "partition": ({"tree_method": "hist", "max_depth": 3, "max_cat_to_onehot": 1}, 2, "json ubj"),
    "logistic": ({"objective": "binary:logistic", "max_depth": 2}, 3, "json"),
    "reg_logistic": ({"objective": "reg:logistic", "base_score": 0.3, "max_depth": 2}, 2,
                     "json"),
    "logitraw": ({"objective": "binary:logitraw", "base_score": 0.2, "max_depth": 2}, 2,
                 "json"),
    "poisson": ({"objective": "count:poisson", "max_depth": 2}, 3, "json"),
    "gamma": ({"objective": "reg:gamma", "max_depth": 2}, 2, "json"),
    "tweedie": ({"objective": "reg:tweedie", "base_score": 2.5, "max_depth": 2}, 2, "json"),
    "pseudohuber": ({"objective": "reg:pseudohubererror", "max_depth": 2}, 2, "json"),
    "absolute": ({"objective": "reg:absoluteerror", "max_depth": 2,
                  "tree_method": "hist"}, 2, "json"),
    "squaredlog": ({"objective": "reg:squaredlogerror", "max_depth": 2}, 2, "json"),
    "linear_poisson": ({"booster": "gblinear", "objective": "count:poisson"}, 2, "json"),
    "multiclass": ({"objective": "multi:softprob", "num_class": 3, "max_depth": 1}, 1,
                   "json"),
    "rank": ({"objective": "rank:pairwise", "max_depth": 1}, 1, "json"),
    "targets": ({"max_depth": 1, "tree_method": "hist"}, 1, "json"),
}
CATEGORICAL = ("onehot", "partition")
REFUSED = ("multiclass", "rank", "targets")  # no predictions


def outcome(name, x, rng):
    z = np.nan_to_num(x)
    y = np.sin(z[:, 0]) + z[:, 1] * z[:, 2] + 0.1 * rng.normal(size=len(x))
    if "logi" in name:
        return (y > 0.3).astype(float)
    if name == "multiclass":
        return np.digitize(y, [0, 1]).astype(float)
    if name == "rank":
        return np.clip(np.round(y + 1), 0, 4)
    if name == "targets":
        return np.column_stack([y, -y])
    if "poisson" in name:
        return rng.poisson(np.exp(np.clip(y, -2, 2))).astype(float)
    if name in ("gamma", "tweedie", "squaredlog"):
        return np.exp(np.clip(y, -2, 2))
    return y


def training_rows(name, rng):
    x = rng.normal(size=(300, INPUTS))
    if name in CATEGORICAL:
        x[:, 3] = rng.integers(0, 40, size=len(x))
        x[:, 0] += np.array([1.5, -2, 0.5, 0])[x[:, 3].astype(int) % 4]
    x[rng.random(x.shape) < 0.1] = np.nan
    return x


def matrix(name, x, y=None, names=True):
    types = ["q"] * (INPUTS - 1) + ["c"] if name in CATEGORICAL else None
    return xgb.DMatrix(x, y, nthread=1, feature_types=types,
                       feature_names=["a", "b", "c c", "d\u00e9"] if names else None,
                       enable_categorical=name in CATEGORICAL)


def thresholds(booster):
    """(input, threshold) of every numerical split."""
    learner = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]
    model = learner.get("gbtree", learner).get("model", {})
    return [(i, np.float32(t)) for tree in model.get("trees", [])
            for i, t, left, kind in zip(tree["split_indices"], tree["split_conditions"],
                                        tree["left_children"], tree["split_type"])
            if left >= 0 and kind == 0]


def test_rows(name, booster, rng):
    x = rng.normal(size=(ROWS, INPUTS))
    if name in CATEGORICAL:
        x[:, 3] = rng.integers(0, 45, size=ROWS)
        x[:4, 3] = [39.5, 1e6, 31, 32]
    known = thresholds(booster)
    for row in range(ROWS if known else 0):
        for i, t in [known[k] for k in rng.integers(0, len(known), size=3)]:
            t = [t, np.nextafter(t, np.float32(-9)), np.nextafter(t, np.float32(9)),
                 float(t) * (1 - 1e-12)][rng.integers(0, 4)]
            x[row, i] = t
    x[rng.random(x.shape) < 0.1] = np.nan
    x[0] = np.nan
    return x


def make(name, folder):
    parameters, rounds, forms = MODELS[name]
    rng = np.random.default_rng(sum(map(ord, name)))
    x = training_rows(name, rng)
    data = matrix(name, x, outcome(name, x, rng))
    if name == "rank":
        data.set_group([100, 200])
    booster = xgb.train({"nthread": 1, "seed": 1, **parameters}, data, rounds)
    for form in forms.split():
        booster.save_model(folder / f"{name}.{form}")
    if name in REFUSED:
        return
    rows = test_rows(name, booster, rng)
    y = booster.predict(matrix(name, rows))
    assert y.dtype == np.float32 and y.shape == (ROWS,)
    np.column_stack([rows, y.astype(np.float64)]).astype("<f8").tofile(
        folder / f"{name}.rows")


def main():
    here = pathlib.Path(__file__).resolve().parent
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here
    for name in MODELS:
        make(name, folder)
    (folder / "VERSION").write_text(f"xgboost {xgb.__version__}\n")


if __name__ == "__main__":
    main()
