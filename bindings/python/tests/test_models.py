"""What can be a model, and what comes back from it."""
import unittest
import warnings

from support import heldout, needs, planted
import gpa
import numpy as np

FAST = {"marginals": "none"}


class Culprits(unittest.TestCase):
    """One input of one row is off by a known amount: every kind of model must find it."""

    def setUp(self):
        warnings.filterwarnings("ignore", message="lbfgs failed to converge")

    @classmethod
    def setUpClass(cls):
        rng = np.random.default_rng(3)
        cls.x = rng.normal(size=(300, 4))
        cls.y = 3 * cls.x[:, 0] + cls.x[:, 1] ** 2 - cls.x[:, 2] + 0.1 * rng.normal(size=300)
        cls.test = cls.x[:100].copy()
        cls.test[11, 0] += 4.0

    def check(self, model, x=None, sure=True):
        e = gpa.explain(model, self.test if x is None else x, self.y[:100], rows=11, **FAST)
        self.assertEqual(e.rows, [11])
        self.assertLess(e.delta_raw[0], -0.5)  # it should have been lower
        if sure:
            self.assertEqual(int(np.argmax(e.responsible)), 0)
        self.assertGreater(abs(e.y - e.f), abs(e.y - e.f_moved))
        return e

    @needs("sklearn")
    def test_mlp(self):
        from sklearn.neural_network import MLPRegressor
        self.check(MLPRegressor((32,), solver="lbfgs", max_iter=400,
                                random_state=0).fit(self.x, self.y))

    @needs("sklearn")
    def test_forest(self):
        from sklearn.ensemble import RandomForestRegressor
        self.check(RandomForestRegressor(50, random_state=0).fit(self.x, self.y))

    @needs("sklearn")
    def test_boosting(self):
        from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor
        self.check(GradientBoostingRegressor(random_state=0).fit(self.x, self.y))
        self.check(HistGradientBoostingRegressor(random_state=0).fit(self.x, self.y))

    @needs("sklearn")
    def test_pipeline_with_scaler(self):
        from sklearn.neural_network import MLPRegressor
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        model = make_pipeline(StandardScaler(), MLPRegressor(
            (32,), solver="lbfgs", max_iter=400, random_state=0)).fit(self.x, self.y)
        self.assertEqual(self.check(model).model, "python:sklearn.pipeline.Pipeline")

    @needs("xgboost")
    def test_xgboost(self):
        import xgboost
        model = xgboost.XGBRegressor(n_estimators=60, max_depth=4, n_jobs=1)
        e = self.check(model.fit(self.x, self.y))
        self.assertEqual(e.model, "python:xgboost.sklearn.XGBRegressor")

    def test_lambda(self):
        e = self.check(lambda x: 3 * x[:, 0] + x[:, 1] ** 2 - x[:, 2])
        self.assertAlmostEqual(e.culprit.alone[0].median_raw, -4.0, delta=1.0)
        self.assertEqual(e.verdict.kind, "input")

    @needs("pandas")
    def test_frames(self):
        import pandas
        names = ["first", "second", "third", "fourth"]
        frame = pandas.DataFrame(self.test, columns=names)
        kinds = set()

        def model(x):
            kinds.add(type(x).__name__)
            return 3 * x["first"] + x["second"] ** 2 - x["third"]
        e = self.check(model, frame)
        self.assertEqual(kinds, {"DataFrame"})
        self.assertEqual(e.feature_names, names)
        with_y = frame.assign(outcome=self.y[:100])
        e = gpa.explain(model, with_y, "outcome", rows=11, **FAST)
        self.assertEqual((e.feature_names, e.target), (names, "outcome"))
        row = gpa.explain(model, frame.iloc[11], self.y[11], sigma=.1, scale="none", **FAST)
        self.assertEqual((row.feature_names, row.ids), (names, ["0"]))
        named = gpa.explain(model, frame.set_axis([f"p{i}" for i in range(100)]),
                            self.y[:100], rows=11, **FAST)
        self.assertEqual(named.ids, ["p11"])

    @needs("pandas")
    @needs("sklearn")
    def test_models_fitted_with_names_get_them_back(self):
        import pandas
        from sklearn.compose import make_column_transformer
        from sklearn.linear_model import LinearRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        frame = pandas.DataFrame(self.x, columns=list("abcd"))
        model = make_pipeline(make_column_transformer((StandardScaler(), ["a", "c"]),
                                                      remainder="passthrough"),
                              LinearRegression()).fit(frame, self.y)
        shuffled = frame[["d", "b", "a", "c"]].iloc[:100].copy()
        shuffled.iloc[11, 2] += 4
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            e = gpa.explain(model, shuffled, self.y[:100], rows=11, **FAST)
            by_order = gpa.explain(model, self.test, self.y[:100], rows=11, **FAST)
        self.assertEqual(e.feature_names, list("abcd"))
        self.assertEqual(by_order.feature_names, list("abcd"))
        np.testing.assert_array_equal(e.delta, by_order.delta)


