"""What the tests share: data, models, the command."""
import functools
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))
BUILD = pathlib.Path(os.environ.get("GPA_BUILD_ROOT", ROOT / "build")).resolve()
os.environ["GPA_BUILD_ROOT"] = str(BUILD)  # for other folders, too
MODEL = ROOT / "examples" / "diabetes" / "model.json"
HELDOUT = ROOT / "examples" / "diabetes" / "heldout.csv"
SPOILT = ROOT / "examples" / "diabetes" / "spoilt.csv"

import numpy as np  # noqa: E402


def loud_skip(reason):
    """Skips, and says so where the test runner looks for it."""
    print(f"SKIP: {reason}", flush=True)
    return unittest.skip(reason)


def needs(module):
    """The test needs a module that is optional for the package."""
    if importlib.util.find_spec(module) is not None:
        return lambda test: test
    return loud_skip(f"there is no {module} for this Python")


def command(*words, check=True, **options):
    """The command's standard output."""
    gpa = os.environ.get("GPA", str(BUILD / "gpa"))
    done = subprocess.run([gpa, *map(str, words)], capture_output=True, check=check,
                          **options)
    return done.stdout.decode()


needs_command = ((lambda test: test)
                 if pathlib.Path(os.environ.get("GPA", BUILD / "gpa")).exists()
                 else loud_skip("there is no command gpa"))


@functools.lru_cache(None)
def heldout():
    """(x, y, names) of the demo's rows."""
    table = np.loadtxt(HELDOUT, delimiter=",", skiprows=1)
    names = HELDOUT.read_text().splitlines()[0].split(",")[:-1]
    return np.ascontiguousarray(table[:, :-1]), table[:, -1].copy(), names


@functools.lru_cache(None)
def network():
    """The demo's model in NumPy."""
    layers = json.loads(MODEL.read_text())["layers"]
    weights = [(np.array(layer["W"]), np.array(layer["b"])) for layer in layers]

    def predict(x):
        for w, b in weights[:-1]:
            x = np.maximum(x @ w + b, 0)
        return (x @ weights[-1][0] + weights[-1][1])[:, 0]
    return predict


def planted(n=120, d=4, row=7, column=0, by=3.0, seed=1):
    """Rows of a linear model in one of which an input is off: (f, x, y, what is off)."""
    rng = np.random.default_rng(seed)
    w = np.array([3.0, 1.0, -2.0, 0.5, 0.0, 1.5][:d])
    x = rng.normal(size=(n, d))
    y = x @ w + 0.1 * rng.normal(size=n)
    x[row, column] += by
    return (lambda z: z @ w), x, y


def run_python(code, *arguments, timeout=60, **environment):
    """A Python of its own: (exit status, standard output, standard error)."""
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)],
                          capture_output=True, timeout=timeout, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(
                              [str(HERE.parent), os.environ.get("PYTHONPATH", "")]),
                              **environment})
    return done.returncode, done.stdout, done.stderr
