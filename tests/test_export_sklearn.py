#!/usr/bin/env python3
"""test_export_sklearn.py ROOT BUILD: tools/export_sklearn.py against predict().

Models are trained here, written by the tool and asked through the command. Trees must
give the very numbers of scikit-learn, also at their thresholds; sums of products, and
exp, agree to 1e-12 of the largest prediction. Skipped, loudly, without scikit-learn.
"""
import csv
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import warnings

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
try:
    import joblib
    import numpy as np
    from sklearn.compose import ColumnTransformer
    from sklearn.decomposition import PCA
    from sklearn.ensemble import (ExtraTreesRegressor, GradientBoostingRegressor,
                                  HistGradientBoostingRegressor, RandomForestClassifier,
                                  RandomForestRegressor)
    from sklearn.linear_model import (ElasticNet, HuberRegressor, Lasso, LinearRegression,
                                      PoissonRegressor, Ridge)
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.neural_network import MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import (MaxAbsScaler, MinMaxScaler, RobustScaler,
                                       StandardScaler)
    from sklearn.tree import DecisionTreeRegressor, ExtraTreeRegressor
except ImportError as problem:
    print(f"SKIP: {problem}: the export of scikit-learn models is NOT checked")
    sys.exit(77)

ROOT, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True
import export_sklearn  # noqa: E402

warnings.simplefilter("ignore")  # that training has not converged does not matter here
NAMES = ["a", "b b", "c", "d"]
RNG = np.random.default_rng(5)
X = RNG.normal(size=(400, 4)) * [1, 10, 0.01, 1000] + [0, 5, 0, 1e4]
Z = (X - [0, 5, 0, 1e4]) / [1, 10, 0.01, 1000]
Y = np.sin(2 * Z[:, 0]) + Z[:, 1] * Z[:, 2] + 0.1 * RNG.normal(size=len(X)) + 3
HOLES = np.where(RNG.random(X.shape) < 0.15, np.nan, X)


def boosted(**options):
    return GradientBoostingRegressor(n_estimators=20, max_depth=3, random_state=1, **options)


def hist(**options):
    return HistGradientBoostingRegressor(max_iter=15, min_samples_leaf=5, random_state=1,
                                         **options)


# name: (model, the rows it is trained on and asked, exact?)
MODELS = {
    "tree": (DecisionTreeRegressor(random_state=1), X, True),
    "extra tree": (ExtraTreeRegressor(random_state=1), X, True),
    "stump": (DecisionTreeRegressor(max_depth=1), X, True),
    "forest": (RandomForestRegressor(30, random_state=1), X, True),
    "shallow forest": (RandomForestRegressor(30, max_depth=5, random_state=1), X, True),
    "extra trees": (ExtraTreesRegressor(20, random_state=1), X, True),
    "boosting": (boosted(), X, True),
    "boosting from zero": (boosted(init="zero"), X, True),
    "boosting, absolute": (boosted(loss="absolute_error"), X, True),
    "hist": (hist(), X, True),
    "hist with holes": (hist(), HOLES, True),
    "hist, poisson": (hist(loss="poisson"), HOLES, False),
    "scaled forest": (make_pipeline(StandardScaler(),
                                    RandomForestRegressor(10, random_state=1)), X, True),
    "scaled twice": (make_pipeline(RobustScaler(), "passthrough",
                                   MinMaxScaler(clip=True), boosted()), X, True),
    "scaled hist": (make_pipeline(MaxAbsScaler(), hist()), HOLES, True),
    "linear": (LinearRegression(), X, False),
    "ridge": (make_pipeline(StandardScaler(), Ridge()), X, False),
    "lasso": (make_pipeline(RobustScaler(), Lasso(0.01)), X, False),
    "elastic net": (make_pipeline(MinMaxScaler(), ElasticNet(0.01)), X, False),
    "huber": (make_pipeline(StandardScaler(with_mean=False), HuberRegressor()), X, False),
    "no intercept": (LinearRegression(fit_intercept=False), X, False),
    "mlp": (make_pipeline(StandardScaler(), MLPRegressor((8, 5), max_iter=100,
                                                         random_state=1)), X, False),
    "mlp, tanh": (make_pipeline(MinMaxScaler(), MLPRegressor((6,), activation="tanh",
                                                             max_iter=100,
                                                             random_state=1)), X, False),
}
REFUSED = {
    "KNeighborsRegressor": (KNeighborsRegressor(), Y),
    "RandomForestClassifier": (RandomForestClassifier(3), Y > 3),
    "PoissonRegressor": (PoissonRegressor(), np.exp(Z[:, 0])),
    "PCA": (make_pipeline(PCA(2), LinearRegression()), Y),
    "ColumnTransformer": (make_pipeline(ColumnTransformer([("scaled", MinMaxScaler(), [0])]),
                                        LinearRegression()), Y),
    "clip": (make_pipeline(MinMaxScaler(clip=True), LinearRegression()), Y),
    "several outputs": (RandomForestRegressor(3), np.column_stack([Y, Y])),
    "LinearRegression": (boosted(init=LinearRegression()), Y),
    "categorical": (hist(categorical_features=[0]), Y),
}


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True,
                          encoding="utf-8")