class Answers(unittest.TestCase):
    """What a model may give."""

    def setUp(self):
        self.f, self.x, self.y = planted()
        self.want = gpa.explain(self.f, self.x, self.y, **FAST).delta

    def test_shapes_and_types(self):
        cases = {"a column": lambda x: self.f(x)[:, None],
                 "a list": lambda x: list(self.f(x)),
                 "objects": lambda x: self.f(x).astype(object),
                 "a strided view": lambda x: np.repeat(self.f(x), 2)[::2],
                 "an object with predict": type("P", (), {"predict": lambda s, x: self.f(x)})()}
        for name, model in cases.items():
            with self.subTest(name):
                np.testing.assert_array_equal(
                    gpa.explain(model, self.x, self.y, **FAST).delta, self.want)

    def test_float32(self):
        e = gpa.explain(lambda x: self.f(x).astype(np.float32), self.x, self.y, **FAST)
        np.testing.assert_allclose(e.delta, self.want, atol=.05)
        e = gpa.explain(self.f, self.x.astype(np.float32), self.y.astype(np.float32), **FAST)
        np.testing.assert_allclose(e.delta, self.want, atol=1e-3)

    def test_integers(self):
        e = gpa.explain(lambda x: np.rint(self.f(x)).astype(int), self.x, self.y, **FAST)
        self.assertLess(e.delta[0], 0)

    def test_rows_belong_to_the_model(self):
        """It may keep or spoil what it is given."""
        def spoil(x):
            y = self.f(x)
            x[:] = np.nan
            return y
        np.testing.assert_array_equal(gpa.explain(spoil, self.x, self.y, **FAST).delta,
                                      self.want)
        self.assertTrue(np.isfinite(self.x).all())

    def test_orders_of_memory(self):
        np.testing.assert_array_equal(
            gpa.explain(self.f, np.asfortranarray(self.x), self.y, **FAST).delta, self.want)
        np.testing.assert_array_equal(
            gpa.explain(self.f, self.x.tolist(), self.y.tolist(), **FAST).delta, self.want)

    def test_batches(self):
        most = []

        def model(x):
            most.append(len(x))
            return self.f(x)
        e = gpa.explain(model, self.x, self.y, batch=10, **FAST)
        self.assertLessEqual(max(most), 10)
        np.testing.assert_allclose(e.delta, self.want, rtol=1e-9)

    def test_nan_off_the_data_is_dropped(self):
        e = gpa.explain(lambda x: np.where(np.abs(x[:, 0]) > 6, np.nan, self.f(x)), self.x,
                        self.y, **FAST)
        self.assertGreater(e.nonfinite_rows, 0)


