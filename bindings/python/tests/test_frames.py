"""Data frames reach the model as they were: text, categories, truths, dates, gaps."""
import datetime
import pathlib
import tempfile
import re
import unittest
import warnings

from support import needs
import gpa
import numpy as np

try:
    import pandas
except ImportError:
    pandas = None

FAST = {"marginals": "none"}
ODD = ["plain", "a, b", 'say "no"', "\N{SNOWMAN}\N{GRINNING FACE}", "", "nan", "12", " x "]


def insurance(n=300, seed=0):
    """(frame, y): a table as people have it, and what its columns cost."""
    rng = np.random.default_rng(seed)
    frame = pandas.DataFrame({
        "age": rng.integers(18, 65, n), "sex": rng.choice(["female", "male"], n),
        "bmi": rng.normal(30, 5, n), "children": rng.poisson(1.1, n).clip(0, 5),
        "smoker": rng.choice(["no", "yes"], n, p=[.7, .3]),
        "region": rng.choice(["north", "south", "east", "west"], n)})
    return frame, cost(frame) + rng.normal(0, 300, n)


def cost(x):
    """The insurance's own formula."""
    return (200 * x.age.astype(float) + 4000 * (x.sex == "male") + 90 * x.bmi
            + 500 * x.children + 15000 * (x.smoker == "yes")
            + x.region.astype(object).map({"north": 0, "south": 3000, "east": -2500,
                                           "west": 1000}))


def other(value):
    return {"female": "male", "male": "female", "no": "yes", "yes": "no"}[value]


@needs("pandas")
class OddTypes(unittest.TestCase):
    """Cells that pandas or the library would take for something else."""

    def check(self, values, **options):
        """The model sees in its first call what is in the frame, of the same type in all."""
        warnings.simplefilter("ignore", UserWarning)
        calls = []
        rng = np.random.default_rng(2)
        frame = pandas.DataFrame({"v": values, "x": rng.normal(size=len(values))})

        def model(rows):
            calls.append(rows)
            return rows.x.to_numpy() + [len(str(v)) for v in rows.v]
        found = gpa.explain(model, frame, rng.normal(size=len(values)), rows=[0], **FAST,
                            **options)
        pandas.testing.assert_frame_equal(calls[0], frame)
        self.assertEqual({str(rows.v.dtype) for rows in calls}, {str(frame.v.dtype)})
        return found

    def test_categories_of_dates(self):
        days = pandas.to_datetime(["2021-01-02", "2021-05-06", "2021-09-09"] * 20)
        self.check(pandas.Categorical(days))
        self.check(pandas.Categorical(days.astype(str)))
        self.check(pandas.Categorical(days.astype(str)), kind={"v": "held"})
        self.check(pandas.Categorical(days[:2].tolist() * 30))

    def test_zeros_and_halves_of_characters(self):
        self.check(["a\0b", "a\0c", "z"] * 20)
        self.check(["a\ud800", "b\udfff", "z"] * 20)

    def test_intervals(self):
        self.check(pandas.arrays.IntervalArray.from_breaks(range(5))[[0, 1, 2, 3] * 15])
        self.check(pandas.arrays.IntervalArray.from_breaks(range(61)))

    def test_limits_of_text(self):
        for option in ({"integer": ["v"]}, {"bounds": {"v": (0, 1)}}, {"onehot": [["v"]]}):
            with self.assertRaisesRegex(gpa.InvalidError, "is text, which has levels only"):
                self.check(["u", "v"] * 30, **option)