def export_by_command(model, folder, dump):
    path, out = folder / "model.pkl", folder / "model.json"
    with open(path, "wb") as f:
        dump(model, f)
    out.unlink(missing_ok=True)
    return out, run(sys.executable, ROOT / "tools/export_sklearn.py", path, out)


def hard_rows(out, rows):
    """Rows at the thresholds of the file and beside them, one input each."""
    content = json.loads(out.read_text())
    splits = [(k, t) for tree in content.get("trees", [])
              for k, t in zip(tree["feature"], tree["threshold"]) if k >= 0 and t is not None]
    hard = []
    for i in range(min(len(splits), 150)):
        k, t = splits[RNG.integers(len(splits))]
        f = np.float32(t)
        for value in (t, np.nextafter(t, -np.inf), np.nextafter(t, np.inf), f,
                      np.nextafter(f, np.float32(-np.inf)), np.nextafter(f, np.float32(np.inf))):
            row = rows[i % len(rows)].copy()
            row[k] = value
            hard.append(row)
    return np.vstack([rows, *hard]) if hard else rows


def asked(out, rows, folder):
    """Predictions of gpa score, in the order of the rows."""
    path = folder / "rows.csv"
    with open(path, "w", newline="") as f:
        writer = csv.writer(f)
        writer.writerow([*NAMES, "y"])
        for row in rows:
            writer.writerow(["" if np.isnan(v) else repr(float(v)) for v in row] + [0])
    done = run(BUILD / "gpa", "score", "--json", "--model", out, "--target", "y", path)
    if done.returncode != 0:
        sys.exit(f"gpa score: exit {done.returncode}: {done.stderr}")
    found = {row["row"]: row["f"] for row in json.loads(done.stdout)["rows"]}
    return np.array([found[i] for i in range(len(rows))])


def check(name, folder):
    model, rows, exact = MODELS[name]
    y = np.exp(Y / 3) if "poisson" in name else Y
    model.fit(rows, y)
    out = folder / "model.json"
    export_sklearn.write(export_sklearn.export(model), out)
    rows = hard_rows(out, rows)
    want, got = model.predict(rows), asked(out, rows, folder)
    off = np.max(np.abs(got - want)) / np.max(np.abs(want))
    print(f"{name}: {len(rows)} rows, {np.sum(got == want)} equal, off by {off:.2g}")
    if off > 1e-12 or (exact and off > 0):
        sys.exit(f"{name}: not the predictions of scikit-learn")


def check_refused(word):
    """What the worker can ask is sent there."""
    model, y = REFUSED[word]
    rows = X.copy()
    rows[:, 0] = np.arange(len(X)) % 7  # categories, where they are asked for
    try:
        export_sklearn.export(model.fit(rows, y))
    except export_sklearn.Refused as problem:
        if word in str(problem) and ("gpa.worker" in str(problem)) != ("several" in word):
            return
        sys.exit(f"{word}: refused with '{problem}'")
    sys.exit(f"{word}: not refused")


def check_command(folder):
    """From the file that joblib or pickle wrote; a refusal writes nothing."""
    tree = DecisionTreeRegressor(max_depth=3).fit(X, Y)
    for dump in (joblib.dump, pickle.dump):
        out, done = export_by_command(tree, folder, dump)
        if done.returncode != 0 or not np.all(asked(out, X, folder) == tree.predict(X)):
            sys.exit(f"command: exit {done.returncode}: {done.stderr}")
    out, done = export_by_command(KNeighborsRegressor().fit(X, Y), folder, joblib.dump)
    if done.returncode != 1 or "KNeighborsRegressor" not in done.stderr or out.exists():
        sys.exit(f"command: exit {done.returncode}: {done.stderr}")


def check_names():
    """Names of a data frame become variables; without them inputs are counted."""
    tree = DecisionTreeRegressor(max_depth=3).fit(X, Y)
    content = export_sklearn.export(tree)
    if "variables" in content or content["inputs"] != 4:
        sys.exit(f"names: {content}")
    tree.feature_names_in_ = np.array(NAMES, dtype=object)
    if export_sklearn.export(tree)["variables"] != NAMES:
        sys.exit("names: not those of the model")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name in MODELS:
            check(name, folder)
        check_command(folder)
    for word in REFUSED:
        check_refused(word)
    check_names()


if __name__ == "__main__":
    main()
