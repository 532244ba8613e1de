"""What keeps small batches cheap: one thread for libraries, forests without joblib."""
import json
import os
import tempfile
import unittest
import warnings
from unittest import mock

from support import needs, planted, run_python
import gpa
import numpy as np
from gpa import _threads
from gpa._known import quick as _quick

F, X, Y = planted()


class Pool:
    """Threads that somebody set."""

    def __init__(self, private):
        self.now, self.seen = 4, []
        self.pool = _threads.Pool(lambda: self.now, self.set, private)

    def set(self, n):
        self.now = n


class Limits(unittest.TestCase):
    def setUp(self):
        self.held = [Pool(True), Pool(False)]
        patch = mock.patch.object(_threads, "pools", lambda: [one.pool for one in self.held])
        patch.start()
        self.addCleanup(patch.stop)

    def now(self):
        return [one.now for one in self.held]

    def test_held_and_given_back(self):
        seen = []

        def model(x):
            seen.append((len(x) >= _threads.MANY, self.now()))
            return F(x)
        gpa.explain(model, X, Y, marginal_rows=64)
        self.assertEqual({str(s) for s in seen}, {str((False, [1, 1]))})
        self.assertEqual(self.now(), [4, 4])
        seen.clear()
        big = np.tile(X, (100, 1))
        gpa.score(model, big, np.tile(Y, 100))
        self.assertEqual({str(s) for s in seen}, {str((True, [4, 4])), str((False, [1, 1]))})
        self.assertEqual(self.now(), [4, 4])

    def test_given_back_after_errors(self):
        def broken(x):
            raise KeyError("no")
        for n in (1, 100):
            with self.assertRaises(KeyError):
                gpa.explain(broken, np.tile(X, (n, 1)), np.tile(Y, n))
            self.assertEqual(self.now(), [4, 4])

    def test_calls_inside_of_calls(self):
        def model(x):
            gpa.explain(F, X, Y, marginals="none", culprit="off")
            self.assertEqual(self.now(), [1, 1])
            return F(x)
        gpa.explain(model, X, Y, marginals="none", culprit="off")
        self.assertEqual(self.now(), [4, 4])

    def test_threads_at_once(self):
        """What all share is given back by the last, what is a thread's own by itself."""
        import threading
        inside, go, after = threading.Barrier(3), threading.Event(), []

        def one():
            _threads.hold()
            inside.wait()
            go.wait()
            _threads.give_back()
            after.append(self.held[1].now)
        threads = [threading.Thread(target=one) for _ in range(2)]
        for thread in threads:
            thread.start()
        inside.wait()
        self.assertEqual(self.held[1].now, 1)
        go.set()
        for thread in threads:
            thread.join()
        self.assertEqual((after[-1], self.held[1].now), (4, 4))

    def test_native_models_keep_theirs(self):
        with mock.patch.object(_threads, "hold", self.fail):
            gpa.load_model("builtin:sinusoid2d").predict([[0.0, 1.0]])


@needs("sklearn")
class Libraries(unittest.TestCase):
    CODE = ("import sys, numpy as np, gpa, gpa._threads\n"
            "if sys.argv[1] == 'without':\n"
            "    gpa._threads.listed = None\n"
            "from sklearn.utils._openmp_helpers import _openmp_effective_n_threads as threads\n"
            "x = np.random.default_rng(0).normal(size=(60, 2))\n"
            "def f(x):\n"
            "    seen.add(threads())\n"
            "    return x @ [2., 1.]\n"
            "y, seen = x @ [2., 1.] + np.tile([.1, -.1], 30), set()\n"
            "before = threads()\n"
            "gpa.explain(f, x, y, marginals='none')\n"
            "print(before, seen, threads())\n")

    @unittest.skipIf(os.cpu_count() < 2, "one processor")
    def test_openmp(self):
        """With and without threadpoolctl."""
        for how in ("with", "without"):
            status, out, err = run_python(self.CODE, how, OMP_NUM_THREADS="2")
            self.assertEqual((status, out.strip()), (0, "2 {1} 2"), err)

    def test_nothing_to_find(self):
        with mock.patch.object(_threads, "listed", None), \
                mock.patch.object(_threads, "mapped", None), \
                mock.patch.object(_threads, "_known", (0, [])):
            self.assertEqual(_threads.pools(), [])
            gpa.explain(F, X, Y, marginals="none")