@needs("pandas")
class Types(unittest.TestCase):
    """A model sees the frame's own types in every call, and the frame's own rows in the
    first."""

    def setUp(self):
        warnings.simplefilter("ignore", UserWarning)
        self.calls = []

    def frame(self, n=120):
        rng = np.random.default_rng(1)
        pick = lambda values: [values[i] for i in rng.integers(0, len(values), n)]  # noqa
        day = pandas.Timestamp("2021-03-04")
        days = [day + pandas.Timedelta(days=int(k)) for k in rng.integers(0, 300, n)]
        hours = pandas.DatetimeIndex(days) + pandas.to_timedelta(
            rng.integers(0, 86400 * 10 ** 6, n), "us")
        return pandas.DataFrame({
            "drive": rng.normal(size=n),
            "object": pick(ODD), "string": pandas.array(pick(["u", "v", "w"]), dtype="string"),
            "category": pandas.Categorical(pick(ODD[:4]), categories=["never", *ODD[3::-1]]),
            "ordered": pandas.Categorical(pick(["lo", "hi"]), ["lo", "mid", "hi"],
                                          ordered=True),
            "numbered": pandas.Categorical(pick([10, 20, 30])),
            "bool": rng.random(n) < .5, "truth": np.array(pick([True, False]), dtype=object),
            "boolean": pandas.array(pick([True, False]), dtype="boolean"),
            "int8": rng.integers(0, 5, n).astype(np.int8),
            "count": rng.poisson(2, n).clip(0, 6),
            "Int64": pandas.array(rng.integers(0, 6, n), dtype="Int64"),
            "float32": rng.normal(size=n).astype(np.float32),
            "Float64": pandas.array(rng.normal(size=n), dtype="Float64"),
            "days": days, "hours": hours,
            "zone": hours.tz_localize("UTC").tz_convert("Asia/Kolkata"),
            "date": np.array([d.date() for d in days], dtype=object),
            "iso": [str(d.date()) for d in days],
            "span": pandas.to_timedelta(rng.integers(0, 10 ** 6, n), "s"),
            "code": pick(["1", "2", "3"]), "digits": [f"{v:.2f}" for v in rng.normal(size=n)],
            "mixed": np.array(pick([1, "1", 2.5, ("a", 1)]), dtype=object),
            "huge": rng.integers(2 ** 60, 2 ** 60 + 3, n),
            "interval": pandas.cut(rng.normal(size=n), [-9, 0, 9]),
        })

    def model(self, x):
        self.calls.append(x.copy())
        return 3 * x["drive"].to_numpy(dtype=float)

    def ask(self, frame, **options):
        y = 3 * frame["drive"] + .1 * np.random.default_rng(2).normal(size=len(frame))
        e = gpa.explain(self.model, frame, y + 3 * (np.arange(len(frame)) == 7),
                        **{**FAST, **options})
        self.assertEqual(e.rows, [7])
        return e

    def test_every_type(self):
        frame = self.frame()
        e = self.ask(frame)
        pandas.testing.assert_frame_equal(self.calls[0], frame)
        self.assertGreater(len(self.calls), 2)
        for call in self.calls[1:]:
            self.assertEqual(call.dtypes.to_dict(), frame.dtypes.to_dict())
        asked = pandas.concat(self.calls, ignore_index=True)
        for name in ("object", "string", "category", "ordered", "numbered", "truth", "code",
                     "mixed", "huge", "interval"):
            with self.subTest(name):  # nothing but what was seen is asked for
                self.assertEqual({(type(v), v) for v in asked[name]},
                                 {(type(v), v) for v in frame[name]})
        self.assertTrue(set(asked["digits"].map(type)) == {str})
        self.assertTrue(np.isfinite(asked["digits"].astype(float)).all())
        kinds = {one["name"]: one["kind"] for one in e.kinds}
        self.assertEqual({name: kinds[name] for name in (
            "drive", "object", "ordered", "bool", "count", "digits", "days", "code")},
            {"drive": "number", "object": "choice", "ordered": "flag", "bool": "flag",
             "count": "whole", "digits": "number", "days": "number", "code": "choice"})

    def test_missing_values_are_the_columns_own(self):
        frame = self.frame()
        frame["none"] = np.where(np.arange(120) % 9 == 3, None, frame["object"])
        for name in ("string", "category", "boolean", "Int64", "Float64", "days", "zone",
                     "span", "float32"):
            frame[name] = frame[name].where(np.arange(120) % 9 != 3)
        frame["truth"] = frame["truth"].where(np.arange(120) % 9 != 3, None)
        self.ask(frame, culprit="off")
        # rows without gaps first, then the others
        gaps = np.arange(120) % 9 == 3
        pandas.testing.assert_frame_equal(self.calls[0],
                                          frame[~gaps].reset_index(drop=True))
        pandas.testing.assert_frame_equal(self.calls[1], frame[gaps].reset_index(drop=True))
        self.assertIsNone(self.calls[1]["none"][0])
        self.assertIsNone(self.calls[1]["truth"][0])

    def test_fractions_of_whole_numbers(self):
        """A column of many whole numbers is a number, and floats from the first call on."""
        frame = pandas.DataFrame({"drive": np.random.default_rng(3).normal(size=120),
                                  "big": np.arange(120) * 7919 % 5003})
        self.ask(frame)
        self.assertEqual({str(call.dtypes["big"]) for call in self.calls}, {"float64"})
        for options in ({"kind": {"big": "held"}}, {"freeze": ["big"]}, {"integer": [1]}):
            with self.subTest(options=options):
                self.calls.clear()
                self.ask(frame, **options)
                self.assertEqual({str(call.dtypes["big"]) for call in self.calls}, {"int64"})
                pandas.testing.assert_frame_equal(self.calls[0], frame)

    def test_numbers_alone_take_the_short_way(self):
        from gpa._study import Study
        frame = pandas.DataFrame(np.random.default_rng(3).normal(size=(40, 2)),
                                 columns=["drive", "b"])
        study = Study("explain", self.model, frame, frame["drive"], {})
        x = np.ones((3, 2))
        self.assertTrue(np.shares_memory(study.callback.wrap(x).to_numpy(), x))

    def test_a_reference_of_other_types(self):
        """What has the same text is the same level; X's own objects, the reference's order."""
        rng = np.random.default_rng(9)
        x = pandas.DataFrame({"drive": rng.normal(size=90), "c": rng.integers(0, 3, 90)})
        y = 3 * x["drive"] + .1 * rng.normal(size=90)
        text, coded = x.astype({"c": str}), x.assign(c=x.c.astype("category"))
        for new, reference, dtype in ((text, coded, "category"), (coded, text, "category"),
                                      (x, coded, "category"), (coded, x, "category")):
            self.calls.clear()
            e = gpa.explain(self.model, new[7:8], y[7:8], reference=(reference, y))
            self.assertEqual(e.kinds[1]["levels"], ["0", "1", "2"])
            self.assertEqual({str(call.dtypes["c"]) for call in self.calls}, {dtype})
            self.assertTrue(all(len(call["c"].cat.categories) == 3 for call in self.calls))

    def test_periods(self):
        frame = pandas.DataFrame({"drive": np.random.default_rng(3).normal(size=60)})
        frame["day"] = pandas.period_range("2020-01-01", periods=60, freq="D")
        frame["month"] = pandas.PeriodIndex(["2020-01", "2020-03", "2019-05"] * 20, freq="M")
        self.ask(frame)
        pandas.testing.assert_frame_equal(self.calls[0], frame)
        self.assertEqual({tuple(map(str, call.dtypes)) for call in self.calls},
                         {("float64", "period[D]", "period[M]")})

    def test_days_are_said_as_days(self):
        rng = np.random.default_rng(6)
        first = pandas.Timestamp("2022-01-01")
        x = pandas.DataFrame({"when": first + pandas.to_timedelta(rng.integers(0, 700, 200), "D"),
                              "a": rng.normal(size=200)})
        model = lambda z: (z.when - first) / pandas.Timedelta(days=100) + z.a  # noqa: E731
        y = model(x) + .1 * rng.normal(size=200)
        x.loc[4, "when"] -= pandas.Timedelta(days=2000)
        e = gpa.explain(model, x, y, rows=4, **FAST)
        self.assertEqual((e.kinds[0]["writing"], int(np.argmax(e.responsible))), ("date", 0))
        self.assertRegex(e.culprit.alone[0].value, r"^20\d\d-\d\d-\d\d$")
        self.assertRegex(repr(e), r"when +20\d\d-\d\d-\d\d +→ 20\d\d-\d\d-\d\d \(")
        for low, high in ((first, None), ("2022-01-01", None), (first.date(), None)):
            e = gpa.explain(model, x, y, rows=4, bounds={"when": (low, high)}, **FAST)
            self.assertIn("when dates from 2022-01-01", e.notes[0])

    def test_labels_that_are_no_text(self):
        frame = pandas.DataFrame({0: np.random.default_rng(3).normal(size=60),
                                  ("b", 1): ["u", "v"] * 30})
        seen = []

        def model(x):
            seen.append(list(x.columns))
            return 2 * x[0]
        gpa.explain(model, frame, 2 * frame[0] + np.tile([.1, -.1, 0], 20), **FAST)
        self.assertEqual(seen[0], [0, ("b", 1)])

    def test_objects_that_look_like_dates(self):
        """Times of day as text, with the caller's own way to write them."""
        n = 60
        times = pandas.Timestamp("2024-02-28 23:00") + pandas.to_timedelta(
            np.arange(n) * 37 % 101, "h")
        for text in (times.strftime("%Y-%m-%dT%H:%M:%S"), times.strftime("%Y-%m-%d %H:%M:%S")):
            self.calls.clear()
            frame = pandas.DataFrame({"drive": np.random.default_rng(3).normal(size=n),
                                      "at": list(text)})
            e = self.ask(frame)
            pandas.testing.assert_frame_equal(self.calls[0], frame)
            asked = pandas.concat(self.calls)["at"]
            self.assertEqual(set(asked.str[10]), {text[0][10]})
            self.assertFalse(pandas.to_datetime(asked).isna().any())
            self.assertEqual(e.data[1], text[7])
        moments = times.to_pydatetime()
        self.calls.clear()
        self.ask(frame.assign(at=pandas.Series(moments, dtype=object)))
        asked = pandas.concat(self.calls)["at"]
        self.assertTrue(all(isinstance(v, datetime.datetime) for v in asked))
        self.assertEqual(list(self.calls[0]["at"]), list(moments))

    def test_days_stay_days(self):
        """Dates without a time of day are asked about, and proposed, as such."""
        frame = self.frame()[["drive", "days"]]
        origin = frame.days.min()

        def model(x):
            self.calls.append(x)
            return 3 * x.drive + (x.days - origin).dt.days / 10

        late = origin + pandas.Timedelta(days=290)
        y, frame.loc[7, "days"] = model(frame), late
        y[7] = 3 * frame.drive[7]
        e = gpa.explain(model, frame, y, rows=[7])
        asked = pandas.concat(self.calls)["days"]
        self.assertTrue((asked == asked.dt.normalize()).all())
        self.assertIsInstance(e.moved[0][0], float)
        self.assertLess(e.moved[0][1], str(late.date()))
        self.assertNotRegex(str(e).splitlines()[0], r"\d\d:\d\d")

    def test_data_are_the_callers(self):
        frame = self.frame()
        e = self.ask(frame)
        for name in ("object", "string", "category", "numbered", "mixed", "days", "zone",
                     "date", "iso", "interval"):
            with self.subTest(name):
                value = e[name].value
                want = frame[name].tolist()[7]
                self.assertEqual((type(value), value), (type(want), want))
        self.assertEqual(e["drive"].value, frame["drive"][7])
        self.assertIsInstance(e["drive"].value, float)
        self.assertEqual(e.data.dtype, object)
        self.assertTrue(np.isnan(e["object"].delta))  # there is none between texts
        lines = e.to_frame().set_index("feature")
        self.assertEqual(lines.loc["object", "x"], frame["object"][7])
        again = gpa.Explanation.from_json(e.to_json())
        self.assertEqual(again["object"].value, frame["object"][7])
        self.assertEqual(again["numbered"].value, str(frame["numbered"][7]))
        self.assertEqual(again["days"].value, str(frame["days"][7].date()))
        self.assertEqual((again.to_json(), again.kinds, again.notes),
                         (e.to_json(), e.kinds, e.notes))


