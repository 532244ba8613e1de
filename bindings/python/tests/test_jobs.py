"""Several processes, the same bytes."""
import os
import pathlib
import pickle
import sys
import tempfile
import unittest
from unittest import mock
import warnings

from support import needs
import gpa
from gpa._jobs import packed, portable
import numpy as np

try:
    import pandas
except ImportError:
    pandas = None


def table(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = f(X) + rng.normal(size=n) * .3
    X[::9, 1] += 3
    return X, y


def f(X):
    return X[:, 0] + np.sin(2 * X[:, 1]) + X[:, 2] * X[:, 3]


def frame(n=120):
    X, y = table(n)
    return pandas.DataFrame(X, columns=list("abcd")).assign(
        colour=np.resize(["red", "green", "blue"], n), y=y + np.resize([0, 1, 2], n))


def of_frame(x):
    return (x.a + np.sin(2 * x.b) + x.c * x.d
            + x.colour.map({"red": 0, "green": 1, "blue": 2}).astype(float))


class Model:
    def predict(self, x):
        return of_frame(x)


@needs("joblib")
class Processes(unittest.TestCase):
    def test_same_bytes(self):
        X, y = table()
        for model in (f, lambda X: f(X)):
            one = gpa.explain(model, X, y, top=7)
            self.assertEqual(gpa.explain(model, X, y, top=7, n_jobs=2).to_json(), one.to_json())

    def test_without_cloudpickle(self):
        """joblib's own does as well; without both, functions that have a name are sent."""
        X, y = table()
        unnamed = lambda X: f(X)
        one = gpa.explain(unnamed, X, y, top=3, n_jobs=2)  # all that joblib imports
        own, joblibs = {"cloudpickle": None}, {"joblib.externals.cloudpickle": None}
        with mock.patch.dict(sys.modules, own):
            two = gpa.explain(unnamed, X, y, top=3, n_jobs=2)
            self.assertEqual(two.to_json(), one.to_json())
        with mock.patch.dict(sys.modules, {**own, **joblibs}):
            with self.assertRaisesRegex(TypeError, "install cloudpickle, or give a model by"):
                packed(portable(unnamed))
            named, want = packed(portable(np.sin)), np.sin(X)
        np.testing.assert_array_equal(pickle.loads(named)()(X), want)

    @needs("pandas")
    def test_frames(self):
        x = frame()
        one = gpa.explain(of_frame, x, "y", rows=[3, 9, 18, 20])
        two = gpa.explain(of_frame, x, "y", rows=[3, 9, 18, 20], n_jobs=2)
        self.assertEqual(one.to_json(), two.to_json())
        pandas.testing.assert_frame_equal(one.to_frame(), two.to_frame())

    def test_specs(self):
        root = pathlib.Path(__file__).resolve().parents[3] / "examples/diabetes"
        spec, data = f"mlp:{root / 'model.json'}", root / "heldout.csv"
        one = gpa.explain(spec, data, all=True, marginals="none")
        for model in (spec, gpa.load_model(spec)):
            two = gpa.explain(model, data, all=True, marginals="none", n_jobs=2)
            self.assertEqual(one.to_json(), two.to_json())

    def test_one_row_and_together(self):
        X, y = table()
        for options in ({}, {"rows": 4}, {"rows": [1, 2], "collective": True}):
            self.assertEqual(gpa.explain(f, X, y, n_jobs=2, **options).to_json(),
                             gpa.explain(f, X, y, **options).to_json())

    def test_what_the_model_raises(self):
        def model(X):
            if len(X) < 50:
                raise KeyError("not today")
            return f(X)
        X, y = table()
        with self.assertRaises(KeyError):
            gpa.explain(model, X, y, top=4, n_jobs=2)

    def test_no_number_of_processes(self):
        X, y = table()
        for wrong in "x", "2", 2.5, [2], {}:
            with self.assertRaisesRegex(TypeError, "n_jobs: .* is not a whole number"):
                gpa.explain(f, X, y, n_jobs=wrong)
        with self.assertRaisesRegex(ValueError, "n_jobs: 0 processes"):
            gpa.explain(f, X, y, n_jobs=0)
        self.assertEqual(gpa.explain(f, X, y, top=2, n_jobs=1).to_json(),
                         gpa.explain(f, X, y, top=2).to_json())


@needs("pandas")
class Batches(unittest.TestCase):
    def test_division_does_not_matter(self):
        x, normal = frame(40), frame(150)
        whole = gpa.explain(of_frame, x, "y", plausible="reference",
                            reference=(normal.drop(columns="y"), normal.y))
        for size in (7, 40):
            found = pandas.concat(list(gpa.explain_batches(
                (x[i:i + size] for i in range(0, 40, size)), of_frame, "y", reference=normal)))
            want = whole.to_frame()
            for column in ("delta", "responsible", "x", "verdict"):
                self.assertEqual(list(found[column].astype(str)), list(want[column].astype(str)))

    def test_units_and_files(self):
        """y may be called without its unit, and the reference may be a file."""
        x, normal = frame(4), frame(150)
        want, = gpa.explain_batches([x], of_frame, "y", reference=normal)
        unit = {"y": "y [kg/h]"}
        with tempfile.TemporaryDirectory() as folder:
            normal.rename(columns=unit).to_csv(f"{folder}/normal.csv", index=False)
            normal.to_csv(f"{folder}/bare.csv", index=False)
            for data, name, reference in (
                    (x.rename(columns=unit), "y [kg/h]", normal.rename(columns=unit)),
                    (x.rename(columns=unit), "y", normal.rename(columns=unit)),
                    (x, "y", f"{folder}/bare.csv"),
                    (x.rename(columns=unit), "y", f"{folder}/normal.csv")):
                found, = gpa.explain_batches([data], of_frame, name, reference=reference)
                self.assertEqual(list(found.delta.astype(str)), list(want.delta.astype(str)))
        with self.assertRaisesRegex(ValueError, "reference: no column 'z'"):
            gpa.explain(of_frame, x, "y", reference=(normal, "z"))

    def test_order_of_arguments(self):
        x = frame(4)
        for batches, model in ((x, of_frame), (Model(), [x])):
            with self.assertRaisesRegex(TypeError, "batches come first"):
                next(gpa.explain_batches(batches, model, "y", reference=x))

    def test_a_reference_is_needed(self):
        with self.assertRaises(TypeError):
            next(gpa.explain_batches([frame()], of_frame, "y"))


@needs("distributed")
class Dask(unittest.TestCase):
    def test_same_bytes_with_a_killed_worker(self):
        """A worker that is killed in the middle: its parts are done again elsewhere."""
        import gpa.dask
        from distributed import Client, LocalCluster
        X, y = table(60)
        with tempfile.TemporaryDirectory() as folder:
            mark = os.path.join(folder, "killed")

            def model(X, mark=mark):
                import signal
                if len(X) not in (60, 0) and not os.path.exists(mark):
                    open(mark, "w").close()
                    os.kill(os.getpid(), signal.SIGKILL)  # the first worker to explain
                return f(X)
            model.__module__, model.__qualname__ = f.__module__, f.__qualname__
            one = gpa.explain(f, X, y, all=True)
            with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                              silence_logs=50) as cluster, Client(cluster) as client:
                two = gpa.dask.explain(client, model, X, y, all=True)
            self.assertTrue(os.path.exists(mark))
        self.assertEqual(one.to_json(), two.to_json())

    @needs("pandas")
    def test_dask_frames(self):
        try:
            import dask.dataframe
        except ImportError as error:
            self.skipTest(f"no dask.dataframe: {error}")
        import gpa.dask
        from distributed import Client
        x = frame()
        one = gpa.explain(of_frame, x, "y", top=3)
        with Client(n_workers=1, processes=False, dashboard_address=None) as client:
            two = gpa.dask.explain(client, of_frame, dask.dataframe.from_pandas(x, 3), "y", top=3)
        self.assertEqual(one.to_json(), two.to_json())


if __name__ == "__main__":
    warnings.simplefilter("ignore", UserWarning)
    unittest.main()