@needs("sklearn")
class Trees(unittest.TestCase):
    """Those of scikit-learn are asked in the library, and give what predict gives."""

    @classmethod
    def setUpClass(cls):
        from sklearn.ensemble import (ExtraTreesRegressor, GradientBoostingRegressor,
                                      HistGradientBoostingRegressor, RandomForestRegressor)
        from sklearn.model_selection import GridSearchCV
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.tree import DecisionTreeRegressor
        models = [RandomForestRegressor(20, n_jobs=2, random_state=0),
                  ExtraTreesRegressor(20, random_state=0), DecisionTreeRegressor(max_depth=6),
                  GradientBoostingRegressor(n_estimators=20, random_state=0),
                  HistGradientBoostingRegressor(max_iter=20, min_samples_leaf=5),
                  make_pipeline(StandardScaler(), RandomForestRegressor(5, random_state=0)),
                  GridSearchCV(HistGradientBoostingRegressor(max_iter=9), {"max_depth": [3]},
                               cv=2)]
        cls.models = [model.fit(X[:70], Y[:70]) for model in models]

    @staticmethod
    def note(e):
        return any("asked in the library" in note for note in e.notes)

    def test_same_answers(self):
        """The very same rows are asked for, so that a sum rounded otherwise would show."""
        for model in self.models:
            for asked in (model, model.predict):
                with self.subTest(model):
                    e = gpa.explain(asked, X, Y)
                    own = gpa.explain(asked, X, Y, native=False, marginals="exact")
                    self.assertTrue(self.note(e) and self.note(gpa.Explanation.from_json(e.to_json())))
                    self.assertFalse(self.note(own))
                    found, wanted = (json.loads(one.to_json())["explanations"][0]
                                     for one in (e, own))
                    found["notes"] = [note for note in found["notes"]
                                      if "asked in the library" not in note]
                    if getattr(model, "n_jobs", None) is None:  # which adds up in any order
                        self.assertEqual(found, wanted)
                    np.testing.assert_allclose(e.responsible, own.responsible, atol=1e-9)
                    np.testing.assert_allclose(e.delta, own.delta, atol=1e-9)

    def test_default_by_kind(self):
        """Exact where the library asks, surrogate where Python is called; never by a clock."""
        for native, want in ((None, "exact"), (True, "exact"), (False, "surrogate")):
            e = gpa.explain(self.models[0], X, Y, native=native)
            self.assertEqual(json.loads(e.to_json())["marginals"], want)

    def test_compare(self):
        c, own = (gpa.compare(self.models[1], X, Y, methods=["gpa", "lime", "ig"],
                              native=native) for native in (True, False))
        for name in own.scores:
            np.testing.assert_allclose(c.scores[name], own.scores[name], atol=1e-9)

    def test_not_called(self):
        """Not even once for a model that is known."""
        model = self.models[0]
        gpa.explain(model, X, Y, marginals="none")
        with mock.patch.object(type(model), "_validate_X_predict", None):
            gpa.explain(model, X, Y, marginals="none")

    def test_changed_in_place(self):
        """What is fitted again, or edited, is read again."""
        from sklearn.ensemble import GradientBoostingRegressor
        model = GradientBoostingRegressor(n_estimators=9, random_state=0).fit(X, Y)

        def check():
            e = gpa.explain(model, X, Y, rows=3, marginals="none")
            self.assertTrue(self.note(e))
            np.testing.assert_allclose(e.f, model.predict(X[3:4]), rtol=1e-12)
        check()
        model.estimators_[0, 0].tree_.value[:] += 3
        check()
        model.learning_rate = .3
        check()
        model.fit(-X, Y)
        check()

    def test_read_once(self):
        """Also pipelines and searches, whose class has another predict every time."""
        from gpa import _known
        for model in self.models:
            with self.subTest(model):
                self.assertTrue(self.note(gpa.explain(model, X, Y, marginals="none")))
                with mock.patch.object(_known, "handle_of", side_effect=AssertionError):
                    e = gpa.explain(model, X, Y, marginals="none")
                self.assertTrue(self.note(e))

    def predictions(self, model):
        """f of every row, and whether the library was asked."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are off on purpose
            found = gpa.explain(model, X, Y, all=True, marginals="none", culprit="off", sigma=1)
        f = np.empty(len(X))
        f[[one.rows[0] for one in found]] = [one.f for one in found]
        return f, self.note(found[0])

    def test_parts_changed_in_place(self):
        """Scalers, trees and methods of a pipeline in a search."""
        from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
        from sklearn.model_selection import GridSearchCV
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import MinMaxScaler, StandardScaler
        pipe = make_pipeline(StandardScaler(), MinMaxScaler(),
                             RandomForestRegressor(5, random_state=0))
        search = GridSearchCV(pipe, {"randomforestregressor__max_depth": [6]}, cv=2).fit(X, Y)
        standard, minmax, forest = (step for _, step in search.best_estimator_.steps)
        tree = forest.estimators_[2].tree_

        def swap():
            left, right = tree.children_left[0], tree.children_right[0]
            tree.children_left[0], tree.children_right[0] = right, left

        def patch():
            forest.predict = lambda x: x[:, 0]

        def patch_scaler():
            minmax.transform = lambda x: 0 * x
        edits = [(lambda: standard.mean_.__iadd__(.3), True),
                 (lambda: minmax.scale_.__imul__(1.2), True),
                 (lambda: tree.value.__iadd__(3), True),
                 (lambda: tree.threshold.__setitem__(0, .7), True), (swap, True),
                 (lambda: forest.estimators_.pop(), True), (patch, False),
                 (lambda: vars(forest).pop("predict"), True), (patch_scaler, False),
                 (lambda: vars(minmax).pop("transform"), True),
                 (lambda: forest.fit(X[:40], Y[:40]), True),
                 (lambda: search.fit(-X, Y), True)]
        before = self.predictions(search)[0]
        for number, (edit, native) in enumerate(edits):
            with self.subTest(number):
                edit()
                want, (found, asked) = search.predict(X), self.predictions(search)
                np.testing.assert_allclose(found, want, rtol=1e-12)
                self.assertEqual(asked, native)
                self.assertFalse(np.array_equal(found, before))
                before = found
        boosted = make_pipeline(StandardScaler(), HistGradientBoostingRegressor(
            max_iter=9, min_samples_leaf=5)).fit(X, Y)
        nodes = boosted[-1]._predictors[3][0].nodes
        for edit in (lambda: None, lambda: nodes["value"].__iadd__(1),
                     lambda: boosted[-1]._baseline_prediction.__iadd__(2)):
            edit()
            found, asked = self.predictions(boosted)
            self.assertTrue(asked)
            np.testing.assert_allclose(found, boosted.predict(X), rtol=1e-12)

    def test_large_forests(self):
        """They are called, unless they are asked for: by their size, never by a clock."""
        from gpa import _known, _model
        model = self.models[5]  # a pipeline
        nodes = sum(one.tree_.node_count for one in model[-1].estimators_)
        for most, native, want in ((nodes, None, True), (nodes - 1, None, False),
                                   (nodes - 1, True, True), (nodes, False, False)):
            with mock.patch.object(_model, "MOST_NODES", most):
                e = gpa.explain(model, X, Y, marginals="none", native=native)
            self.assertEqual(self.note(e), want)
        self.assertEqual(_known.MOST_NODES, 250_000)  # as docs/python.md says

    @needs("pandas")
    def test_short_floats(self):
        """scikit-learn scales them in their own precision, and trees of steps show it."""
        import pandas
        from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import MinMaxScaler, StandardScaler
        rng = np.random.default_rng(0)
        x = (rng.integers(0, 1000, (len(X), 3)) / 10).astype(np.float32)
        y = .01 * x[:, 0] + np.sin(x[:, 1]) + rng.normal(0, .1, len(X))
        frame = pandas.DataFrame(x, columns=list("abc"))
        for scaler, last in ((StandardScaler(), HistGradientBoostingRegressor(
                max_iter=20, min_samples_leaf=2)), (MinMaxScaler(), RandomForestRegressor(9))):
            for rows in (x, frame, frame.astype({"a": np.float64})):
                model = make_pipeline(scaler, last).fit(rows, y)
                for native in (None, False):
                    found = gpa.explain(model, rows, y, rows=range(9), sigma=1, native=native,
                                        marginals="none", culprit="off")
                    np.testing.assert_array_equal([one.f for one in found],
                                                  model.predict(rows)[:9])
                    self.assertFalse(self.note(found[0]))
        model = last.fit(x, y)  # which rounds to floats by itself
        self.assertTrue(self.note(gpa.explain(model, x, y, marginals="none")))

    def test_too_large_for_floats(self):
        """What predict refuses is refused in its words; histogram boosting takes it."""
        quiet = warnings.catch_warnings()
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)
        warnings.simplefilter("ignore")
        x = X.copy()
        x[7, 2] = 1e39
        for model in (self.models[0], self.models[3], self.models[5]):
            for native in (None, True, False):
                with self.subTest(model, native=native), \
                        self.assertRaisesRegex(ValueError, "too large for dtype.*float32"):
                    gpa.explain(model, x, Y, marginals="none", native=native)
        y = Y.copy()
        y[0] = 1e39  # which no tree sees
        self.assertTrue(self.note(gpa.explain(self.models[0], X, y, rows=3, marginals="none")))
        self.assertTrue(self.note(gpa.explain(self.models[4], x, Y, rows=3, marginals="none")))

    def test_thresholds_before_scaling(self):
        """They are found from where they nearly are, in few steps, and to the bit."""
        from gpa import export
        rng = np.random.default_rng(0)
        steps = [("-", np.array([0.0, 1e6, -3.0])), ("/", np.array([1.0, 2e3, 1e-5])),
                 ("*", np.array([1.0, .1, 3.0])), ("+", np.array([0.0, 2.0, -.5]))]
        t, inputs = rng.normal(size=900), np.repeat([0, 1, 2], 300)
        for to_float in (False, True):
            with mock.patch.object(export, "scaled", wraps=export.scaled) as asked:
                x = export.unscaled(steps, t, inputs, to_float)
            self.assertLess(asked.call_count, 30)
            for place, goes in ((x, True), (np.nextafter(x, np.inf), False)):
                value = (place - steps[0][1][inputs]) / steps[1][1][inputs]
                value = value * steps[2][1][inputs] + steps[3][1][inputs]
                value = value.astype(np.float32) if to_float else value
                np.testing.assert_array_equal(value <= t, goes)

    def test_others_are_called(self):
        from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
        from sklearn.linear_model import LinearRegression

        class Mine(RandomForestRegressor):
            def predict(self, x):
                return 2 * super().predict(x)
        patched = RandomForestRegressor(3).fit(X, Y)
        patched.predict = lambda x: F(x)
        codes = np.column_stack([X[:, :3], np.arange(len(X)) % 5])
        for model, x in ((Mine(3).fit(X, Y), X), (patched, X),
                         (LinearRegression().fit(X, Y), X),
                         (HistGradientBoostingRegressor(
                             categorical_features=[3]).fit(codes, codes[:, 3] % 2 + Y), codes)):
            self.assertFalse(self.note(gpa.explain(model, x, Y, marginals="none")))
        model = RandomForestRegressor(3, random_state=0).fit(X, Y)
        with mock.patch.object(type(model), "predict", lambda self, x: F(x)):
            e = gpa.explain(model, X, Y, marginals="none")  # its predictions differ
        self.assertFalse(self.note(e))
        self.assertTrue(self.note(gpa.explain(model, X, Y, marginals="none")))

    def test_missing_inputs(self):
        """A forest refuses them, histogram boosting knows where they go."""
        x = X.copy()
        x[7, 2] = np.nan
        for model in (self.models[0], self.models[4]):
            found = []
            for native in (True, False):
                with warnings.catch_warnings(record=True) as said:
                    warnings.simplefilter("always")
                    e = gpa.explain(model, x, Y, marginals="none", native=native)
                found.append((e.rows, e.delta.tolist(), [str(one.message) for one in said]))
            self.assertEqual(found[0], found[1])

    @needs("pandas")
    def test_frames(self):
        """Numbers of every type; what is no number goes to the model itself."""
        import pandas
        from sklearn.ensemble import RandomForestRegressor
        table = pandas.DataFrame(X, columns=list("abcd")).astype({"a": np.float32})
        table["b"], table["c"] = np.rint(3 * table["b"]).astype(int), table["c"] > 0
        model = RandomForestRegressor(9, random_state=0).fit(table, Y)
        e = gpa.explain(model, table[list("dcba")], Y)  # by their names
        own = gpa.explain(model, table, Y, native=False, marginals="exact")
        self.assertTrue(self.note(e))
        for name, p, q in ((n, e.responsible[k], own.responsible["abcd".index(n)])
                           for k, n in enumerate(e.feature_names)):
            self.assertAlmostEqual(p, q, 9, name)
        model.fit(table.assign(c=table["c"].astype(int)), Y)
        said = table.assign(c=pandas.Categorical(table["c"].astype(int)))
        self.assertFalse(self.note(gpa.explain(model, said, Y, marginals="none")))

    def test_files(self):
        """Numbers of a file are asked in the library as those of an array are; a file with
        texts, or none, is the model's own."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv")
            np.savetxt(path, np.column_stack([X, Y]), fmt="%.17g", delimiter=",",
                       header="a,b,c,d,y", comments="")
            e, same = gpa.explain(self.models[0], path), gpa.explain(self.models[0], X, Y)
            self.assertTrue(self.note(e))
            self.assertEqual(e.responsible.tolist(), same.responsible.tolist())
            with open(path, "w", encoding="utf-8") as out:
                out.write("a,b,c,d,y\n" + "".join(
                    f"{a},{b},{c},{'left' if d > 0 else 'right'},{y}\n"
                    for (a, b, c, d), y in zip(X, Y)))
            with self.assertRaises(ValueError) as asked:
                gpa.explain(self.models[0], path)
            with self.assertRaises(ValueError) as own:
                gpa.explain(self.models[0], path, native=False)
            self.assertEqual(str(asked.exception), str(own.exception))
            with self.assertRaises(OSError):
                gpa.explain(self.models[0], os.path.join(folder, "none.csv"))

    @needs("pandas")
    def test_names_it_was_not_fitted_with(self):
        """A frame is handed to a model that was fitted with an array as an array."""
        import pandas
        from sklearn.linear_model import Ridge
        for model in (self.models[0], Ridge().fit(X, Y)):
            for asked in (model, model.predict):
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    gpa.explain(asked, pandas.DataFrame(X, columns=list("abcd")), Y,
                                native=False, marginals="none")


