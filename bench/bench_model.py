#!/usr/bin/env python3
"""Our evaluation of an mlp: model against NumPy's, in turns, one thread each.

    python3 bench/bench_model.py build/bench/bench_model [ACTIVATION [SIZES]]

ACTIVATION is relu, tanh or logistic; SIZES is like 10,32,8,1. Times are ns per row: the
best of all rounds, and the median of NumPy's time over ours, round by round.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is loaded
import numpy as np  # noqa: E402

ROWS = (1, 10, 100, 1000, 10000)
ROUNDS = 40
ROUND_ROWS = 20000  # rows in a round, about: enough for the clock
FUNCTIONS = {
    "relu": lambda z: np.maximum(z, 0),
    "tanh": np.tanh,
    "logistic": lambda z: 1 / (1 + np.exp(-z)),
}


def random_layers(sizes):
    rng = np.random.default_rng(1)
    return [
        (rng.normal(size=(i, o)) / np.sqrt(i), rng.normal(size=o))
        for i, o in zip(sizes, sizes[1:])
    ]


def numpy_model(layers, function):
    def predict(x):
        for w, b in layers[:-1]:
            x = function(x @ w + b)
        w, b = layers[-1]
        return (x @ w + b)[:, 0]

    return predict


def time_numpy(predict, x, repeats):
    start = time.perf_counter_ns()
    for _ in range(repeats):
        y = predict(x)
    return (time.perf_counter_ns() - start) / (repeats * len(x)), y.sum()


def time_ours(child, rows, repeats):
    child.stdin.write(f"{rows} {repeats}\n")
    child.stdin.flush()
    line = child.stdout.readline().split()
    if len(line) != 2:
        sys.exit("bench_model.py: bench_model gave no answer")
    return float(line[0]), float(line[1])


def compare(child, predict, d):
    i, k = np.arange(max(ROWS))[:, None], np.arange(d)[None, :]
    x = (7 * i + 13 * k) % 101 / 50 - 1  # the rows of bench_model.c
    print(f"{'rows':>6} {'ours':>10} {'NumPy':>10}   NumPy / ours")
    print(f"{'':>6} {'ns/row':>10} {'ns/row':>10}   best   median")
    for rows in ROWS:
        repeats = 1 + ROUND_ROWS // rows // (20 if rows < 100 else 1)
        ours, numpy = [], []
        for _ in range(ROUNDS):
            a, sum_a = time_ours(child, rows, repeats)
            b, sum_b = time_numpy(predict, x[:rows], repeats)
            if abs(sum_a - sum_b) > 1e-9 * (rows + abs(sum_b)):
                sys.exit(f"bench_model.py: the sums differ: {sum_a} and {sum_b}")
            ours.append(a)
            numpy.append(b)
        best = min(numpy) / min(ours)
        median = np.median(np.array(numpy) / np.array(ours))
        print(f"{rows:6} {min(ours):10.1f} {min(numpy):10.1f}   {best:<6.2f} {median:.2f}")


def main():
    program = sys.argv[1]
    activation = sys.argv[2] if len(sys.argv) > 2 else "relu"
    sizes = [int(n) for n in (sys.argv[3] if len(sys.argv) > 3 else "10,32,8,1").split(",")]
    layers = random_layers(sizes)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.json")
        with open(path, "w", encoding="ascii") as f:
            json.dump(
                {
                    "type": "mlp",
                    "activation": activation,
                    "layers": [{"W": w.tolist(), "b": b.tolist()} for w, b in layers],
                },
                f,
            )
        child = subprocess.Popen(
            [program, "--answer", f"mlp:{path}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        print(f"mlp {'-'.join(map(str, sizes))} {activation}, one thread")
        compare(child, numpy_model(layers, FUNCTIONS[activation]), sizes[0])
        child.stdin.close()
        sys.exit(child.wait())


if __name__ == "__main__":
    main()
