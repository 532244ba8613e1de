"""What the way through Python costs, beside the model itself."""
import ctypes
import math
import os
import time
import unittest
import warnings

from support import needs, planted, run_python
import gpa
import numpy as np
from gpa import _structs
from gpa._arrays import address
from gpa._library import library
from gpa._study import Study

MAP = {"marginals": "none", "culprit": "off", "progress": "never"}


def best(function, n):
    """The shortest of n runs: others use this machine, too."""
    spent = []
    for _ in range(n):
        start = time.perf_counter()
        function()
        spent.append(time.perf_counter() - start)
    return min(spent)


def published_map(predict, x, y, b, h, a=5.5, eta=.4, nu=.5, kappa=.08, most=100, tol=1e-3):
    """The paper's Algorithm 2 in NumPy: proximal gradient steps with mean slopes over the
    perturbations h, all asked in one call per iteration, and a step that shrinks. Gives the
    change and the number of iterations."""
    d, k = len(x), len(h)
    steps = np.kron(np.eye(d), h[:, None])  # k rows for each input
    delta, old, old_objective = np.zeros(d), np.full(d, np.inf), -np.inf
    constant = (.5 * np.log(2 * np.pi * b) + math.lgamma(a + .5) - math.lgamma(a)
                + .5 * d * np.log(2 * np.pi / eta))
    for iteration in range(1, most + 1):
        f = predict(np.vstack([x + delta, x + delta + steps]))
        slope = ((f[1:].reshape(d, k) - f[0]) / h).mean(axis=1)
        r = y - f[0]
        step = (1 - kappa * eta) * delta + kappa * (2 * a + 1) * slope * r / (2 * b + r * r)
        delta = np.sign(step) * np.maximum(np.abs(step) - kappa * eta * nu, 0)
        objective = ((a + .5) * np.log1p(r * r / (2 * b)) + .5 * eta * delta @ delta
                     + constant)
        change = np.abs(delta - old).sum() / max(np.abs(delta).sum(), 1e-8)
        if change <= tol and abs(objective - old_objective) <= tol * abs(objective):
            break
        old, old_objective, kappa = delta, objective, .9 * kappa
    return delta, iteration


class Timed:
    """A model that knows how long it took."""

    def __init__(self, model):
        self.model, self.spent, self.calls = model, 0.0, 0

    def predict(self, x):
        start = time.perf_counter()
        y = self.model.predict(x)
        self.spent += time.perf_counter() - start
        self.calls += 1
        return y


class Callback(unittest.TestCase):
    def test_a_few_bare_calls(self):
        """A call of a Python function from C and back, with all that is checked, beside
        ctypes callbacks that do nothing and the copying of its rows, in the same run. C
        reads the rows and the answers as well: the copying counts twice."""
        bare = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_size_t] * 5)(lambda *_: 0)
        f, x, y = planted()
        zeros = np.zeros(4096)
        study = Study("explain", lambda z: zeros[:len(z)], x, y, {})
        big = np.zeros((4096, 4))
        out = np.empty(4096)

        def timed():
            lib, err = library(), _structs.ErrorText()
            model = lib.gpa_study_model(study.pointer)
            for n in (1, 100, 4096):
                spent = best(lambda: lib.gpa_model_predict(model, address(big), n,
                                                           address(out), err), 3000)
                copying = best(lambda: (big[:n].copy(), out[:n].__setitem__(
                    slice(None), zeros[:n])), 3000)
                nothing = best(lambda: bare(0, 0, n, 4, 0), 3000)
                print(f"callback of {n} rows: {1e6 * spent:.1f} us; copying {1e6 * copying:.1f}"
                      f" us, a bare callback {1e6 * nothing:.1f} us")
                self.assertLess(spent, 12 * nothing + 2 * copying)
        study.answer(timed)


