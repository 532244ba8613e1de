#!/usr/bin/env python3
"""Makes the LightGBM fixtures with the real program.

    python3 tests/data/lightgbm/make.py PATH/TO/lightgbm
    python3 tests/data/lightgbm/make.py --pandas

Writes beside itself NAME.txt (a model), rows.csv (inputs; `nan` where missing) and
NAME.expected (what `lightgbm task=predict` says of these rows). The fixtures in the tree
were made by LightGBM 4.1.0, built from the sources inside npm's lightgbm 1.0.27 with
`cmake -DUSE_OPENMP=OFF` and `make lightgbm`.

The second makes pandas.txt of category.txt: the same model as LightGBM's Python package
saves it when columns 4 and 5 of the data frame have the dtype category, with the names of
the columns and, in the last line, the categories.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
COMMON = ["num_leaves=7", "min_data_in_leaf=5", "num_iterations=8", "learning_rate=0.3",
          "seed=1", "num_threads=1", "verbosity=-1", "header=false", "label_column=0",
          "precise_float_parser=true", "deterministic=true"]
CASES = {
    "plain": ["objective=regression"],
    "zero": ["objective=regression", "zero_as_missing=true"],
    "category": ["objective=regression", "categorical_feature=4,5", "min_data_per_group=5",
                 "cat_smooth=1", "max_cat_to_onehot=2"],
    "dart": ["objective=regression", "boosting=dart", "drop_rate=0.5"],
    "rf": ["objective=regression", "boosting=rf", "bagging_freq=1", "bagging_fraction=0.6"],
    "huber": ["objective=huber"],
    "sqrt": ["objective=regression", "reg_sqrt=true"],
    "poisson": ["objective=poisson"],
    "gamma": ["objective=gamma"],
    "tweedie": ["objective=tweedie"],
    "binary": ["objective=binary", "sigmoid=2"],
    "entropy": ["objective=cross_entropy"],
    "lambda": ["objective=cross_entropy_lambda"],
    "rf_binary": ["objective=binary", "boosting=rf", "bagging_freq=1",
                  "bagging_fraction=0.6"],
}
REFUSED = {
    "linear": ["objective=regression", "linear_tree=true", "num_iterations=2"],
    "multiclass": ["objective=multiclass", "num_class=3", "num_iterations=2"],
    "rank": ["objective=rank_xendcg", "num_iterations=2"],
}


def inputs(rng, n):
    x = rng.normal(size=(n, 6))
    x[:, 1] = np.round(x[:, 1], 1)
    x[:, 2] = np.where(rng.random(n) < .4, 0, x[:, 2])
    x[:, 4] = rng.integers(0, 12, n)
    x[:, 5] = rng.integers(0, 70, n)
    x[rng.random((n, 6)) < .06] = np.nan
    return x


def outcome(name, x, rng):
    z = np.nan_to_num(x)
    y = 2 * z[:, 0] - z[:, 1] * z[:, 2] + np.sin(z[:, 4]) + .02 * (z[:, 5] % 7) ** 2
    y = y + .3 * np.isnan(x[:, 0]) + .1 * rng.normal(size=len(x))
    if name in ("poisson", "gamma", "tweedie"):
        return np.exp(.3 * y)
    if name in ("binary", "rf_binary"):
        return (y > 0).astype(int)
    if name in ("entropy", "lambda"):
        return 1 / (1 + np.exp(-y))
    if name in ("multiclass", "rank"):
        return np.digitize(y, [-1, 1])
    return y


def write(path, table):
    with open(path, "w", encoding="ascii") as out:
        for row in table:
            out.write(",".join(f"{v:.17g}" for v in row) + "\n")


def run(program, folder, *words):
    subprocess.run([program, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def thresholds(model):
    """Every threshold of input 0, 1 and 3 in the model."""
    feature = value = ()
    for line in model.read_text("ascii").splitlines():
        if line.startswith("split_feature="):
            feature = line[14:].split()
        if line.startswith("threshold="):
            value = line[10:].split()
            yield from ((int(k), float(t)) for k, t in zip(feature, value) if k in "013")


SHOPS = ["north", "south, by \"the\" sea", "\U0001f30a", "", "nan", "007", "1e5", "a=b",
         "\u00e9t\u00e9", "null", " ", "True"]


def with_pandas():
    text = (HERE / "category.txt").read_text("ascii")
    names = " ".join(f"Column_{k}" for k in range(6))
    text = text.replace(names, "load rate rain wind shop size")
    lists = json.dumps([SHOPS, list(range(10, 80))])
    text += f"""
feature_importances:
load=40

parameters:
[boosting: gbdt]
[categorical_feature: 4,5]
[forcedbins_filename: ]

end of parameters

pandas_categorical:{lists}
"""
    (HERE / "pandas.txt").write_text(text, "ascii")


def main():
    if sys.argv[1] == "--pandas":
        return with_pandas()
    program, rng = pathlib.Path(sys.argv[1]).resolve(), np.random.default_rng(1)
    train, rows = inputs(rng, 400), inputs(rng, 60)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, words in {**CASES, **REFUSED}.items():
            write(folder / "train.csv", np.column_stack([outcome(name, train, rng), train]))
            (folder / "train.csv.query").unlink(missing_ok=True)
            if name == "rank":
                (folder / "train.csv.query").write_text("100\n" * 4)
            run(program, folder, "task=train", "data=train.csv", f"output_model={name}.txt",
                *[w for w in COMMON if w.split("=")[0] not in " ".join(words)], *words)
        # rows that stand exactly on a threshold, and strange ones
        exact = []
        for name in CASES:
            for k, t in list(thresholds(folder / f"{name}.txt"))[:6]:
                row = rows[len(exact) % len(rows)].copy()
                row[k] = t
                exact.append(row)
        strange = np.array([[np.nan] * 6, [0] * 6, [-1e300] * 6, [1e300] * 4 + [3, 5],
                            [1e-36, -1e-36, 1e-35, -1e-35, -1, 2.9],
                            [0, 0, 2e-35, 0, 11.99, 1e9]])
        rows = np.vstack([rows, exact[:60], strange])
        write(folder / "rows.csv", np.column_stack([np.zeros(len(rows)), rows]))
        write(HERE / "rows.csv", rows)
        for name in CASES:
            run(program, folder, "task=predict", "data=rows.csv", f"input_model={name}.txt",
                f"output_result={name}.expected", "header=false", "label_column=0",
                "precise_float_parser=true", "num_threads=1", "verbosity=-1",
                "predict_disable_shape_check=true")
            (HERE / f"{name}.expected").write_text((folder / f"{name}.expected").read_text())
        for name in [*CASES, *REFUSED]:
            text = (folder / f"{name}.txt").read_text("ascii")
            # the training parameters are no part of the model and hold local paths
            text = text[:text.index("end of trees") + len("end of trees")] + "\n"
            (HERE / f"{name}.txt").write_text(text, "ascii")
    return with_pandas()


if __name__ == "__main__":
    main()
