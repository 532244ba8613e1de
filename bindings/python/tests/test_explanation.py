"""The explanation as an object: fields, parts, in and out, pictures."""
import copy
import html
import json
import os
import pickle
import sys
import tempfile
import re
import unittest
import unittest.mock
import xml.dom.minidom

from support import HELDOUT, MODEL, command, heldout, needs, needs_command, planted
import gpa
import numpy as np

F, X, Y = planted()


def area(y, x):
    """By the trapezoid rule."""
    return float(np.sum((y[1:] + y[:-1]) * np.diff(x)) / 2)


class Fields(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.many = gpa.explain(F, X, Y, top=3, feature_names=["a", "b", "c", "d"])
        cls.one = cls.many[0]

    def test_one(self):
        e = self.one
        self.assertEqual((e.shape, e.ndim, len(e), e.rows, e.ids), ((4,), 1, 4, [7], ["7"]))
        np.testing.assert_array_equal(e.data, X[7])
        self.assertEqual((e.y, e.f), (Y[7], F(X[7:8])[0]))
        self.assertEqual(e.base_values, e.f)
        np.testing.assert_allclose(e.values, e.responsible * [one.median for one in
                                                              e.culprit.alone])
        np.testing.assert_allclose(e.delta_raw, e.delta * e.unit, rtol=1e-12)
        sigma = np.delete(Y - F(X), 7).std()  # row 7 holds nearly all of the spread
        self.assertAlmostEqual(e.prior["sigma"], sigma, places=12)
        self.assertAlmostEqual(  # eq. 1
            e.score, .5 * np.log(2 * np.pi * sigma ** 2) + (Y[7] - e.f) ** 2 / 2 / sigma ** 2,
            places=9)
        self.assertAlmostEqual(e.f_moved, F((X[7] + e.delta_raw)[None])[0], places=9)

    def test_units(self):
        q = np.quantile(X, [.25, .75], axis=0)
        np.testing.assert_allclose(self.one.unit, (q[1] - q[0]) / 1.349, rtol=.02)
        np.testing.assert_allclose(self.one.center, np.median(X, axis=0))

    def test_distributions(self):
        for k, m in enumerate(self.one.marginals):
            self.assertAlmostEqual(area(m.density, m.grid), 1, places=6)
            self.assertEqual(self.one.lower_bounds[k], m.interval90[0])
            self.assertEqual(self.one.upper_bounds[k], m.interval90[1])
            mass = area(np.where((m.grid >= m.interval90[0]) &
                                     (m.grid <= m.interval90[1]), m.density, 0), m.grid)
            self.assertAlmostEqual(mass, .9, delta=.06)

    def test_culprit(self):
        c = self.one.culprit
        self.assertAlmostEqual(c.single.sum(), 1, places=9)
        np.testing.assert_allclose(c.responsible, c.probability * (1 - c.output))
        np.testing.assert_array_equal(self.one.responsible, c.responsible)
        self.assertEqual(self.one.verdict.kind, "input")
        self.assertIn("a", self.one.verdict.text)

    def test_several(self):
        """The fields of each, over all."""
        many, culprit = self.many, self.many.culprit
        self.assertEqual((culprit.responsible.shape, culprit.output.shape), ((3, 4), (3,)))
        np.testing.assert_array_equal(culprit.responsible, many.responsible)
        for i, one in enumerate(many):
            self.assertEqual(culprit[i].set90, one.culprit.set90)
            for name in one.culprit._fields:
                np.testing.assert_equal(getattr(culprit, name)[i], getattr(one.culprit, name))
        self.assertEqual(many.verdict.kind, [v.kind for v in many.verdict])
        self.assertEqual(culprit.exchanged.dtype, bool)
        single = gpa.explain(F, X, Y, rows=[7], marginals="none")
        self.assertEqual((single.culprit.responsible.shape, single.culprit.set90[0]),
                         ((1, 4), single[0].culprit.set90))
        self.assertEqual(many[:0].culprit.responsible.shape, (0, 4))
        self.assertEqual(many[:, ["b"]].culprit.responsible.shape, (3, 1))
        self.assertRaises(AttributeError, lambda: culprit.guilt)
        self.assertEqual(pickle.loads(pickle.dumps(many.verdict)).kind, many.verdict.kind)
        off = gpa.explain(F, X, Y, rows=[7, 8], marginals="none", culprit="off")
        self.assertEqual((off.culprit, off.verdict.kind), ([None] * 2, [None] * 2))
        self.assertTrue(np.isnan(off.culprit.responsible).all())

    def test_old_names(self):
        for e in (self.one, self.many):
            with self.assertRaisesRegex(AttributeError, "responsible"):
                e.probability

    def test_few_draws(self):
        """What is not known is not shown."""
        e = next(e for e in (gpa.explain(F, X, Y, rows=7, marginals="exact", marginal_rows=n)
                             for n in (16, 8, 4)) if e.ess < 50)
        self.assertTrue(np.isnan(e.lower_bounds).all() and np.isnan(e.upper_bounds).all())
        self.assertTrue(all(np.isnan(m.interval90).all() for m in e.marginals))
        again = gpa.Explanation.from_json(e.to_json())
        for m, n in zip(e.marginals, again.marginals):
            self.assertTrue(np.isnan([m.mean, m.sd, m.p_positive, m.information]).all())
            self.assertEqual((m.map, len(m.grid)), (n.map, 0))
        self.assertEqual(str(e).count("effective draws"), 1)  # said once
        few, = (note for note in e.notes if "effective draws" in note)
        self.assertIn("marginal_rows=", few)
        self.assertNotIn("--", "".join(e.notes))  # what print(e) says
        self.assertIn(few, " ".join(str(e).split()))
        sure = self.one
        self.assertIn("[", sure.plot_forest().split("desc>")[1])
        self.assertNotIn("[", e.plot_forest().split("desc>")[1])
        self.assertLess(len(e.plot_distributions()), len(sure.plot_distributions()))

    def test_printed(self):
        """The verdict, who, notes, how sure: in this order."""
        text = str(self.one)
        best = int(np.argmax(self.one.responsible))
        lines = text.splitlines()
        self.assertEqual(lines[1], self.one.verdict.text)
        self.assertLess(len(lines), 24)
        p, alone = self.one.responsible[best], self.one.culprit.alone[best]
        self.assertIn(">99 %" if p >= .995 else f"{100 * p:.0f} %", lines[3])
        self.assertIn(f" {self.one.feature_names[best]} ", lines[3])
        shown = [float(number.replace("−", "-")) for number in re.search(
            r"→ (\S+) \((\S+) to (\S+)\)", lines[3]).groups()]
        self.assertTrue(np.allclose(shown, [alone.value, *alone.value_interval90], atol=5e-4))
        self.assertIn("observed y", text)
        self.assertRegex(lines[-1], r"^converged after \d+ iterations?; \d+ effective draws$")
        for note in self.one.notes:
            self.assertIn(f"note: {note}", text)
        several = str(self.many)
        for verdict in self.many.verdict:
            self.assertIn(verdict.text, several)
        self.assertRegex(several, r"converged: \d of 3$")
        hard = gpa.explain(lambda x: np.floor(F(x)), X, Y, rows=7, max_iter=1, tol=1e-12,
                           marginals="none", solver="paper")
        self.assertIs(hard.converged, False)
        self.assertEqual(str(hard).count("onverge"), 1)  # said once

    def test_whatever_else_is_in_the_json(self):
        e = self.one
        self.assertIs(e.converged, True)
        self.assertTrue(100 < e.model_rows < 1000)  # through the surrogate
        self.assertEqual(sum(e.rows_by_stage.values()), e.model_rows)
        self.assertTrue(0 <= e.surrogate_error < 2)
        self.assertRaises(AttributeError, lambda: e.nothing_of_the_kind)
        self.assertIn("model_rows", dir(e))
        self.assertEqual(self.many.model_rows.shape, (3,))

    def test_likeliest(self):
        c = self.one.culprit
        self.assertEqual((c.likeliest, c.exchanged), ([c.set90[0]], False))
        self.assertTrue(0 < c.p_likeliest <= c.responsible.max())

    def test_exchanged(self):
        rng = np.random.default_rng(4)
        common = rng.normal(size=(120, 1))
        x = common + .4 * rng.normal(size=(120, 5)) + [0, 3, 0, -3, 1]
        f = lambda x: x @ [1, 2, -1, .5, 1]
        y = f(x) + .1 * rng.normal(size=120)
        x[60, [1, 3]] = x[60, [3, 1]]
        e = gpa.explain(f, x, y, rows=60, feature_names=list("abcde"), sigma=.1, marginals="none")
        c = e.culprit
        self.assertEqual((c.likeliest, c.exchanged, e.verdict.kind), (["b", "d"], True, "input"))
        self.assertGreater(c.p_likeliest, .5)
        self.assertIn("b and d look exchanged", e.verdict.text)
        for one, names in ((e, "abcde"), (e[["d", "a"]], "da")):
            with self.subTest(names):
                lines = one.to_frame().set_index("feature")
                self.assertEqual(list(lines.index), list(names))
                self.assertEqual(lines.value_normal["d"], x[60, 1])
                self.assertTrue(np.isnan(float(lines.value_low["d"])))
                self.assertTrue(lines.value_low["a"] < lines.value_normal["a"] < lines.value_high["a"])
        self.assertRegex(str(e), r" d +-?[\d.−]+ +→ -?[\d.−]+ \(exchanged\)\n")
        alone = c.alone[3]  # what it alone would need stays what it is
        self.assertTrue(alone.value_interval90[0] < alone.value < alone.value_interval90[1])

    def test_perhaps_exchanged(self):
        """Too unsure to be the fact: said first all the same, and shown."""
        rng = np.random.default_rng(1)
        x = rng.normal(size=(120, 3)) * [6, 15, .4] + [85, 120, 7]
        f = lambda x: x @ [.9, -.1, -4]
        y = f(x) + rng.normal(size=120)
        x[7, [0, 1]] = x[7, [1, 0]]
        e = gpa.explain(f, x, y, rows=7, feature_names=["temp", "flow", "ph"], sigma=7, output_prior=.95,
                        marginals="none")
        c = e.culprit
        self.assertEqual((c.likeliest, c.exchanged, e.verdict.kind), (["temp", "flow"], True, "tied"))
        self.assertTrue(.5 < c.p_likeliest < .8)
        self.assertTrue(e.verdict.text.startswith(
            "Probably temp and flow are exchanged (%.0f %%)" % (100 * c.p_likeliest)), e.verdict.text)
        self.assertIn(e.verdict.text, " ".join(str(e).split()))
        lines = e.to_frame().set_index("feature")
        self.assertEqual((lines.value_normal["temp"], lines.value_normal["flow"]), (x[7, 1], x[7, 0]))

    def test_output_prior(self):
        def odds(prior):
            e = gpa.explain(F, X, Y, rows=7, marginals="none", output_prior=prior)
            p = (e.culprit.output - .01 * (prior or 1 / 5)) / .99  # stray faults apart
            return np.log(p / (1 - p))
        self.assertAlmostEqual(odds(.9), odds(.2) + np.log(9) + np.log(4), places=5)
        self.assertAlmostEqual(odds(None), odds(.2), places=9)  # one in five
        for wrong in (0, 1, -1):
            with self.assertRaisesRegex(ValueError, "output-prior|output_prior"):
                odds(wrong)

    def test_without_distributions_and_culprits(self):
        e = gpa.explain(F, X, Y, marginals="none", culprit=False)
        self.assertEqual((e.marginals, e.culprit, e.verdict), ([], None, None))
        self.assertTrue(np.isnan(e.lower_bounds).all() and np.isnan(e.responsible).all())
        self.assertIn("svg", e._repr_html_())

    def test_indexing(self):
        many = self.many
        self.assertEqual((many.shape, len(many), many.y.shape), ((3, 4), 3, (3,)))
        self.assertEqual([e.rows for e in many], many.rows)
        np.testing.assert_array_equal(many[1:].delta, many.delta[1:])
        np.testing.assert_array_equal(many[[2, 0]].delta, many.delta[[2, 0]])
        np.testing.assert_array_equal(many[many.score > many.score[1]].delta, many.delta[:1])
        np.testing.assert_array_equal(many[-1].delta, many.delta[-1])
        np.testing.assert_array_equal(many[:, ["c", "a"]].delta, many.delta[:, [2, 0]])
        np.testing.assert_array_equal(many[:, 1:].upper_bounds, many.upper_bounds[:, 1:])
        np.testing.assert_array_equal(many[:, "b"].data, many.data[:, 1:2])
        self.assertEqual(many[0, "b"].delta, many.delta[0, 1])
        self.assertEqual(self.one["a"].delta, self.one.delta[0])
        self.assertEqual([i.feature for i in self.one], ["a", "b", "c", "d"])
        self.assertEqual(self.one[["d", "b"]][:1].feature_names, ["d"])
        self.assertEqual([m.feature for m in self.one[["d", "b"]].marginals], ["d", "b"])
        self.assertEqual(len(many[:0]), 0)
        self.assertRaises(IndexError, lambda: many[3])
        self.assertRaises(KeyError, lambda: self.one["e"])
        self.assertRaises(ValueError, many[:, 1:].to_json)

    def test_shap_view(self):
        self.assertNotIn("shap", sys.modules)
        view = self.many.to_shap()
        self.assertNotIn("shap", sys.modules)
        for name in ("values", "base_values", "data"):
            np.testing.assert_array_equal(getattr(view, name), getattr(self.many, name))
        ends = [[one.interval90 for one in alone] for alone in self.many.culprit.alone]
        np.testing.assert_allclose(view.lower_bounds,
                                   self.many.responsible * np.array(ends)[:, :, 0])
        change = self.many.to_shap(values="change")
        for name in ("lower_bounds", "upper_bounds"):
            np.testing.assert_array_equal(getattr(change, name), getattr(self.many, name))
        np.testing.assert_array_equal(change.values, self.many.delta)
        self.assertRaises(ValueError, self.many.to_shap, "shap")
        without = gpa.explain(F, X, Y, culprit="off", marginals="none")
        self.assertTrue(np.isnan(without.values).all())
        self.assertRaisesRegex(ValueError, "values='change'", without.to_shap)
        self.assertEqual(self.one.to_shap().shape, (4,))
        np.testing.assert_array_equal(self.many[:, ["c"]].values, self.many.values[:, 2:3])
        self.assertEqual(view.feature_names, ["a", "b", "c", "d"])
        self.assertEqual((view.shape, view.base_values.shape), ((3, 4), (3,)))

        def explanation(values, base_values=None, data=None, display_data=None,
                        instance_names=None, feature_names=None, output_names=None,
                        output_indexes=None, lower_bounds=None, upper_bounds=None):
            return values  # as shap.Explanation takes them
        self.assertIs(explanation(**vars(view)), view.values)


class InAndOut(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.many = gpa.explain(F, X, Y, rows=[7, 3])

    def same(self, a, b):
        self.assertEqual(a.to_json(), b.to_json())
        np.testing.assert_array_equal(a.delta, b.delta)
        np.testing.assert_array_equal(a.upper_bounds, b.upper_bounds)
        self.assertEqual((a.rows, a.verdict, a.shape), (b.rows, b.verdict, b.shape))

    def test_json(self):
        json.loads(self.many.to_json(), parse_constant=self.fail)  # no NaN
        self.same(self.many, gpa.Explanation.from_json(self.many.to_json()))
        self.same(self.many, gpa.Explanation.from_json(self.many.to_json().encode()))
        self.same(self.many[1], gpa.Explanation.from_json(self.many[1].to_json()))
        spaced = json.dumps(json.loads(self.many.to_json()), indent=2)
        other = gpa.Explanation.from_json(spaced)
        np.testing.assert_array_equal(other.delta, self.many.delta)
        self.assertEqual(json.loads(other.to_json()), json.loads(spaced))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "e.json")
            self.many.save(path)
            self.same(self.many, gpa.Explanation.load(path))
            self.same(self.many[0], gpa.Explanation.load(path)[0])

    def test_pickles_and_copies(self):
        for e in (self.many, self.many[0], self.many[:, 1:]):
            again = pickle.loads(pickle.dumps(e))
            np.testing.assert_array_equal(again.delta, e.delta)
            self.assertEqual(again.feature_names, e.feature_names)
        self.same(self.many, copy.deepcopy(self.many))
        for other in (gpa.score(F, X, Y), gpa.compare(F, X, Y, methods=["gpa", "lc"])):
            self.assertEqual(pickle.loads(pickle.dumps(other)).to_json(), other.to_json())

    def test_refusals(self):
        for text in ("", "{}", "[]", "nonsense", '{"format":"gpa-scores/1"}'):
            with self.subTest(text):
                self.assertRaises(ValueError, gpa.Explanation.from_json, text)

    def test_outlives_everything(self):
        """Nothing of the caller's is needed afterwards."""
        e = gpa.explain(lambda x: x @ np.ones(4), X.copy(), Y.copy(), feature_names=list("abcd"))
        text = e.to_json()
        e2 = gpa.explain(lambda x: x @ np.ones(4), X.copy(), Y.copy(), feature_names=list("abcd"))
        junk = [np.full(1000, 7.0) for _ in range(1000)]
        self.assertEqual(len(junk), 1000)
        self.assertEqual(e2.to_json(), text)

    def test_frames(self):
        try:
            frame = self.many.to_frame()
        except ImportError as error:
            self.assertIn("pandas", str(error))
            return
        self.assertEqual(len(frame), 8)
        self.assertEqual(list(frame.columns[:13]), [
            "rows", "ids", "feature", "x", "responsible", "value_normal", "value_low",
            "value_high", "level_normal", "verdict", "p_output", "delta", "delta_raw"])
        self.assertNotIn("probability", frame)
        np.testing.assert_array_equal(frame.delta[:4], self.many.delta[0])
        score = gpa.score(F, X, Y).to_frame()
        self.assertEqual(score.row[0], 7)

    @needs_command
    def test_reads_what_the_command_writes(self):
        text = command("explain", "--model", f"mlp:{MODEL}", "--json", "--top", 2, HELDOUT)
        e = gpa.Explanation.from_json(text)
        self.assertEqual((e.shape, e.to_json()), ((2, 10), text))

    def test_strange_names(self):
        names = ['<b>"quoted"', "a,b\n", "\u03b4\u0000x", "</svg><script>"]
        e = gpa.explain(F, X, Y, feature_names=names, target="<i>y")
        self.assertEqual(e.feature_names, names)
        page = e._repr_html_() + e.plot_litmus() + e.plot_forest()
        self.assertNotIn("<script", page)
        self.assertNotIn("<b>\"", page)
        self.assertNotIn("<i>", page)
        gpa.Explanation.from_json(e.to_json())


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.many = gpa.explain(F, X, Y, top=3)
        cls.one = cls.many[0]

    def check(self, svg):
        self.assertIsInstance(svg, gpa.SVG)
        self.assertEqual(xml.dom.minidom.parseString(svg).documentElement.tagName, "svg")
        self.assertEqual(svg._repr_html_(), svg)
        return svg

    def test_by_name(self):
        for name in ("distributions", "litmus", "forest", "profiles"):
            with self.subTest(name):
                svg = self.check(self.one.plot(name, title="Why?", width=500))
                self.assertIn("Why?", svg)
                for feature in ("x1", "x3"):
                    self.assertIn(feature, svg)
        self.check(self.one.plot("scatter", X=X, y=Y))
        self.check(self.many.plot_scatter(X, Y, inputs=["x1"]))
        self.check(self.many.plot_litmus())
        small = gpa.explain(F, X, F(X) + np.isin(np.arange(len(X)), [3, 4]) * .05,
                            rows=[3, 4], sigma=.02)
        cells = [float(share) for share in re.findall(r'fill-opacity="([\d.]+)"',
                                                      small.plot_litmus())]
        tints = cells[:-5]  # those of the legend are last
        self.assertTrue(0 < max(tints) < .1, tints)  # a small change is no full cell
        self.check(gpa.score(F, X, Y).plot(threshold=5))
        self.check(gpa.compare(F, X, Y, methods=["gpa", "lc", "z"]).plot_litmus())
        self.assertRaises(ValueError, self.one.plot, "pie")
        self.assertRaises(ValueError, self.many.plot_distributions)

    def test_of_saved_explanations(self):
        again = gpa.Explanation.from_json(self.one.to_json())
        for name in ("distributions", "litmus", "forest"):
            self.assertEqual(again.plot(name), self.one.plot(name))
        self.assertRaisesRegex(ValueError, "not saved", again.plot_profiles)
        self.assertRaisesRegex(ValueError, "gpa report", again.to_html)

    def test_pages(self):
        page = self.one._repr_html_()
        self.assertIn(self.one.verdict.text, page)
        self.assertIn(self.one.plot_distributions(), page)
        self.assertEqual(self.many._repr_html_().count("<details"), 2 * 3)
        self.assertLess(page.index(self.one.verdict.text), page.index("<table"))
        self.assertLess(page.index("<table"), page.index("<details"))
        self.assertIn("No row", gpa.explain(F, X, Y, threshold=1e9)._repr_html_())
        self.assertTrue(self.one.to_html().lower().startswith("<!doctype html>"))
        self.assertIn("x1", repr(self.many))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.svg")
            self.one.plot_forest().save(path)
            with open(path, encoding="utf-8") as file:
                self.check(gpa.SVG(file.read()))

    def save(self, picture, name):
        """The bytes of the file."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            picture.save(path)
            with open(path, "rb") as file:
                return file.read()

    @needs("matplotlib")
    def test_png_by_matplotlib(self):
        scores, comparison = gpa.score(F, X, Y), gpa.compare(F, X, Y, methods=["gpa", "lc"])
        with unittest.mock.patch.multiple("gpa._png", by_command=self.fail, by_rsvg=self.fail,
                                          by_cairosvg=self.fail):
            for picture in (self.one.plot_distributions(), self.one.plot_forest(),
                            self.one.plot_profiles(), self.many.plot_litmus(),
                            self.many.plot_scatter(X, Y), scores.plot(threshold=5),
                            comparison.plot_litmus()):
                self.assertEqual(self.save(picture, "a.PNG")[:8], b"\x89PNG\r\n\x1a\n")

    def test_png_by_rsvg(self):
        """From our own SVG, with whatever stands in for the program."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rsvg-convert")
            with open(path, "w") as file:
                file.write("#!/bin/sh\necho \"$@\"\ncat\n")
            os.chmod(path, 0o755)
            here = os.pathsep.join([folder, os.environ["PATH"]])
            with unittest.mock.patch.dict(os.environ, PATH=here):
                found = self.save(self.one.plot_forest(), "a.png")
        options, _, svg = found.partition(b"\n")
        self.assertIn(b"--format=png", options)
        self.assertEqual(svg.decode(), self.one.plot_forest())

    def test_endings(self):
        picture = self.one.plot_forest()
        self.assertEqual(self.save(picture, "a.svg").decode(), picture)
        for name in ("a.jpg", "a", "png", "a.pdf"):
            with self.assertRaisesRegex(ValueError, r"\.svg or \.png"):
                self.save(picture, name)
        with unittest.mock.patch.multiple("gpa._png", by_command=self.fail, by_rsvg=self.fail,
                                          by_cairosvg=self.fail):
            with self.assertRaisesRegex(ImportError, "rsvg-convert.*matplotlib"):
                self.save(gpa.SVG("<svg/>"), "a.png")
        self.assertEqual(pickle.loads(pickle.dumps(picture)), picture)

    @needs("matplotlib")
    def test_axes(self):
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib.figure import Figure
        for name in ("distributions", "litmus", "forest", "profiles"):
            with self.subTest(name):
                ax = Figure().add_subplot()
                self.assertIs(self.one.plot(name, ax=ax, title="t"), ax)
                self.assertTrue(ax.lines or ax.images)
                self.assertEqual(ax.get_title(), "t")
        ax = self.many.plot_scatter(X, Y, ax=True)
        self.assertEqual(ax.get_xlabel(), "x1")
        self.assertEqual(len(gpa.score(F, X, Y).plot(ax=True).texts), 5)
        ax = gpa.compare(F, X, Y, methods=["gpa", "lc"]).plot_litmus(ax=True)
        self.assertEqual([t.get_text() for t in ax.get_xticklabels()],
                         ["responsible", "GPA's change", "LC"])