@needs("pandas")
@needs("sklearn")
class Models(unittest.TestCase):
    """A level is wrong in one row: models of every kind find which."""

    @classmethod
    def setUpClass(cls):
        cls.x, cls.y = insurance()
        cls.spoilt = cls.x.copy()
        row = cls.row = int(np.flatnonzero(cls.x.smoker == "yes")[3])
        cls.spoilt.loc[row, "smoker"] = "no"

    def setUp(self):
        warnings.simplefilter("ignore", UserWarning)

    def check(self, model, x=None, name="smoker", right="yes", wrong="no", row=None, y=None):
        e = gpa.explain(model, self.spoilt if x is None else x, self.y if y is None else y,
                        rows=self.row if row is None else row)
        k = e.feature_names.index(name)
        self.assertEqual(int(np.argmax(e.responsible)), k, e)
        self.assertEqual(e[name].value, wrong)
        self.assertIn(name, e.verdict.text)
        self.assertIn(f"{name} '{right}' instead of '{wrong}'", e.verdict.text)
        self.assertEqual(e.culprit.alone[k].level, right)
        self.assertAlmostEqual(sum(one.probability for one in e.culprit.alone[k].levels), 1)
        self.assertEqual(e.to_frame().set_index("feature").level_normal[name], right)
        self.assertEqual(e.moved[k], right)
        self.assertIn("taken as: ", repr(e))
        self.assertRegex(repr(e), rf"{name} +\S+ +→ {right}")
        return e

    def pipeline(self, encoder, **rest):
        from sklearn.compose import make_column_transformer
        from sklearn.ensemble import GradientBoostingRegressor
        from sklearn.pipeline import make_pipeline
        text = [name for name in self.x if self.x[name].dtype == object]
        return make_pipeline(make_column_transformer((encoder, text),
                                                     remainder="passthrough"),
                             GradientBoostingRegressor(random_state=0, **rest))

    def test_one_hot(self):
        from sklearn.preprocessing import OneHotEncoder
        model = self.pipeline(OneHotEncoder()).fit(self.x, self.y)
        e = self.check(model)
        self.assertEqual([one["kind"] for one in e.kinds],
                         ["number", "flag", "number", "whole", "flag", "choice"])
        self.assertEqual(e.kinds[5]["levels"], ["east", "north", "south", "west"])
        self.assertIn("<html", e.to_html())
        page = e._repr_html_()
        self.assertIn("→ yes", page)
        self.assertIn("taken as: ", page)
        for name in ("distributions", "litmus", "forest", "profiles"):
            with self.subTest(name):
                svg = e.plot(name)
                self.assertIn("smoker", svg)
                self.assertIn("yes" if name != "litmus" else "region", svg)
                if name != "profiles":  # they answer another question, and say so
                    self.assertIn("All inputs at once: the most probable joint change", svg)
                    self.assertIn("does not say who is responsible", svg)
                    self.assertNotIn("All inputs at once", e.plot(name, title="mine"))
        moves = dict(re.findall(r"<title>(\w+), [^:]*: (\S+?)(?: \(.*?)?</title>",
                                e.plot_litmus()))
        self.assertIn(moves["smoker"], ("+1", "0"))  # a level, not a gap
        self.assertEqual(set(moves), set(e.feature_names))
        scatter = e.plot_scatter(self.spoilt, self.y)
        self.assertIn("yes", scatter)
        again = gpa.Explanation.from_json(e.to_json())
        for name in ("distributions", "forest"):
            self.assertEqual(again.plot(name), e.plot(name))

    @needs("matplotlib")
    def test_axes(self):
        import matplotlib
        matplotlib.use("Agg")
        e = gpa.explain(cost, self.spoilt, self.y, rows=self.row)
        for name in ("distributions", "litmus", "forest", "profiles"):
            texts = [t.get_text() for t in e.plot(name, ax=True).get_yticklabels()]
            self.assertTrue(name == "profiles" or "smoker" in texts)
        e.plot_scatter(self.spoilt, self.y, ax=True)

    def test_one_hot_columns_are_one_input(self):
        x = pandas.get_dummies(self.spoilt, columns=["sex", "smoker", "region"])
        parts = {"sex": "sex_", "smoker": "smoker_", "region": "region_"}

        def model(z):
            back = {name: z[[c for c in z if c.startswith(prefix)]].astype(float).idxmax(
                axis=1).str[len(prefix):] for name, prefix in parts.items()}
            return cost(z.assign(**back))
        e = gpa.explain(model, x, self.y, rows=self.row)
        text = gpa.explain(cost, self.spoilt, self.y, rows=self.row)
        self.assertEqual([one["name"] for one in e.kinds],
                         ["age", "bmi", "children", "sex", "smoker", "region"])
        self.assertEqual(e.kinds[4]["columns"], ["smoker_no", "smoker_yes"])
        first = e.feature_names.index("smoker_no")
        self.assertEqual((e.culprit.set90[0], e.culprit.alone[first].level),
                         ("smoker_no", "yes"))
        np.testing.assert_allclose(e.responsible[first], text["smoker"].responsible,
                                   atol=1e-9)
        self.assertRegex(repr(e), "smoker +no +→ yes")
        for name in ("distributions", "forest", "profiles"):
            self.assertIn("yes", e.plot(name))

    def test_ordinal(self):
        from sklearn.preprocessing import OrdinalEncoder
        self.check(self.pipeline(OrdinalEncoder()).fit(self.x, self.y))

    def test_histograms_with_categories_and_gaps(self):
        from sklearn.ensemble import HistGradientBoostingRegressor
        rng = np.random.default_rng(5)
        codes = {name: self.x[name].astype("category").cat.codes.astype(float)
                 for name in ("sex", "smoker", "region")}
        x = self.x.assign(**codes)
        x.loc[rng.random(len(x)) < .1, "bmi"] = np.nan
        model = HistGradientBoostingRegressor(categorical_features=[
            name in codes for name in x], random_state=0).fit(x, self.y)
        x.loc[self.row, "smoker"] = 0.0
        e = gpa.explain(model, x, self.y, rows=self.row, levels={"smoker": ["no", "yes"]},
                        kind={"region": "choice"})
        self.assertEqual(int(np.argmax(e.responsible)), 4)
        self.assertIn("smoker", e.verdict.text)
        self.assertEqual(e.kinds[4]["levels"], ["no", "yes"])
        gap = int(np.flatnonzero(x.bmi.isna())[0])
        for missing in ("ask", "hold"):
            e = gpa.explain(model, x, self.y, rows=gap, missing=missing)
            self.assertEqual(e.delta[2], 0)
            self.assertTrue(np.isnan(e["bmi"].value))

    def test_histograms_by_type(self):
        """categorical_features="from_dtype", or what does the same in older versions: a
        model that takes its categories from the type of the column."""
        import sklearn
        from sklearn.ensemble import HistGradientBoostingRegressor
        text = ["sex", "smoker", "region"]
        x = self.x.astype({name: "category" for name in text})
        if tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 4):
            model = HistGradientBoostingRegressor(categorical_features="from_dtype",
                                                  random_state=0).fit(x, self.y)
        else:
            inner = HistGradientBoostingRegressor(categorical_features=[
                name in text for name in x], random_state=0)

            class FromType:
                def codes(self, z):
                    return z.assign(**{name: z[name].cat.codes for name in z
                                       if z[name].dtype == "category"})

                def predict(self, z):
                    return inner.predict(self.codes(z))
            model = FromType()
            inner.fit(model.codes(x), self.y)
        self.check(model, x.assign(smoker=self.spoilt.smoker.astype(x.smoker.dtype)))

    @needs("xgboost")
    def test_xgboost_categories(self):
        import xgboost
        x = self.x.astype({name: "category" for name in ("sex", "smoker", "region")})
        model = xgboost.XGBRegressor(n_estimators=80, max_depth=4, n_jobs=1,
                                     tree_method="hist", enable_categorical=True)
        model.fit(x, self.y)
        spoilt = x.assign(smoker=self.spoilt.smoker.astype(x.smoker.dtype))
        self.check(model, spoilt)
        # one new row by observed ones, though it has but one level of each
        new = gpa.explain(model, self.spoilt.iloc[[self.row]], self.y[[self.row]],
                          reference=(x.drop(index=self.row), self.y.drop(self.row)))
        self.assertEqual(new.feature_names[int(np.argmax(new.responsible[0]))], "smoker")

    def test_function_of_frames(self):
        """As CatBoost does it: text as it is, and no floats in its categories."""
        def model(z):
            for name in ("sex", "smoker", "region", "children"):
                if z[name].dtype.kind == "f":
                    raise TypeError(f"{name} is a real number")
            if set(z.region) - set(self.x.region):
                raise ValueError("a region that nobody has heard of")
            return cost(z)
        self.check(model)

    def test_odd_levels(self):
        """Levels with commas, quotes, emoji, no letters at all, 'nan', numbers as text."""
        rng = np.random.default_rng(8)
        worth = dict(zip(ODD, 10.0 * np.arange(len(ODD))))
        for dtype in ("object", "string", "category"):
            with self.subTest(dtype):
                x = pandas.DataFrame({"a": rng.normal(size=250), "what": pandas.Series(
                    rng.choice(ODD, 250)).astype(dtype)})
                model = lambda z: z.a + z["what"].astype(object).map(worth)  # noqa: E731
                y = model(x) + .5 * rng.normal(size=250)
                for right, wrong in (("nan", "plain"), ("a, b", "nan"), ("", "12"),
                                     ("12", 'say "no"'), (ODD[3], "")):
                    row = int(np.flatnonzero(x["what"] == right)[0])
                    spoilt = x.copy()
                    spoilt.loc[row, "what"] = wrong
                    e = gpa.explain(model, spoilt, y, rows=row, **FAST)
                    self.assertEqual((int(np.argmax(e.responsible)), e["what"].value,
                                      e.culprit.alone[1].level), (1, wrong, right))
                self.assertEqual(sorted(e.kinds[1]["levels"]), sorted(ODD))

    def test_text_of_a_file(self):
        """A model in Python gets a frame with the file's texts."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.csv"
            self.spoilt.assign(charges=self.y).to_csv(path, index=False)
            e = gpa.explain(cost, path, rows=self.row)
            self.assertEqual(int(np.argmax(e.responsible)), 4)
            self.assertEqual(e["smoker"].value, "no")
            by_frame = gpa.explain(cost, self.spoilt, self.y, rows=self.row)
            np.testing.assert_allclose(e.responsible, by_frame.responsible, atol=1e-6)
            given = gpa.explain(cost, path, self.y, target="charges", rows=self.row)
            np.testing.assert_array_equal(given.responsible, e.responsible)

    def test_explainer(self):
        from gpa.sklearn import GPAExplainer
        from sklearn.preprocessing import OneHotEncoder
        model = self.pipeline(OneHotEncoder())
        explainer = GPAExplainer(model, kind={"children": "choice"})
        explainer.fit(self.x.drop(index=self.row), self.y.drop(self.row))
        e = explainer.explain(self.spoilt.iloc[[self.row]], self.y[[self.row]])
        self.assertEqual(int(np.argmax(e.responsible[0])), 4)
        self.assertEqual(e.kinds[3]["kind"], "choice")
        score = explainer.score_samples(self.spoilt.iloc[[self.row]], self.y[[self.row]])
        np.testing.assert_array_equal(score, e.score)

    def test_comparisons(self):
        """Methods that need numbers say so; the others see the frame's text."""
        c = gpa.compare(cost, self.spoilt, self.y, rows=self.row, methods=["gpa", "lc", "sv"],
                        reference=self.x, flip=False)
        self.assertIn("lc", c.skipped)
        self.assertTrue(np.isfinite(c.scores["sv"]).all())


