#!/usr/bin/env python3
"""Makes tests/data/mlp_<activation>.json: random networks in the mlp: format, with rows
under "x" and what NumPy predicts for them, in extended precision, under "y".

    python3 tools/make_mlp_fixture.py tests/data
"""
import json
import sys
from pathlib import Path

import numpy as np

SIZES = (7, 21, 15, 1)  # panels of 8, 4, 2 and 1 outputs
ROWS = 41
FUNCTIONS = {
    "relu": lambda z: np.maximum(z, 0),
    "tanh": np.tanh,
    "logistic": lambda z: 1 / (1 + np.exp(-z)),
    "identity": lambda z: z,
}


def make(activation, seed):
    rng = np.random.default_rng(seed)
    layers = []
    for n_in, n_out in zip(SIZES, SIZES[1:]):
        w = rng.normal(size=(n_in, n_out)) / np.sqrt(n_in)
        layers.append((w, rng.normal(size=n_out) / 4))
    x = rng.normal(size=(ROWS, SIZES[0])) * 2
    h = x.astype(np.longdouble)
    for i, (w, b) in enumerate(layers):
        h = h @ w.astype(np.longdouble) + b
        if i + 1 < len(layers):
            h = FUNCTIONS[activation](h)
    return {
        "type": "mlp",
        "activation": activation,
        "variables": [f"in{k}" for k in range(SIZES[0])],
        "layers": [{"W": w.tolist(), "b": b.tolist()} for w, b in layers],
        "x": x.tolist(),
        "y": h[:, 0].astype(float).tolist(),
    }


def main():
    folder = Path(sys.argv[1])
    for seed, activation in enumerate(FUNCTIONS):
        text = json.dumps(make(activation, seed)).replace("], [", "],\n[")
        (folder / f"mlp_{activation}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
