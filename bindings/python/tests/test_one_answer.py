"""One number for one question, wherever it is looked up."""
import json
import pathlib
import pickle
import re
import tempfile
import unittest

from support import command, needs, needs_command
import gpa
import numpy as np

try:
    import pandas
except ImportError:
    pandas = None


def made(seed=3, n=200):
    """(model, frame, outcomes) with numbers, whole numbers, text and one-hot columns."""
    rng = np.random.default_rng(seed)
    ward = rng.integers(0, 3, n)
    table = pandas.DataFrame({
        "age": rng.integers(18, 65, n), "bmi": rng.normal(27, 4, n).round(1),
        "sex": rng.choice(["female", "male"], n),
        "region": pandas.Categorical(rng.choice(["north", "south", "west"], n)),
        **{f"ward_{w}": (ward == i).astype(float) for i, w in enumerate("abc")}},
        index=pandas.Index([f"p{i}" for i in range(n)], name="patient"))

    def model(x):
        return (10.0 * x.age + 30 * x.bmi + 700 * (x.sex == "male")
                + 400 * (x.region == "south") + 500 * x.ward_b)
    y = model(table) + rng.normal(0, 40, n)
    table.loc["p7", "sex"] = "male" if table.sex["p7"] == "female" else "female"
    table.loc["p9", "bmi"] += 30
    y["p11"] += 2500
    table.loc["p13", ["ward_a", "ward_b", "ward_c"]] = (
        [0, 1, 0] if table.ward_b["p13"] == 0 else [1, 0, 0])
    return model, table, y