@needs("pandas")
class Writings(unittest.TestCase):
    """The same table, written in another way, gives the same answer."""

    @classmethod
    def setUpClass(cls):
        cls.x, cls.y = insurance(n=200)
        cls.row = int(np.flatnonzero(cls.x.region == "south")[2])
        cls.x.loc[cls.row, "region"] = "east"

    def setUp(self):
        warnings.simplefilter("ignore", UserWarning)

    def ask(self, x, back, **options):
        """Probabilities where `back` turns a frame into the one of text."""
        e = gpa.explain(lambda z: cost(back(z)), x, self.y, rows=self.row, **FAST, **options)
        return e.responsible, e.culprit

    def test_flags(self):
        words = np.array(["no", "yes"])
        want, _ = self.ask(self.x, lambda z: z)
        truth = (self.x.smoker == "yes").to_numpy()
        for name, column, back in (
                ("bool", truth, lambda v: words[v.astype(int)]),
                ("objects", truth.astype(object), lambda v: words[v.astype(int)]),
                ("boolean", pandas.array(truth, dtype="boolean"),
                 lambda v: words[v.astype(int)]),
                ("0/1", truth.astype(int), lambda v: words[v]),
                ("0.0/1.0", truth.astype(float), lambda v: words[v.astype(int)]),
                ("1/2", truth + 1, lambda v: words[v - 1]),
                ("reversed", 1 - truth, lambda v: words[1 - v]),
                ("category", pandas.Categorical(words[truth.astype(int)], ["yes", "no"]),
                 lambda v: v.astype(object))):
            with self.subTest(name):
                found, _ = self.ask(self.x.assign(smoker=column),
                                    lambda z: z.assign(smoker=back(z.smoker)))
                np.testing.assert_allclose(found, want, atol=1e-9)

    def test_truths_are_said(self):
        """True and False in words, tables and frames; a one-hot group of them is one input."""
        rng = np.random.default_rng(0)
        n, ward = 200, rng.integers(0, 3, 200)
        plain = pandas.DataFrame({"on": rng.random(n) < .4, "bmi": rng.normal(27, 4, n),
                                  **{f"ward_{w}": ward == i for i, w in enumerate("abc")}})

        def model(x):
            return (10 * x.on.astype(float) + .5 * x.bmi + 8 * x.ward_b.astype(float)).to_numpy()
        y = model(plain) + rng.normal(0, 1, n)
        plain.loc[5, "on"] = not plain.loc[5, "on"]
        now, then = str(plain.on[5]), str(not plain.on[5])
        for dtype in ("bool", "boolean", "object"):
            e = gpa.explain(model, plain.astype({"on": dtype}), y, rows=[5], marginals="none")
            for one in (e, gpa.Explanation.from_json(e.to_json())):
                self.assertIn(f"on '{then}' instead of '{now}' would look normal", str(one))
                self.assertRegex(str(one), rf"% +on +{now} +→ {then}\n")
                line = one.to_frame().iloc[0]
                self.assertEqual((line.x, line.level_normal), (now, then))
            self.assertIn("taken as: on False/True; ward one of 3", e.notes[0][0])
            self.assertEqual(e.data[0, 0], float(plain.on[5]))  # a number is a number
            other = gpa.explain(model, plain.astype({"on": dtype}), y, rows=[5],
                                set={"on": not plain.on[5]}, marginals="none")
            self.assertEqual(other.verdict[0].kind, "normal")

    def test_choices(self):
        want, culprit = self.ask(self.x, lambda z: z)
        self.assertEqual((int(np.argmax(want)), culprit.alone[5].level), (5, "south"))
        order = np.array(["west", "south", "north", "east"])
        place = {name: i for i, name in enumerate(order)}
        codes = self.x.region.map(place)
        for name, column, back, options in (
                ("category", pandas.Categorical(self.x.region, order),
                 lambda v: v.astype(object), {}),
                ("renamed", self.x.region.str.upper().str[::-1],
                 lambda v: v.str[::-1].str.lower(), {}),
                ("codes", codes, lambda v: order[v], {"levels": {"region": list(order)}}),
                ("floats", codes.astype(float), lambda v: order[v.astype(int)],
                 {"levels": {"region": list(order)}})):
            with self.subTest(name):
                found, other = self.ask(self.x.assign(region=column),
                                        lambda z: z.assign(region=back(z.region)), **options)
                np.testing.assert_allclose(found, want, atol=1e-9)
                self.assertEqual(other.alone[5].level,
                                 "south" if name != "renamed" else "HTUOS")


