#!/usr/bin/env python3
"""Trains the demo's model and writes examples/diabetes/{model,heldout,spoilt}.*.

Needs scikit-learn, which ships the data set. Everything is seeded: with the same
scikit-learn the same files come out. Run it with `make train-demo`.
"""
import argparse
import json
import os
import pathlib

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order
import numpy as np  # noqa: E402
from sklearn.datasets import load_diabetes  # noqa: E402
from sklearn.model_selection import train_test_split  # noqa: E402
from sklearn.neural_network import MLPRegressor  # noqa: E402

TARGET = "progression"


def fold(network, center, unit, y_center, y_unit):
    """The network's layers, made to take raw inputs and to give raw outputs."""
    weights = [w.copy() for w in network.coefs_]
    biases = [b.copy() for b in network.intercepts_]
    weights[0] = weights[0] / unit[:, None]
    biases[0] = biases[0] - center @ weights[0]
    weights[-1] = weights[-1] * y_unit
    biases[-1] = biases[-1] * y_unit + y_center
    return weights, biases


def predict(layers, x):
    """What the C library computes from the written file."""
    for layer in layers[:-1]:
        x = np.maximum(x @ np.array(layer["W"]) + np.array(layer["b"]), 0)
    return (x @ np.array(layers[-1]["W"]) + np.array(layers[-1]["b"]))[:, 0]


def r_squared(y, f):
    return 1 - np.sum((y - f) ** 2) / np.sum((y - y.mean()) ** 2)


def write_csv(path, names, x, y):
    with open(path, "w", newline="\n") as out:
        out.write(",".join([*names, TARGET]) + "\n")
        for row, target in zip(x, y):
            out.write(",".join(f"{v:.10g}" for v in [*row, target]) + "\n")


def write_model(path, names, weights, biases):
    """Nine digits: far beyond what training means, and the file stays readable."""
    layers = [{"W": [[float(f"{v:.9g}") for v in row] for row in w],
               "b": [float(f"{v:.9g}") for v in b]} for w, b in zip(weights, biases)]
    lines = [json.dumps({"W": layer["W"], "b": layer["b"]}) for layer in layers]
    with open(path, "w", newline="\n") as out:
        out.write('{"type": "mlp", "activation": "relu",\n "variables": '
                  + json.dumps(names) + ',\n "layers": [\n  '
                  + ",\n  ".join(lines) + "\n ]}\n")
    return layers


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=here / "examples/diabetes")
    out = parser.parse_args().out

    data = load_diabetes(scaled=False)
    names = list(data.feature_names)
    x, x_held, y, y_held = train_test_split(data.data, data.target, test_size=0.2,
                                            random_state=42)
    center, unit = x.mean(axis=0), x.std(axis=0)
    y_center, y_unit = y.mean(), y.std()
    network = MLPRegressor((32, 8), activation="relu", solver="lbfgs", alpha=15,
                           max_iter=5000, random_state=1)
    network.fit((x - center) / unit, (y - y_center) / y_unit)

    out.mkdir(parents=True, exist_ok=True)
    weights, biases = fold(network, center, unit, y_center, y_unit)
    layers = write_model(out / "model.json", names, weights, biases)
    write_csv(out / "heldout.csv", names, x_held, y_held)
    spoilt = x_held.copy() # a mistake as people make them: pounds taken for kilograms
    spoilt[10, names.index("bmi")] *= 2.205
    write_csv(out / "spoilt.csv", names, spoilt, y_held)
    residual = y_held - predict(layers, x_held)
    print(f"trained on {len(y)} rows: R2 {r_squared(y, predict(layers, x)):.3f}")
    print(f"held out   {len(y_held)} rows: R2 "
          f"{r_squared(y_held, predict(layers, x_held)):.3f}, "
          f"residual sd {residual.std():.2f}, "
          f"largest in row {int(np.argmax(np.abs(residual)))}")


if __name__ == "__main__":
    main()