@needs("pandas")
class Walk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ids = ["p7", "p9", "p11", "p13", "p50"]
        model, cls.table, cls.y = made()
        cls.model = staticmethod(model)
        cls.many = gpa.explain(cls.model, cls.table, cls.y, rows=cls.ids)

    def ways(self, i):
        """The same explanation, got in every way."""
        many = self.many
        again = gpa.Explanation.from_json(many.to_json())
        yield "of several", many[i]
        yield "read back", again[i]
        yield "written alone", gpa.Explanation.from_json(many[i].to_json())
        yield "pickled", pickle.loads(pickle.dumps(many[i]))
        yield "asked alone", gpa.explain(self.model, self.table, self.y, rows=self.ids[i])

    def test_responsible(self):
        record = json.loads(self.many.to_json())["explanations"]
        frame = self.many.to_frame()
        for i, name in enumerate(self.ids):
            want = np.array(record[i]["culprit"]["responsible"])
            output = record[i]["culprit"]["output"]
            np.testing.assert_allclose(
                want, np.array(record[i]["culprit"]["probability"]) * (1 - output), rtol=1e-12)
            np.testing.assert_array_equal(frame.loc[name].responsible, want)
            np.testing.assert_array_equal(self.many.culprit.responsible[i], want)
            self.assertEqual(self.many.culprit.output[i], output)
            said = record[i]["culprit"]["output_alone"]
            self.assertEqual(tuple(self.many[i].culprit.output_alone),
                             (said["value"], said["value_interval90"]))
            self.assertEqual(set(frame.loc[name].p_output), {output})
            for way, e in self.ways(i):
                with self.subTest(way, row=name):
                    np.testing.assert_array_equal(e.responsible, want)
                    np.testing.assert_array_equal(e.culprit.responsible, want)
                    np.testing.assert_array_equal([one.responsible for one in e], want)
                    np.testing.assert_array_equal(e.to_frame().responsible, want)
                    self.assertEqual(e.culprit.output, output)
                    self.assertEqual(e.verdict.text, record[i]["verdict"]["text"])
                    self.printed(e, want, output)

    def printed(self, e, want, output):
        for text in (str(e), e._repr_html_()):
            for p in [max(want), output]:
                whole = int(100 * p + .5)
                said = "<1 %" if whole < 1 else ">99 %" if whole > 99 else f"{whole} %"
                self.assertIn(said, text.replace("&lt;", "<").replace("&gt;", ">"))

    def test_what_would_look_normal(self):
        record, frame = json.loads(self.many.to_json())["explanations"], self.many.to_frame()
        for i, name in enumerate(self.ids):
            lines = frame.loc[name].set_index("feature")
            for k, feature in enumerate(self.many.feature_names):
                said, line = record[i]["culprit"]["alone"][k], lines.loc[feature]
                for way, e in self.ways(i):
                    with self.subTest(way, row=name, input=feature):
                        alone = e.culprit.alone[k]
                        self.assertEqual(alone.value, said.get("value"))
                        self.assertEqual(alone.level, said.get("level"))
                        self.assertEqual(list(alone.value_interval90 or ()),
                                         list(said.get("value_interval90") or ()))
                for column, value in (("value_normal", said.get("value")),
                                      ("level_normal", said.get("level"))):
                    self.assertTrue(line[column] == value or (
                        value is None and line[column] in (None, np.nan)
                        or line[column] != line[column]), (column, value, line[column]))
                for column, value in (("alone_median_raw", said["median_raw"]),
                                      ("alone_lo90_raw", (said["interval90_raw"] or [None])[0])):
                    np.testing.assert_equal(line[column], np.nan if value is None else value)
                ends = said.get("value_interval90")
                if ends is not None:
                    self.assertEqual([line.value_low, line.value_high], list(ends))

    def test_values(self):
        """Of numbers the change alone times who; of levels one unit, of groups by column."""
        names = self.many.feature_names
        for i in range(len(self.ids)):
            for way, e in self.ways(i):
                with self.subTest(way, row=self.ids[i]):
                    np.testing.assert_array_equal(e.values, self.many.values[i])
                    np.testing.assert_array_equal(e.to_shap().values, e.values)
                    np.testing.assert_array_equal(e.to_shap(values="change").values, e.delta)
                    bmi = names.index("bmi")
                    self.assertEqual(e.values[bmi], e.responsible[bmi]
                                     * e.culprit.alone[bmi].median)
                    sex = names.index("sex")
                    sign = {"male": 1, "female": -1, None: 0}[e.culprit.alone[sex].level]
                    self.assertEqual(e.values[sex], sign * e.responsible[sex])
        wards = [names.index(f"ward_{w}") for w in "abc"]
        moved = self.many.values[3][wards] / self.many.responsible[3][wards]
        self.assertEqual(sorted(moved.round(9)), [-1, 0, 1])
        now = self.table.loc["p13", ["ward_a", "ward_b", "ward_c"]].to_numpy(dtype=float)
        self.assertEqual(moved[now == 1].round(9).tolist(), [-1])

    def test_change(self):
        record, frame = json.loads(self.many.to_json())["explanations"], self.many.to_frame()
        numbers = [k for k, name in enumerate(self.many.feature_names)
                   if name not in ("sex", "region")]
        for i, name in enumerate(self.ids):
            want = np.array(record[i]["delta"], dtype=float)[numbers]
            for way, e in self.ways(i):
                with self.subTest(way, row=name):
                    np.testing.assert_array_equal(e.delta[numbers], want)
            np.testing.assert_array_equal(frame.loc[name].delta.iloc[numbers], want)
            bounds = [np.nan if m["interval90"] is None else m["interval90"][0]
                      for m in record[i]["marginals"]]
            np.testing.assert_array_equal(self.many.lower_bounds[i][numbers],
                                          np.array(bounds, dtype=float)[numbers])

    def test_notes(self):
        record = json.loads(self.many.to_json())["explanations"]
        for i in range(len(self.ids)):
            for way, e in self.ways(i):
                with self.subTest(way):
                    self.assertEqual(e.notes, record[i]["notes"])
                    self.assertTrue(e.notes)

    def test_compared(self):
        """A comparison says what an explanation says."""
        rows = [*self.ids, *(f"p{i}" for i in range(20, 32))]
        c = gpa.compare(self.model, self.table, self.y, rows=rows, methods=["gpa"], flip="off")
        e = gpa.explain(self.model, self.table, self.y, rows=rows, marginals="none")
        self.assertEqual(list(c.verdict), list(e.verdict))
        self.assertGreaterEqual(set(c.verdict.kind), {"input", "output", "normal"})
        again = gpa.Comparison.from_json(c.to_json())
        self.assertEqual(list(again.verdict), list(e.verdict))
        for name, verdict in zip(c.ids[:5], c.verdict):
            self.assertIn(f"row {name}: {verdict.text}", repr(again))

    def test_units_in_headers(self):
        """One name everywhere, and nobody is left out."""
        rng = np.random.default_rng(0)
        table = pandas.DataFrame({"temp [C]": rng.normal(60, 5, 200), "ph": rng.normal(7, .3, 200),
                                  "pressure [bar]": rng.normal(3, .3, 200)})
        weight = np.array([0.5, 3, 8])
        y = table.to_numpy() @ weight + rng.normal(0, 0.5, 200)
        table.iloc[5, 2] *= 10
        e = gpa.explain(lambda x: np.asarray(x, float) @ weight, table, y, rows=[5])[0]
        names = ["temp", "ph", "pressure"]
        self.assertEqual(e.feature_names, names)
        self.assertEqual([one["name"] for one in e.kinds], names)
        self.assertEqual(list(e.to_frame()["feature"]), names)
        self.assertEqual(e.culprit.set90, ["pressure"])
        self.assertEqual(e["pressure"].responsible, e["pressure [bar]"].responsible)
        for name in names:
            self.assertRegex(str(e), rf"% +{name} ")
        self.assertIn("pressure [bar]", str(e))
        again = str(gpa.Explanation.from_json(e.to_json()))
        self.assertEqual(again.splitlines()[3:6], str(e).splitlines()[3:6])
        for frame in (table, table.set_axis(names, axis=1)):  # pictures find them, too
            for one in (e, gpa.Explanation.from_json(e.to_json())):
                self.assertIn(">pressure", one.plot_scatter(frame, y))
        with self.assertRaisesRegex(ValueError, r"no column 'temp \[C\]'; there are ph"):
            e.plot_scatter(table[["ph"]], y)

    @needs_command
    def test_digits_of_the_command(self):
        """Scores, values and intervals are written as the command writes them."""
        rng = np.random.default_rng(1)
        table = pandas.DataFrame({"temp [C]": rng.normal(60, 5, 200).round(1),
                                  "ph": rng.normal(7, .3, 200).round(2)})
        y = table.to_numpy() @ [0.5, 3] + rng.normal(0, 0.1, 200)
        table.iloc[5, 0] = 400.0
        with tempfile.TemporaryDirectory() as folder:
            data, model = pathlib.Path(folder, "t.csv"), pathlib.Path(folder, "m.json")
            table.assign(y=y).to_csv(data, index=False)
            model.write_text('{"type": "linear", "w": [0.5, 3], "b": 0}')
            said = command("explain", "--model", f"linear:{model}", "--rows", 5, data)
            e = gpa.explain(f"linear:{model}", table, y, rows=[5])
        score = re.search(r"score ([\d.]+)", said)[1]
        self.assertGreater(float(score), 1e4)  # all its digits are shown
        self.assertIn(f"score {score}", str(e))
        for name in ("temp [C]", "ph", "observed y"):
            line = re.search(rf"(?m)^ +{re.escape(name)} +(.*)$", said)[1]
            now, _, would, low, _, high = re.sub(r"[█▏▎▍▌▋▊▉░·]+|%", " ", line).split()
            self.assertRegex(str(e), rf"% +{re.escape(name)} +{now} +→ {would} \({low} to {high}\)")

    def test_labels(self):
        """Rows have the names that the frame's index gives them."""
        many = self.many
        self.assertEqual(many.ids, [[name] for name in self.ids])
        frame = many.to_frame()
        self.assertEqual((frame.index.name, list(frame.index[::7])), ("patient", self.ids))
        self.assertEqual(many[1].to_frame().index[0], "p9")
        self.assertEqual(pickle.loads(pickle.dumps(many)).to_frame().index.name, "patient")
        self.assertEqual(gpa.score(self.model, self.table, self.y).to_frame().index[0], "p11")
        x = self.table[["age", "bmi"]].set_axis(range(1000, 1200))
        y = x.sum(axis=1).to_numpy() + np.random.default_rng(0).normal(size=200)
        numbers = gpa.explain(lambda x: x.sum(axis=1), x, y, rows=[1007], marginals="none")
        self.assertEqual(numbers.to_frame().index.tolist(), [1007, 1007])
        self.assertEqual(numbers.ids, [["1007"]])


if __name__ == "__main__":
    unittest.main()