class Others(unittest.TestCase):
    def test_score(self):
        s = gpa.score(F, X, Y, top=2)
        sigma = np.delete(Y - F(X), 7).std()
        want = .5 * np.log(2 * np.pi * sigma ** 2) + (Y - F(X)) ** 2 / 2 / sigma ** 2
        np.testing.assert_allclose(np.asarray(s), want, rtol=1e-12)
        self.assertEqual((s.rows[0], len(s.rows), len(s)), (7, 2, 120))
        self.assertAlmostEqual(s.sigma, sigma)
        self.assertAlmostEqual(s.collective, want.mean())

    def test_compare(self):
        c = gpa.compare(F, X, Y, rows=[7, 9], reference=X[30:], seed=2, sv="exact")
        self.assertEqual((c.methods[0], c.rows, len(c)), ("gpa", [7, 9], 2))
        self.assertEqual(c.skipped, {})
        w = np.array([3.0, 1.0, -2.0, .5])
        np.testing.assert_allclose(c.scores["ig"][0], X[7] * w, rtol=1e-6)  # linear, from 0
        np.testing.assert_allclose(c.scores["sv"][0], w * (X[7] - X[30:].mean(0)), rtol=1e-6)
        z = (X[7] - X[30:].mean(0)) / X[30:].std(0)
        np.testing.assert_allclose(np.abs(c.scores["z"][0]), np.abs(z), rtol=.02)
        self.assertEqual(sorted(c.consistency["lc"]), ["hit25", "rho", "smr", "tau"])
        others = gpa.compare(F, X, Y, rows=[7], methods=["z"])
        z = gpa.compare(F, X, Y, rows=[7], methods=["z"], reference=np.delete(X, 7, 0))
        np.testing.assert_array_equal(others.scores["z"], z.scores["z"])
        without = gpa.compare(F, X[:15], Y[:15], methods=["gpa", "z"])
        self.assertIn("reference=", without.skipped["z"])
        self.assertTrue(np.isnan(without.scores["z"]).all())
        again = gpa.Comparison.from_json(c.to_json())
        self.assertEqual(again.to_json(), c.to_json())
        self.assertIn("svg", again._repr_html_())
        self.assertIn("tau", repr(c))
        e = gpa.explain(F, X, Y, rows=[7, 9], seed=2, marginals="none", reference=X[30:])
        who, said = e.culprit, e.verdict
        for one in (c, again):
            self.assertEqual((one.responsible.shape, one.output.shape), ((2, 4), (2,)))
            record = one.record["rows"]
            np.testing.assert_array_equal(one.responsible,
                                          [row["responsible"]["gpa"] for row in record])
            np.testing.assert_array_equal(one.output, [row["output"]["gpa"] for row in record])
            np.testing.assert_array_equal(one.responsible.argmax(1), who.responsible.argmax(1))
            self.assertEqual(list(one.verdict), list(said))
            self.assertIn(f"row 7: {said[0].text}", repr(one))
            self.assertIn(html.escape(said[1].text), one._repr_html_())
        self.assertEqual(c.verdict.kind, said.kind)
        lc = gpa.compare(F, X, Y, methods=["lc"])
        self.assertEqual(list(lc.verdict), [None])
        self.assertTrue(np.isnan(lc.responsible).all() and np.isnan(lc.output).all())
        self.assertTrue(repr(lc).startswith("<1 row compared by lc"), repr(lc))

    @needs("scipy")
    def test_consistency(self):
        from scipy.stats import kendalltau, spearmanr
        rng = np.random.default_rng(0)
        a, b = rng.normal(size=(2, 5, 9))
        found = gpa.consistency(a, b)
        for i in range(5):
            self.assertAlmostEqual(found.tau[i],
                                   kendalltau(np.abs(a[i]), np.abs(b[i])).correlation)
            self.assertAlmostEqual(found.rho[i], spearmanr(np.abs(a[i]), np.abs(b[i]))[0])
            self.assertAlmostEqual(found.smr[i], np.mean(a[i] * b[i] >= 0))
            top = [set(np.argsort(-np.abs(v))[:2]) for v in (a[i], b[i])]
            self.assertAlmostEqual(found.hit25[i], len(top[0] & top[1]) / 2)
        self.assertTrue(np.isnan(gpa.consistency([0, 0, 0], [1, 2, 3]).tau))

    def test_probabilities_of_levels(self):
        """Never a 0 or 1 that is only rounded, as on pages."""
        from gpa._plots import share
        for p, want in ((1, ">0.99"), (.9901, ">0.99"), (.99, "0.99"), (.5, "0.50"),
                        (.01, "0.01"), (.0099, "<0.01")):
            self.assertEqual(share(p), want)

    def test_native_models(self):
        m = gpa.load_model(f"mlp:{MODEL}")
        x, y, names = heldout()
        from support import network
        np.testing.assert_allclose(m.predict(x), network()(x), rtol=1e-9)
        np.testing.assert_array_equal(m(x), m.predict(x.tolist()))
        self.assertEqual((m.inputs, m.feature_names), (10, names))
        e = gpa.explain(m, x, y)
        np.testing.assert_array_equal(e.delta, gpa.explain(f"mlp:{MODEL}", HELDOUT).delta)

    def test_exec(self):
        """A model in another Python, through the package's own worker."""
        from support import HERE
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.py")
            with open(path, "w") as file:
                file.write("def f(x):\n    return x @ [3.0, 1.0, -2.0, 0.5]\n")
            old = os.environ.get("PYTHONPATH")
            os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), old or ""])
            try:
                m = gpa.load_model(f"exec:{sys.executable} -m gpa.worker {path}:f",
                                   model_workers=1)
                e = gpa.explain(m, X, Y, marginals="none")
            finally:
                if old is None:
                    del os.environ["PYTHONPATH"]
                else:
                    os.environ["PYTHONPATH"] = old
        here = gpa.explain(F, X, Y, marginals="none")
        np.testing.assert_allclose(e.delta, here.delta, rtol=1e-9)

    def test_methods(self):
        found = {m.name: m for m in gpa.methods()}
        self.assertEqual((found["gpa"].sees_y, found["z"].training_data_free), (True, False))


if __name__ == "__main__":
    unittest.main()