@needs("sklearn")
class Diabetes(unittest.TestCase):
    """One outlier of the Diabetes data, the most probable change alone."""

    @classmethod
    def setUpClass(cls):
        from sklearn.datasets import load_diabetes
        from sklearn.neural_network import MLPRegressor
        from sklearn.preprocessing import StandardScaler
        data = load_diabetes(scaled=False)
        cls.x = StandardScaler().fit_transform(data.data)
        cls.y = data.target
        cls.train = lambda sizes: MLPRegressor(
            sizes, solver="lbfgs", alpha=15, max_iter=60,
            random_state=1).fit(cls.x[:353], cls.y[:353])

    def setUp(self):
        warnings.filterwarnings("ignore", message="lbfgs failed to converge")

    def explain(self, sizes):
        """(seconds in all, share of the model, the explanation, the model): of the model and
        of all else the shortest of many runs."""
        model = Timed(type(self).train(sizes))
        x, y = self.x[353:], self.y[353:]
        inside, outside = [], []
        for _ in range(25):
            model.spent, start = 0.0, time.perf_counter()
            e = gpa.explain(model, x, y, **MAP)
            outside.append(time.perf_counter() - start - model.spent)
            inside.append(model.spent)
        whole = min(inside) + min(outside)
        return whole, min(inside) / whole, e, model

    def published(self, e, model):
        """Algorithm 2 on the same row, with the paper's parameters."""
        h, unit = np.random.default_rng(2).normal(size=10), e.unit
        return best(lambda: published_map(lambda z: model.predict(z * unit), e.data / unit,
                                          e.y, e.prior["b0"][0], h), 3)

    def test_against_the_published_algorithm(self):
        """What gpa itself takes, half a millisecond, shows beside a network of microseconds;
        those are measured and printed, too."""
        for sizes, required in (((32, 8), False), ((100,), False), ((400, 200), True)):
            whole, share, e, model = self.explain(sizes)
            slow = self.published(e, model)
            print(f"Diabetes, MLP {sizes}: {1e3 * whole:.2f} ms, {100 * share:.0f} % in the "
                  f"model; published algorithm {1e3 * slow:.1f} ms, {slow / whole:.1f} times")
            if required:
                self.assertGreater(slow / whole, 5)
                self.assertGreater(share, .8)


class Libraries(unittest.TestCase):
    """Models that start threads for every call, on two processors: as they are, as gpa calls
    them, and as it asks their trees by itself, in turns. OpenMP's threads wait for each other, which costs little while both
    processors are idle, and much when they have something else to do."""

    CODE = """
import subprocess, sys, time
import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
import gpa
from gpa import _model, _threads
rng = np.random.default_rng(0)
x = rng.normal(size=(600, 10))
y = x @ rng.normal(size=10) + np.sin(3 * x[:, 0]) + .1 * rng.normal(size=600)
x[5, 2] += 4
ways = [(lambda: [], lambda f: f, False), (_threads.pools, _model.quick_function, False),
        (_threads.pools, _model.quick_function, True)]
boosting = HistGradientBoostingRegressor()
forests = [(f"forest, n_jobs={n}", RandomForestRegressor(100, n_jobs=n), False)
           for n in (2, -1, None)]
for name, model, busy in [("histogram boosting, one processor busy", boosting, True), *forests,
                          ("histogram boosting", boosting, False)]:
    model.fit(x, y)
    spent = [[], [], []]
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if busy else None
    for _ in range(3):
        for way, seconds in zip(ways, spent):
            _threads.pools, _model.quick_function, native = way
            start = time.perf_counter()
            gpa.explain(model, x, y, progress="never", native=native)
            seconds.append(time.perf_counter() - start)
    if other:
        other.kill()
        other.wait()
    before, now, native = map(np.median, spent)
    print(f"{name}: {before:.3f} s as it is, {now:.3f} s as gpa calls it, {native:.3f} s by its "
          f"trees, {before / now:.1f} and {before / native:.1f} times", flush=True)
"""

    @needs("sklearn")
    @unittest.skipIf(os.cpu_count() < 2, "one processor")
    def test_threads_of_small_batches(self):
        status, out, err = run_python(self.CODE, timeout=300, OMP_NUM_THREADS="2")
        print(out)
        self.assertEqual(status, 0, err)
        times = [line.split(", ")[-1].split()[0:3:2] for line in out.splitlines()]
        called, by_trees = np.array(times, dtype=float).T
        self.assertEqual(len(called), 5)
        self.assertGreater(called[0], 1.3)
        for ratio in (*called[1:3], *by_trees[:4]):
            self.assertGreater(ratio, 1.5)


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    unittest.main()