class Rows(unittest.TestCase):
    """Which rows are explained, and by what they are judged."""

    def setUp(self):
        self.f, self.x, self.y = planted()

    def test_default_is_the_worst_row(self):
        e = gpa.explain(self.f, self.x, self.y, **FAST)
        self.assertEqual((e.ndim, e.rows), (1, [7]))

    def test_choices(self):
        for options, rows in (({"rows": [9, 2]}, [[9], [2]]), ({"rows": -1}, [119]),
                              ({"rows": np.arange(120) == 5}, [[5]]),
                              ({"top": 1}, [[7]]), ({"all": True}, [[i] for i in range(120)]),
                              ({"threshold": 1e4}, [])):
            with self.subTest(options=options):
                e = gpa.explain(self.f, self.x, self.y, culprit="off", **options, **FAST)
                self.assertEqual(e.rows, rows)

    def test_one_row_equals_that_row_among_others(self):
        many = gpa.explain(self.f, self.x, self.y, rows=[3, 7, 11])
        one = gpa.explain(self.f, self.x, self.y, rows=7)
        self.assertEqual(many[1].to_json().partition('"explanations"')[2],
                         one.to_json().partition('"explanations"')[2])

    def test_collective(self):
        x, y = self.x.copy(), self.y.copy()
        x[20:25, 2] += 2.5
        e = gpa.explain(self.f, x, y, rows=range(20, 25), collective=True, **FAST)
        self.assertEqual((e.ndim, e.data.shape, e.y.shape), (1, (5, 4), (5,)))
        self.assertEqual(int(np.argmax(e.responsible)), 2)

    def test_new_rows_by_an_observed_reference(self):
        new = self.x[7] + 0.0
        e = gpa.explain(self.f, new, 0.5 * self.f(new[None])[0], reference=(
            np.delete(self.x, 7, 0), np.delete(self.y, 7)), **FAST)
        self.assertEqual((e.ndim, e.rows, e.data.shape), (1, [0], (4,)))
        several = gpa.explain(self.f, self.x[5:9], self.y[5:9],
                              reference=(self.x[20:], self.y[20:]), **FAST)
        self.assertEqual(several.rows, [[0], [1], [2], [3]])
        self.assertEqual(several.ids, [["0"], ["1"], ["2"], ["3"]])
        self.assertEqual(int(np.argmax(several[2].responsible)), 0)
        np.testing.assert_array_equal(several.data, self.x[5:9])
        rest = self.y[20:] - self.f(self.x[20:])
        self.assertAlmostEqual(several[0].prior["sigma"], rest.std(), places=12)

    def test_a_single_row_with_sigma(self):
        e = gpa.explain(self.f, self.x[7], self.y[7], sigma=.1, scale="none", **FAST)
        self.assertEqual((e.ndim, e.rows), (1, [0]))
        x, y = self.x[7].tolist(), float(self.y[7])
        again = gpa.explain(self.f, x, y, sigma=.1, scale="none", **FAST)
        np.testing.assert_array_equal(e.delta, again.delta)

    def test_limits(self):
        e = gpa.explain(self.f, self.x, self.y, freeze=["x1"], **FAST)
        self.assertEqual(e.delta[0], 0)
        e = gpa.explain(self.f, self.x, self.y, bounds={"x1": (None, 2.0)}, **FAST)
        self.assertLessEqual(e.data[0] + e.delta_raw[0], 2.0 + 1e-12)
        e = gpa.explain(self.f, np.rint(self.x), self.y, integer=["x1", 2], **FAST)
        self.assertEqual(e.delta_raw[0], round(e.delta_raw[0]))

    def test_limits_by_number(self):
        e = gpa.explain(self.f, self.x, self.y, freeze=[-1], bounds={0: (None, 2.5)}, **FAST)
        self.assertEqual((e.delta[3], e.options["freeze"], e.options["bounds"]),
                         (0, ["x4"], ["x1=:2.5"]))

    def test_numbers_in_place_of_files(self):
        """They are part of the record, and a saved result can be read again."""
        e = gpa.explain(self.f, self.x, self.y, delta_init=[0, .5, 0, 0], scale=(
            [0] * 4, dict(zip(["x1", "x2", "x3", "x4"], [1, 2, 3, 4]))), **FAST)
        self.assertEqual((e.options["delta-init"], e.options["scale"]),
                         ([0, .5, 0, 0], [0, 0, 0, 0, 1, 2, 3, 4]))
        np.testing.assert_array_equal(e.unit, [1, 2, 3, 4])
        self.assertEqual(gpa.Explanation.from_json(e.to_json()).options, e.options)

    def test_a_file_with_outcomes_of_its_own(self):
        from support import HELDOUT, MODEL, SPOILT
        x, y, _ = heldout()
        want = gpa.explain(f"mlp:{MODEL}", HELDOUT, **FAST)
        e = gpa.explain(f"mlp:{MODEL}", HELDOUT, y, target="progression", **FAST)
        np.testing.assert_array_equal(e.delta, want.delta)
        by_file = gpa.explain(f"mlp:{MODEL}", SPOILT, rows=[10],
                              reference=(HELDOUT, "progression"), **FAST)
        by_rows = gpa.explain(f"mlp:{MODEL}", SPOILT, rows=[10], reference=(x, y), **FAST)
        np.testing.assert_array_equal(by_file.delta, by_rows.delta)

    def test_few_rows_are_measured_by_the_reference(self):
        e = gpa.explain(self.f, self.x[:3], self.y[:3], sigma=.1, reference=self.x, **FAST)
        np.testing.assert_array_equal(
            e.unit, gpa.explain(self.f, self.x, self.y, **FAST).unit)
        with self.assertWarnsRegex(UserWarning, "fewer than 5 rows") as caught:
            gpa.explain(self.f, self.x[:3], self.y[:3], sigma=.1, **FAST)
        self.assertEqual(caught.filename, __file__)  # it points at the caller

    def test_demo(self):
        """The mistake made on purpose in the demo's data is found."""
        from support import MODEL, SPOILT
        e = gpa.explain(f"mlp:{MODEL}", SPOILT)
        self.assertEqual((e.rows, e.verdict.kind, e.culprit.set90), ([10], "input", ["bmi"]))
        x, y, names = heldout()
        self.assertAlmostEqual(e["bmi"].value / x[10, 2], 2.205, places=6)


if __name__ == "__main__":
    unittest.main()
