"""What the way through Python costs, beside the model itself."""
import importlib.util
import os
import time
import unittest
import warnings

from support import SHARED, needs, planted
import gpa
import numpy as np
from gpa import _structs
from gpa._arrays import address
from gpa._library import library
from gpa._run import Observed

PROTOTYPE = SHARED / "design" / "prototype" / "engine_prototype.py"
MAP = {"marginals": "none", "culprit": "off", "progress": "never"}


def best(function, n):
    """The shortest of n runs: others use this machine, too."""
    spent = []
    for _ in range(n):
        start = time.perf_counter()
        function()
        spent.append(time.perf_counter() - start)
    return min(spent)


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
    def test_below_ten_microseconds(self):
        """A call of a Python function from C and back, with all that is checked, less the
        copying of its rows."""
        f, x, y = planted()
        zeros = np.zeros(4096)
        seen = Observed(lambda z: zeros[:len(z)], x, y, {}, None)
        big = np.zeros((4096, 4))
        out = np.empty(4096)
        with seen.work("timing", "never", 1, None) as work:
            session, err, lib = work.session(), _structs.ErrorText(), library()
            for n in (1, 100, 4096):
                spent = best(lambda: lib.gpa_model_predict(session.pointer, address(big), n,
                                                           address(out), err), 3000)
                copying = best(lambda: (big[:n].copy(), out[:n].__setitem__(
                    slice(None), zeros[:n])), 3000)
                print(f"callback of {n} rows: {1e6 * spent:.1f} us, of which "
                      f"{1e6 * copying:.1f} us copying")
                self.assertLess(spent - copying, 10e-6)


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

    def prototype(self):
        if not PROTOTYPE.exists():
            print("SKIP: the NumPy prototype of the published algorithm is not there "
                  "(GPA_SHARED)", flush=True)
            self.skipTest("no prototype")
        spec = importlib.util.spec_from_file_location("engine_prototype", PROTOTYPE)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def explain(self, sizes):
        """(seconds, share of the model, the explanation, the model)"""
        model = Timed(type(self).train(sizes))
        x, y = self.x[353:], self.y[353:]
        found = []
        for _ in range(20):
            model.spent, start = 0.0, time.perf_counter()
            e = gpa.explain(model, x, y, **MAP)
            whole = time.perf_counter() - start
            found.append((whole, model.spent / whole))
        return (*min(found), e, model)

    def published(self, engine, e, model):
        """Algorithm 2 on the same row, with the paper's parameters."""
        h = np.random.default_rng(2).normal(size=10)
        unit = e.unit

        def run():
            problem = engine.Problem(lambda z: model.predict(z * unit), e.data / unit, e.y,
                                     5.5, e.prior["b0"][0], .4, .5)
            engine.map_paper(problem, .08, engine.slope_nodes("random", perturbations=h),
                             np.zeros(10))
        return best(run, 3)

    def test_against_the_published_algorithm(self):
        """What gpa itself takes, half a millisecond, shows beside a network of microseconds;
        those are measured and printed, too."""
        engine = self.prototype()
        for sizes, required in (((32, 8), False), ((100,), False), ((400, 200), True)):
            whole, share, e, model = self.explain(sizes)
            slow = self.published(engine, e, model)
            print(f"Diabetes, MLP {sizes}: {1e3 * whole:.2f} ms, {100 * share:.0f} % in the "
                  f"model; published algorithm {1e3 * slow:.1f} ms, {slow / whole:.1f} times")
            if required:
                self.assertGreater(slow / whole, 5)
                self.assertGreater(share, .8)


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    unittest.main()
