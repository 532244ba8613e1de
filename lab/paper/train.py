#!/usr/bin/env python3
"""Trains the three models of the paper's experiments.

    python3 train.py diabetes|boston|california FOLDER [--data FILE]

Writes FOLDER/model.json (read natively by gpa), FOLDER/train.csv, FOLDER/test.csv (20 %
held out; inputs standardised by the training rows, then y) and, last, FOLDER/about.json.
Diabetes and Boston come with scikit-learn; California is read from FILE (cal_housing.data).
All of it is seeded.
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order
import joblib  # noqa: E402
import numpy as np  # noqa: E402
import sklearn  # noqa: E402
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor  # noqa: E402
from sklearn.model_selection import GridSearchCV, train_test_split  # noqa: E402
from sklearn.neural_network import MLPRegressor  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
CALIFORNIA = ["MedInc", "HouseAge", "AveRooms", "AveBedrms",
              "Population", "AveOccup", "Latitude", "Longitude"]


def read_diabetes(_):
    from sklearn.datasets import load_diabetes
    data = load_diabetes(scaled=False)
    return list(data.feature_names), data.data, data.target, "progression"


def read_boston(_):
    path = pathlib.Path(sklearn.__file__).parent / "datasets/data/boston_house_prices.csv"
    with open(path, newline="", encoding="ascii") as f:
        rows = list(csv.reader(f))[1:]  # the first line only counts rows and columns
    table = np.array([[float(v) for v in row] for row in rows[1:]])
    return rows[0][:-1], table[:, :-1], table[:, -1], rows[0][-1]


def read_california(path):
    """The eight features of scikit-learn's fetch_california_housing; y in 100,000 $."""
    if path is None:
        raise SystemExit("train.py: california: give --data cal_housing.data")
    try:
        raw = np.loadtxt(path, delimiter=",")
    except (OSError, ValueError) as error:
        raise SystemExit(f"train.py: {path}: {error}") from None
    if raw.ndim != 2 or raw.shape[1] != 9:
        raise SystemExit(f"train.py: {path}: not the nine columns of cal_housing.data")
    longitude, latitude, age, rooms, bedrooms, people, households, income, value = raw.T
    x = np.column_stack([income, age, rooms / households, bedrooms / households,
                         people, people / households, latitude, longitude])
    return CALIFORNIA, x, value / 1e5, "MedHouseVal"


SETS = {
    # how strongly it is regularised is chosen on the training rows
    "diabetes": (read_diabetes, lambda: GridSearchCV(MLPRegressor(
        (32, 8), activation="relu", solver="lbfgs", max_iter=5000, random_state=1),
        {"alpha": [0.3, 1, 3, 10, 30, 100]}, cv=5)),
    "boston": (read_boston, lambda: RandomForestRegressor(100, random_state=1)),
    "california": (read_california, lambda: GradientBoostingRegressor(
        n_estimators=200, max_depth=5, subsample=0.8, random_state=1)),
}


def watch(parent):
    """Nobody waits any more: what is half made is removed by whoever called this."""
    while True:
        try:
            os.kill(parent, 0)
        except OSError:
            os._exit(1)
        time.sleep(0.2)


def write_csv(path, names, x, y):
    with open(path, "w", newline="\n", encoding="ascii") as out:
        out.write(",".join(names) + "\n")
        for row, target in zip(x, y):
            out.write(",".join(f"{v:.17g}" for v in [*row, target]) + "\n")


def write_model(folder, model, names):
    """Through the exporter that everybody can use."""
    dumped = folder / "model.joblib"
    joblib.dump(model, dumped)
    subprocess.run([sys.executable, HERE / "export_sklearn.py", dumped,
                    folder / "model.json"], check=True, stdout=subprocess.DEVNULL)
    dumped.unlink()
    tree = json.loads((folder / "model.json").read_text("utf-8"))
    tree["variables"] = names
    (folder / "model.json").write_text(json.dumps(tree), "utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("set", choices=SETS)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--parent", type=int, help="end when this process does")
    args = parser.parse_args()
    if args.parent:
        threading.Thread(target=watch, args=(args.parent,), daemon=True).start()
    warnings.filterwarnings("ignore")  # of networks that could learn a little longer
    read, make = SETS[args.set]
    names, x, y, target = read(args.data)
    x, x_test, y, y_test = train_test_split(x, y, test_size=0.2, random_state=1)
    center, unit = x.mean(0), x.std(0)
    x, x_test = (x - center) / unit, (x_test - center) / unit
    model = make()
    if args.set == "diabetes":  # a network learns better on standardised outcomes
        from sklearn.compose import TransformedTargetRegressor
        from sklearn.preprocessing import StandardScaler
        whole = TransformedTargetRegressor(model, transformer=StandardScaler()).fit(x, y)
        f = whole.predict(x_test)
        model = unscale(whole)
    else:
        f = model.fit(x, y).predict(x_test)
    args.folder.mkdir(parents=True, exist_ok=True)
    write_model(args.folder, model, list(names))
    write_csv(args.folder / "train.csv", [*names, target], x, y)
    write_csv(args.folder / "test.csv", [*names, target], x_test, y_test)
    about = {"set": args.set, "model": type(model).__name__, "target": target,
             "train_rows": len(y), "test_rows": len(y_test),
             "r2": float(1 - ((y_test - f) ** 2).mean() / y_test.var()),
             "sklearn": sklearn.__version__, "numpy": np.__version__}
    # Written last: it says that the others are complete.
    (args.folder / "about.json").write_text(json.dumps(about, indent=1) + "\n", "ascii")


def unscale(whole):
    """The network inside, its last layer made to give outcomes in their own unit."""
    network, scaler = whole.regressor_.best_estimator_, whole.transformer_
    network.coefs_[-1] = network.coefs_[-1] * scaler.scale_[0]
    network.intercepts_[-1] = network.intercepts_[-1] * scaler.scale_[0] + scaler.mean_[0]
    return network


if __name__ == "__main__":
    main()