@needs("sklearn")
class Forests(unittest.TestCase):
    """With several jobs a forest adds its trees up in any order: the last digits change from
    call to call. With one they do not."""

    @classmethod
    def setUpClass(cls):
        from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor
        cls.forests = [kind(20, n_jobs=jobs, min_samples_leaf=5, random_state=0).fit(X, Y)
                       for kind in (RandomForestRegressor, ExtraTreesRegressor)
                       for jobs in (None, 2, -1)]

    def test_same_answers(self):
        for forest in self.forests:
            jobs = forest.n_jobs
            found, one = _quick.quick(forest), _quick.twin(forest, n_jobs=1)
            self.assertIsNot(found, forest)
            np.testing.assert_array_equal(found.predict(X), one.predict(X))
            self.assertEqual((forest.n_jobs, "predict" in vars(forest)), (jobs, False))
            e = gpa.explain(forest, X, Y, marginal_rows=64, native=False)
            plain = gpa.explain(lambda x: one.predict(x), X, Y, marginal_rows=64)
            self.assertEqual(json.loads(e.to_json())["explanations"],
                             json.loads(plain.to_json())["explanations"])

    def test_by_their_method(self):
        forest = self.forests[1]
        self.assertIsNot(_quick.quick_function(forest.predict), forest.predict)
        np.testing.assert_allclose(_quick.quick_function(forest.predict)(X),
                                   forest.predict(X), rtol=1e-12)
        self.assertIs(_quick.quick_function(F), F)

    def test_inside_of_others(self):
        from sklearn.compose import TransformedTargetRegressor
        from sklearn.ensemble import RandomForestRegressor
        from sklearn.model_selection import GridSearchCV
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        forest = RandomForestRegressor(5, n_jobs=2, random_state=0)
        pipe = make_pipeline(StandardScaler(), forest)
        search = GridSearchCV(pipe, {"randomforestregressor__max_depth": [3]}, cv=2)
        whole = TransformedTargetRegressor(search, transformer=StandardScaler()).fit(X, Y)
        found = _quick.quick(whole)
        last = found.regressor_.best_estimator_.steps[-1][1]
        self.assertEqual((last.n_jobs, "predict" in vars(last)), (1, True))
        self.assertEqual(whole.regressor_.best_estimator_.steps[-1][1].n_jobs, 2)
        np.testing.assert_allclose(found.predict(X), whole.predict(X), rtol=1e-12)

    def test_others_are_left_alone(self):
        from sklearn.ensemble import RandomForestRegressor
        from sklearn.linear_model import LinearRegression

        class Mine(RandomForestRegressor):
            def predict(self, x):
                return 2 * super().predict(x)
        for model in (Mine(3).fit(X, Y), LinearRegression().fit(X, Y), F):
            self.assertIs(_quick.quick(model), model)
        two = RandomForestRegressor(3).fit(X, np.column_stack([Y, Y]))
        self.assertIs(_quick.quick(two), two)
        self.assertIsNotNone(_quick.quick(RandomForestRegressor(3)))  # not fitted

    def test_a_forest_that_adds_up_otherwise(self):
        forest = self.forests[0]
        with mock.patch.object(type(forest), "predict", lambda self, x: np.full(len(x), 7.0)):
            np.testing.assert_array_equal(_quick.quick(forest).predict(X), np.full(len(X), 7.0))

    def test_refused_rows(self):
        """Also after rows that were taken."""
        x = X.copy()
        found = _quick.quick(self.forests[0])
        for value, words in ((np.nan, "NaN"), (np.inf, "infinity"), (1e39, "too large")):
            x[3, 0] = value
            for _ in range(2):
                with self.assertRaisesRegex(ValueError, words):
                    found.predict(x)
                np.testing.assert_array_equal(found.predict(X), self.forests[0].predict(X))
        with self.assertRaisesRegex(ValueError, "features"):
            found.predict(X[:, 1:])

    @needs("pandas")
    def test_frames(self):
        """A frame is looked at once, one of other columns again."""
        import pandas
        from sklearn.ensemble import RandomForestRegressor
        names = list("abcd")
        forest = RandomForestRegressor(5, random_state=0).fit(pandas.DataFrame(X, columns=names), Y)
        with mock.patch.object(type(forest), "_validate_X_predict", autospec=True,
                               side_effect=type(forest)._validate_X_predict) as check:
            found = _quick.quick(forest)
            for n in (3, 5, 7, 20):
                rows = pandas.DataFrame(X[:n], columns=names)
                np.testing.assert_array_equal(found.predict(rows), forest.predict(rows))
            # four of the forest itself, one of its trial, one of ours
            self.assertEqual(check.call_count, 6)
        with self.assertRaisesRegex(ValueError, "feature names"):
            found.predict(pandas.DataFrame(X, columns=names[::-1]))
        np.testing.assert_array_equal(found.predict(rows), forest.predict(rows))

    def test_tried_once(self):
        """A forest that was tried is not tried again, one that was fitted again is."""
        from sklearn.ensemble import RandomForestRegressor
        forest = RandomForestRegressor(5, random_state=0, warm_start=True).fit(X, Y)
        with mock.patch.object(type(forest), "predict", autospec=True,
                               side_effect=type(forest).predict) as own:
            for want in (1, 1):
                _quick.quick(forest).predict(X)
                self.assertEqual(own.call_count, want)
            forest.set_params(n_estimators=8).fit(X, Y)
            np.testing.assert_array_equal(_quick.quick(forest).predict(X),
                                          _quick.twin(forest, n_jobs=1).predict(X))
            self.assertEqual(own.call_count, 3)


if __name__ == "__main__":
    unittest.main()
