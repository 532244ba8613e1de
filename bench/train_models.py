#!/usr/bin/env python3
"""Trains the tree models that the engine is measured on.

    python3 bench/train_models.py build/bench [--california FILE]

Writes for Boston (a random forest) and, when the file with the California data is there,
California (boosted trees) into the directory:

    SET.trees       the model, as bench/trees_plugin.c reads it
    SET_train.csv   the rows it was trained on: features, then y
    SET_test.csv    the rows held out
    SET_check.txt   scikit-learn's predictions of the rows of SET_test.csv
    SET.json        names, sigma (the sd of y - f over the test rows), versions

Inputs are standardised by the training rows, so one unit is one standard deviation. All
of it is seeded: the same scikit-learn writes the same files. Files that are there already
are kept (--force trains again).

The .trees format, one line each: `trees 1`, `inputs M`, `base B`, `count T`, then per
tree `tree N` and its N nodes: `k threshold left right` (input k; left when the input as a
32-bit float is <= threshold) or, for a leaf, `-1 value`. f = B + the sum of the leaves.
"""
import argparse
import csv
import json
import os
import pathlib
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order
import numpy as np  # noqa: E402
import sklearn  # noqa: E402
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor  # noqa: E402
from sklearn.model_selection import train_test_split  # noqa: E402

CALIFORNIA = ["MedInc", "HouseAge", "AveRooms", "AveBedrms",
              "Population", "AveOccup", "Latitude", "Longitude"]


def read_boston():
    path = pathlib.Path(sklearn.__file__).parent / "datasets/data/boston_house_prices.csv"
    with open(path, newline="", encoding="ascii") as f:
        rows = list(csv.reader(f))[1:]  # the first line only counts rows and columns
    table = np.array([[float(v) for v in row] for row in rows[1:]])
    return rows[0][:-1], table[:, :-1], table[:, -1]


def read_california(path):
    """The eight features of scikit-learn's fetch_california_housing; y in 100,000 $."""
    raw = np.loadtxt(path, delimiter=",")
    longitude, latitude, age, rooms, bedrooms, people, households, income, value = raw.T
    x = np.column_stack([income, age, rooms / households, bedrooms / households,
                         people, people / households, latitude, longitude])
    return CALIFORNIA, x, value / 1e5


def write_csv(path, names, x, y):
    with open(path, "w", newline="\n", encoding="ascii") as out:
        out.write(",".join([*names, "y"]) + "\n")
        for row, target in zip(x, y):
            out.write(",".join(f"{v:.17g}" for v in [*row, target]) + "\n")


def write_trees(path, inputs, base, trees, factor):
    with open(path, "w", newline="\n", encoding="ascii") as out:
        out.write(f"trees 1\ninputs {inputs}\nbase {base:.17g}\ncount {len(trees)}\n")
        for tree in trees:
            out.write(f"tree {tree.node_count}\n")
            for k, t, left, right, v in zip(
                tree.feature, tree.threshold, tree.children_left, tree.children_right,
                tree.value[:, 0, 0],
            ):
                out.write(f"-1 {v * factor:.17g}\n" if left < 0
                          else f"{k} {t:.17g} {left} {right}\n")


def train(folder, name, data, model, share):
    names, x, y = data
    x, x_test, y, y_test = train_test_split(x, y, test_size=share, random_state=1)
    center, unit = x.mean(0), x.std(0)
    x, x_test = (x - center) / unit, (x_test - center) / unit
    model.fit(x, y)
    f = model.predict(x_test)
    if isinstance(model, RandomForestRegressor):
        trees, base, factor = [t.tree_ for t in model.estimators_], 0.0, 1 / len(model)
    else:
        trees = [t.tree_ for t in model.estimators_[:, 0]]
        base, factor = float(model.init_.constant_[0, 0]), model.learning_rate
    write_trees(folder / f"{name}.trees", x.shape[1], base, trees, factor)
    write_csv(folder / f"{name}_train.csv", names, x, y)
    write_csv(folder / f"{name}_test.csv", names, x_test, y_test)
    np.savetxt(folder / f"{name}_check.txt", f, fmt="%.17g")
    meta = {"features": list(names), "model": type(model).__name__, "trees": len(trees),
            "train_rows": len(y), "test_rows": len(y_test),
            "sigma": float((y_test - f).std()), "train_sigma": float((y - model.predict(x)).std()),
            "r2": float(1 - ((y_test - f) ** 2).mean() / y_test.var()),
            "sklearn": sklearn.__version__, "numpy": np.__version__}
    # Written last: it says that the others are complete.
    (folder / f"{name}.json").write_text(json.dumps(meta, indent=1) + "\n", "ascii")
    print(f"train_models: {name}: {meta['model']}, {len(trees)} trees, "
          f"R2 {meta['r2']:.3f}, sigma {meta['sigma']:.4g} on {len(y_test)} held-out rows")


def main():
    shared = pathlib.Path(os.environ.get("GPA_SHARED", "../shared"))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--california", type=pathlib.Path,
                        default=shared / "data/cal_housing.data")
    parser.add_argument("--force", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    wanted = lambda name: args.force or not (args.folder / f"{name}.json").exists()  # noqa: E731
    if wanted("boston"):
        train(args.folder, "boston", read_boston(),
              RandomForestRegressor(100, random_state=1), 0.25)
    if not args.california.exists():
        print(f"train_models: SKIPPED california: no {args.california}", file=sys.stderr)
    elif wanted("california"):
        train(args.folder, "california", read_california(args.california),
              GradientBoostingRegressor(n_estimators=200, max_depth=5, subsample=0.8,
                                        random_state=1), 0.2)


if __name__ == "__main__":
    main()