@needs("pandas")
class Gaps(unittest.TestCase):
    """A value is missing where the model takes that: it is asked about, or held."""

    def setUp(self):
        warnings.simplefilter("ignore", UserWarning)
        rng = np.random.default_rng(11)
        self.x = pandas.DataFrame({"load": rng.normal(5, 1, 250), "b": rng.normal(size=250)})
        self.y = self.model(self.x) + .1 * rng.normal(size=250)
        gaps = rng.random(250) < .1
        self.x.loc[gaps, "load"] = np.nan
        self.y[gaps] = self.model(self.x)[gaps]  # most were usual
        self.row = int(np.flatnonzero(gaps)[0])
        self.y[self.row] += 2 * (6.2 - 5)  # this one was 6.2, and nobody wrote it down

    @staticmethod
    def model(x):
        return 2 * x.load.fillna(5.0) + x.b

    def test_ask(self):
        e = gpa.explain(self.model, self.x, self.y, rows=self.row, sigma=.2)
        alone = e.culprit.alone[0]
        self.assertEqual((e["load"].delta, alone.missing), (0, True))
        self.assertTrue(alone.value_interval90[0] <= alone.value <= alone.value_interval90[1])
        self.assertAlmostEqual(alone.value, 6.2, delta=.4)
        self.assertEqual(int(np.argmax(e.responsible)), 0)
        self.assertIn("load", e.verdict.text)
        line = e.to_frame().iloc[0]
        self.assertEqual((line.value_normal, line.value_low, line.value_high),
                         (alone.value, *alone.value_interval90))
        self.assertIn("svg", e._repr_html_())

    def test_hold(self):
        e = gpa.explain(self.model, self.x, self.y, rows=self.row, missing="hold", **FAST)
        self.assertEqual((e["load"].delta, e["load"].responsible), (0, 0))

    @needs("xgboost")
    def test_xgboost(self):
        import xgboost
        known = self.x.load.notna()
        model = xgboost.XGBRegressor(n_estimators=60, max_depth=4, n_jobs=1).fit(
            self.x, self.y)
        e = gpa.explain(model, self.x, self.y + 3 * (np.arange(250) == self.row),
                        rows=self.row, **FAST)
        alone = e.culprit.alone[0]
        self.assertTrue(alone.missing)
        self.assertTrue(self.x.load[known].min() <= alone.value <= self.x.load[known].max())


@needs("pandas")
class Rows(unittest.TestCase):
    """Labels, new rows, references, outcomes that are not known."""

    @classmethod
    def setUpClass(cls):
        cls.x, cls.y = insurance()
        cls.row = int(np.flatnonzero(cls.x.smoker == "yes")[3])
        cls.x.loc[cls.row, "smoker"] = "no"

    def setUp(self):
        warnings.simplefilter("ignore", UserWarning)

    def explain(self, x, rows, **options):
        return gpa.explain(cost, x, self.y.to_numpy(), rows=rows,
                           **{"culprit": "off", **FAST, **options})

    def test_labels(self):
        named = self.x.set_axis([f"p{i}" for i in range(300)])
        self.assertEqual(self.explain(named, "p11").rows, [11])
        self.assertEqual(self.explain(named, ["p11", "p3"]).rows, [[11], [3]])
        self.assertEqual(self.explain(named, [11, 3]).ids, [["p11"], ["p3"]])
        self.assertEqual(self.explain(named, "11,3").rows, [[3], [11]])
        dated = self.x.set_axis(pandas.date_range("2024-01-01", periods=300))
        self.assertEqual(self.explain(dated, pandas.Timestamp("2024-01-12")).rows, [11])
        self.assertEqual(self.explain(dated, dated.index[[4, 2]]).rows, [[4], [2]])
        self.assertEqual(self.explain(dated, 11).ids, ["2024-01-12"])
        hours = self.x.set_axis(pandas.date_range("2024-01-01", periods=300, freq="h"))
        self.assertEqual(self.explain(hours, 0).ids, ["2024-01-01 00:00:00"])
        for rows in (["p3", "nobody"], "nobody"):
            self.assertRaises((TypeError, ValueError), self.explain, named, rows)
        twice = self.x.set_axis(["a"] + ["b"] * 299)
        self.assertEqual(self.explain(twice, "a").rows, [0])
        self.assertRaisesRegex(ValueError, "more than once", self.explain, twice, "b")

    def test_numbers_that_are_labels(self):
        """They win where the index does not merely count; what gpa calls rows are numbers."""
        back = self.x.set_axis(range(299, -1, -1))
        self.assertEqual(self.explain(back, 0).rows, [299])
        self.assertEqual(self.explain(back, [299, 5]).rows, [[0], [294]])
        self.assertEqual(self.explain(self.x, [5]).rows, [[5]])
        self.assertEqual(self.explain(back, np.arange(300) == 4).rows, [[4]])
        scores = gpa.score(cost, back, self.y.to_numpy())
        self.assertEqual(self.explain(back, scores.rows[:2]).rows, [[r] for r in scores.rows[:2]])
        e = self.explain(back, 7)
        self.assertEqual(self.explain(back, e.rows[0]).rows, e.rows)

    def test_one_new_row(self):
        rest = self.x.drop(index=self.row), self.y.drop(self.row)
        want = gpa.explain(cost, self.x.iloc[[self.row]], self.y[[self.row]], reference=rest)
        self.assertEqual(int(np.argmax(want.responsible[0])), 4)
        row = gpa.explain(cost, self.x.iloc[self.row], self.y[self.row], reference=rest)
        self.assertEqual((row.ndim, row["smoker"].value), (1, "no"))
        np.testing.assert_array_equal(row.responsible, want.responsible[0])
        seen = []

        def model(z):
            seen.append(z.dtypes.to_dict())
            return cost(z)
        typed = self.x.astype({"region": "category", "children": "int8"})
        gpa.explain(model, typed.iloc[self.row], self.y[self.row],
                    reference=(typed.drop(index=self.row), rest[1]), **FAST)
        self.assertEqual({str(one["region"]) for one in seen}, {"category"})
        self.assertEqual(list(seen[0]["region"].categories),
                         list(typed.region.cat.categories))
        self.assertEqual(str(seen[0]["children"]), "int8")

    def test_a_reference_with_the_outcome(self):
        """One new row is judged by it, as the command does."""
        table = self.x.assign(charges=self.y)
        one = gpa.explain(cost, table.iloc[[self.row]], "charges",
                          reference=table.drop(index=self.row))
        want = gpa.explain(cost, self.x.iloc[self.row], self.y[self.row], target="charges",
                           reference=(self.x.drop(index=self.row), self.y.drop(self.row)))
        self.assertEqual(one.ndim, 1)
        np.testing.assert_array_equal(one.responsible, want.responsible)
        row = gpa.explain(cost, table.iloc[self.row], "charges",
                          reference=table.drop(index=self.row))
        np.testing.assert_array_equal(row.responsible, want.responsible)

    def test_levels_that_only_one_side_has(self):
        seen = set()

        def model(z):
            seen.update(z.region)
            return cost(z.assign(region=z.region.replace("sea", "north")))
        new = self.x.iloc[[self.row]].assign(region="sea")
        for reference in (self.x, self.x.astype({"region": "category"})):
            seen.clear()
            e = gpa.explain(model, new, self.y[[self.row]], reference=(reference, self.y))
            self.assertEqual(seen, {"sea", "north", "south", "east", "west"})
            self.assertEqual(e[0]["region"].value, "sea")

    def test_rows_that_cannot_be_used(self):
        y = self.y.copy()
        y[[3, 5]] = np.nan
        with self.assertWarnsRegex(UserWarning, r"2 of 300 rows left out.*\(rows 3, 5\)"):
            warnings.simplefilter("always")
            e = gpa.explain(cost, self.x, y, rows=self.row)
        kept = np.delete(np.arange(300), [3, 5])
        want = gpa.explain(cost, self.x.iloc[kept], y[kept], rows=f"{self.row - 2}")
        np.testing.assert_array_equal(e.responsible, want[0].responsible)
        self.assertTrue(any("2 of 300 rows left out" in note for note in e.notes))
        self.assertIn("2 of 300 rows left out", repr(e))
        scores = gpa.score(cost, self.x, y.astype("Float64"))
        np.testing.assert_array_equal(np.isnan(scores.scores), y.isna())
        self.assertNotIn(3, scores.rows)
        self.assertEqual(len(gpa.explain(cost, self.x, y, all=True, culprit="off", **FAST)), 298)
        several = gpa.explain(cost, self.x[:10], y[:10], reference=(self.x[10:], y[10:]),
                              culprit="off", **FAST)
        self.assertEqual(several.rows, [[r] for r in range(10) if r not in (3, 5)])
        for options in ({"rows": 3}, {"strict": True}):
            self.assertRaisesRegex(gpa.DataError, "row 3: no value", gpa.explain, cost, self.x,
                                   y, **options)

    def test_options(self):
        numbers = gpa.explain(cost, self.x, self.y, rows=self.row, kind="all=number", **FAST)
        self.assertEqual([one["kind"] for one in numbers.kinds],
                         ["number", "flag", "number", "number", "flag", "choice"])
        e = gpa.explain(cost, self.x, self.y, rows=self.row, set={"smoker": "yes"}, **FAST)
        self.assertEqual(e["smoker"].value, "yes")
        self.assertAlmostEqual(e.f, cost(self.x.assign(smoker="yes"))[self.row])
        self.assertEqual(e.verdict.kind, "normal")
        e = gpa.explain(cost, self.x, self.y, rows=self.row, set={"age": 40, 5: "west"},
                        bounds="data", **FAST)
        self.assertEqual((e["age"].value, e["region"].value), (40, "west"))
        self.assertEqual((e.kinds[0]["low"], e.kinds[0]["high"]),
                         (self.x.age.min(), self.x.age.max()))
        e = gpa.explain(cost, self.x, self.y, rows=self.row, bounds={"age": "data"}, **FAST)
        self.assertEqual((e.kinds[0]["low"], e.kinds[0]["high"]),
                         (self.x.age.min(), self.x.age.max()))
        for options, words in (({"kind": {"age": "big"}}, "none of number"),
                               ({"kind": {"agee": "number"}}, "did you mean 'age'"),
                               ({"kind": {"sex": "number"}}, "text"),
                               ({"set": {"sex": "x"}}, "no level 'x'"),
                               ({"missing": "maybe"}, "none of ask, hold|ask"),
                               ({"bounds": "seen"}, "COL=LO:HI")):
            with self.subTest(options=options):
                self.assertRaisesRegex(ValueError, words, gpa.explain, cost, self.x, self.y,
                                       **options)

    def test_names_of_levels(self):
        """Names with commas and quotes go with codes, whose model gets codes."""
        rng = np.random.default_rng(4)
        x = pandas.DataFrame({"a": rng.normal(size=200), "code": rng.integers(0, 3, 200)})
        names = ["one, two", 'the "second"', "\N{SNOWMAN}"]
        e = gpa.explain(lambda z: z.a + 5 * z.code, x, x.a + 5 * x.code, rows=0, sigma=.1,
                        levels={"code": names}, **FAST)
        self.assertEqual(e.kinds[1]["levels"], names)
        self.assertEqual(e.options["levels"],
                         ['code="one, two","the ""second""",\N{SNOWMAN}'])

    def test_warnings(self):
        """What inputs are taken to be is no warning; what is wrong with the model is one."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            e = gpa.explain(cost, self.x, self.y, rows=self.row, **FAST)
        self.assertTrue(e.notes[0].startswith("taken as: sex female/male"), e.notes)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            e = gpa.explain(lambda z: cost(z) + 5000, self.x, self.y, rows=self.row, **FAST)
        said = [str(one.message) for one in caught if "off on average" in str(one.message)]
        self.assertEqual(len(said), 1)
        scores = gpa.score(lambda z: cost(z) + 5000, self.x, self.y)
        for found in (e, scores):
            self.assertIn(said[0], found.notes)
            self.assertIn(said[0], repr(found))


if __name__ == "__main__":
    unittest.main()
