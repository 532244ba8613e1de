"""What goes wrong comes out as the exception that people expect, with a clear message."""
import pathlib
import tempfile
import traceback
import unittest

from support import HELDOUT, MODEL, needs, planted
import gpa
import numpy as np

F, X, Y = planted()


class Oops(Exception):
    """Nobody else's."""


def with_nan(a, *where):
    b = np.array(a)
    b[where] = np.nan
    return b


class Inputs(unittest.TestCase):
    def fails(self, kind, text, *arguments, **options):
        with self.assertRaises(kind) as caught:
            gpa.explain(*arguments, **options)
        self.assertRegex(str(caught.exception), text)
        return caught.exception

    @needs("pandas")
    def test_other_labels(self):
        """A Series y whose rows are not called as those of X: neither is guessed."""
        import pandas
        x = pandas.DataFrame(X, columns=list("abcd"), index=[f"r{i}" for i in range(120)])
        y = pandas.Series(Y, index=x.index)
        want = gpa.explain(F, x, y, rows=[7], marginals="none").culprit.responsible
        for other in y[::-1], y.reset_index(drop=True), y[::-1].to_frame():
            error = self.fails(ValueError, "y and X have different indexes: row 0 is called "
                               ".*reindex.*to_numpy", F, x, other, rows=[7])
            self.assertIn("'r0' in X", str(error))
            self.fails(ValueError, "the reference's y and its X have different indexes",
                       F, X, Y, reference=(x, other))
        for same in y.to_numpy(), y[::-1].reindex(x.index), list(Y):
            got = gpa.explain(F, x, same, rows=[7], marginals="none").culprit.responsible
            np.testing.assert_array_equal(got, want)
        counted = pandas.Series(Y, index=pandas.Index(range(120)))
        gpa.explain(F, pandas.DataFrame(X), counted, rows=[7], marginals="none")

    def test_arguments(self):
        cases = [
            (TypeError, "y is missing", (F, X), {}),
            (TypeError, "no predict", (object(), X, Y), {}),
            (ValueError, "119 numbers for 120 rows", (F, X, Y[1:]), {}),
            (ValueError, r"shape \(2, 3, 4\)", (F, np.zeros((2, 3, 4)), [1, 2]), {}),
            (ValueError, r"shape \(120, 2\)", (F, X, np.stack([Y, Y], 1)), {}),
            (ValueError, "no rows", (F, X[:0], Y[:0]), {}),
            (ValueError, "row 3: no value of the target", (F, X, with_nan(Y, 3)),
             {"strict": True}),
            (ValueError, "row 3: no value of the target", (F, X, with_nan(Y, 3)), {"rows": 3}),
            (ValueError, "no value of the target", (F, X, np.full(120, np.nan)), {}),
            (ValueError, "y is inf in row 0", (F, X, np.where(np.arange(120), Y, np.inf)), {}),
            (TypeError, "column 1 .*'blue'.*encode", (F, [[1, "blue"], [2, "red"]], [1, 2]),
             {}),
            (TypeError, "complex", (F, X + 1j, Y), {}),
            (ValueError, "row 3, column 'x2': inf", (F, np.where(
                np.arange(480).reshape(120, 4) == 13, np.inf, X), Y), {}),
            (ValueError, "reference: row 0, column 'x1': -inf", (F, X, Y),
             {"reference": np.full((9, 4), -np.inf)}),
            (TypeError, "y holds .*'(low|high)'", (F, X, np.where(Y > 0, "high", "low")), {}),
            (ValueError, "3 feature_names for 4", (F, X, Y), {"feature_names": "abc"}),
            (IndexError, "no row 120", (F, X, Y), {"rows": 120}),
            (TypeError, "no row numbers", (F, X, Y), {"rows": [1.5]}),
            (ValueError, "named twice", (F, X, Y), {"rows": [1, 1]}),
            (ValueError, "no row or range", (F, X, Y), {"rows": "1-x"}),
            (ValueError, "only one of", (F, X, Y), {"rows": 1, "top": 2}),
            (ValueError, "top: '0' is not", (F, X, Y), {"top": 0}),
            (TypeError, "top: 2.5", (F, X, Y), {"top": 2.5}),
            (ValueError, "solver: 'fastest' is none of", (F, X, Y), {"solver": "fastest"}),
            (ValueError, "progress", (F, X, Y), {"progress": "sometimes"}),
            (ValueError, "eta", (F, X, Y), {"eta": -1}),
            (ValueError, "sigma", (F, X, Y), {"sigma": 0}),
            (TypeError, "nu: 'much'", (F, X, Y), {"nu": "much"}),
            (ValueError, "did you mean 'x1'", (F, X, Y), {"freeze": ["x11"]}),
            (ValueError, "no input 9", (F, X, Y), {"integer": [9]}),
            (ValueError, "COL=LO:HI", (F, X, Y), {"bounds": "x1"}),
            (ValueError, "bounds", (F, X, Y), {"bounds": {"x1": (2, 1)}}),
            (ValueError, "needs reference=", (F, X, Y), {"scale": "reference"}),
            (ValueError, "above 0", (F, X, Y), {"scale": (np.zeros(4), np.zeros(4))}),
            (ValueError, "delta_init: 3", (F, X, Y), {"delta_init": [0, 0, 0]}),
            (ValueError, "reference has 3", (F, X, Y), {"reference": X[:, :3]}),
            (TypeError, r"pair \(X, y\)", (F, X, Y), {"reference": (X, Y, Y)}),
            (ValueError, "sigma=, or reference", (F, X[0], Y[0]), {}),
            (OSError, "no-such-file", (F, "no-such-file.csv"), {}),
            (TypeError, "unexpected keyword", (F, X, Y), {"sead": 1}),
            (ValueError, "seed", (F, X, Y), {"seed": -1}),
        ]
        for kind, text, arguments, options in cases:
            with self.subTest(text):
                self.fails(kind, text, *arguments, **options)

    def test_files_and_specs(self):
        spec = f"mlp:{MODEL}"
        self.assertRaisesRegex(ValueError, "did you mean 'bmi'", gpa.explain, spec, HELDOUT,
                               freeze="bmj")
        self.assertRaisesRegex(ValueError, 'no column "q"', gpa.explain, spec, HELDOUT,
                               drop="q")
        self.assertRaisesRegex(ValueError, "inputs", gpa.explain, spec, HELDOUT, drop="age")
        self.assertRaisesRegex(ValueError, "9 columns|9", gpa.load_model(spec).predict,
                               np.zeros((2, 9)))
        self.assertRaises(gpa.FileError, gpa.load_model, "mlp:no-such-file.json")
        self.assertRaises(ValueError, gpa.load_model, "nobody:knows")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.csv"
            path.write_text("a,b,y\n1,red,3\n2,4,5\n")
            self.assertRaisesRegex(gpa.DataError, "red.*levels= ?b=", gpa.explain,
                                   "builtin:sinusoid2d", path)
            path.write_text("a,b,y\n1,2\n")
            self.assertRaises(gpa.DataError, gpa.explain, F, path)

    def test_words(self):
        """The library speaks of the command's options; here they are arguments."""
        from gpa._library import spoken
        for said, want in ((b"--model-timeout: 0 is", "model_timeout: 0 is"),
                           (b"--scale reference needs --reference FILE",
                            "scale='reference' needs reference="),
                           (b"gains 0.01 more (--solver thorough)",
                            "gains 0.01 more (solver='thorough')"),
                           (b"all (--witnesses all counts them)", "all (witnesses='all' counts them)"),
                           (b"few draws (--marginal-rows N, or --marginals exact)",
                            "few draws (marginal_rows=N, or marginals='exact')"),
                           (b"did you mean --id nr or --drop nr?",
                            "did you mean id='nr' or drop='nr'?"),
                           (b"warning: use --no-header", "use no_header="),
                           (b"exec: run --rows 3: late; --model-timeout gives it more",
                            "exec: run --rows 3: late; model_timeout= gives it more"),
                           (b"what is --that?", "what is --that?")):
            self.assertEqual(spoken(said), want)

    def test_missing_values(self):
        x = with_nan(X, 4, 2)
        native = gpa.load_model(f"mlp:{MODEL}")
        ten = np.arange(90.0).reshape(9, 10) % 7
        self.assertRaisesRegex(ValueError, "row 4, column .*missing", gpa.explain, native,
                               with_nan(ten, 4, 2), np.arange(9), strict=True)
        with self.assertWarnsRegex(UserWarning, r"1 of 9 rows left out.*\(row 4\)"):
            gpa.explain(native, with_nan(ten, 4, 2), np.arange(9), marginals="none")
        self.assertRaisesRegex(gpa.NumericError, "NaN for row 4", gpa.explain, F, x, Y,
                               strict=True)
        self.assertRaisesRegex(gpa.NumericError, "NaN for row 4", gpa.explain, F, x, Y, rows=4)
        e = gpa.explain(lambda z: F(np.nan_to_num(z)), x, Y, rows=7, marginals="none")
        self.assertEqual(e.rows, [7])  # a model may well take them

    @needs("sklearn")
    def test_the_models_own_refusal(self):
        """Rows that a model refuses for their gaps are left out, and it goes on."""
        from sklearn.linear_model import LinearRegression
        model = LinearRegression().fit(X, Y)
        with self.assertWarnsRegex(UserWarning, r"2 of 120 rows left out.*\(rows 4, 60\)"):
            e = gpa.explain(model, with_nan(X, [4, 60], [2, 1]), Y, marginals="none")
        self.assertEqual(e.rows, [7])
        self.assertIn("left out", e.notes[0] + e.notes[1])
        without = np.delete(np.arange(120), [4, 60])
        want = gpa.explain(model, X[without], Y[without], marginals="none")
        np.testing.assert_array_equal(e.delta, want.delta)
        self.assertRaisesRegex(ValueError, "row 4, column .x3.: missing", gpa.explain, model,
                               with_nan(X, 4, 2), Y, strict=True)
        self.assertRaisesRegex(ValueError, "row 4, column .x3.: missing", gpa.explain, model,
                               with_nan(X, 4, 2), Y, rows=[4])
        self.assertRaisesRegex(ValueError, "missing value", gpa.explain, model,
                               with_nan(X, slice(None), 2), Y)  # there is no other row
        self.assertRaisesRegex(ValueError, "4 inputs, the data gives 3", gpa.explain, model,
                               X[:, :3], Y)
        self.assertRaisesRegex(Exception, "not fitted", gpa.explain, LinearRegression(), X, Y)

    def test_an_interrupt_is_no_refusal(self):
        def model(x):
            if np.isnan(x).any():
                raise KeyboardInterrupt
            return F(x)
        self.assertRaises(KeyboardInterrupt, gpa.score, model, with_nan(X, 4, 2), Y)

    @needs("pandas")
    def test_frames(self):
        import pandas
        frame = pandas.DataFrame(X, columns=list("abcd"))
        self.fails(TypeError, "column 'b' holds list", F, frame.assign(b=[[1, 2]] * 120), Y)
        self.fails(TypeError, "column 'b' holds complex", F, frame.assign(b=frame.b + 1j), Y)
        gpa.explain(lambda z: z.to_numpy() @ [1.0, 3, 4], frame.assign(b=[[1, 2]] * 120), Y,
                    drop=["b"], marginals="none")  # unless it is none of the inputs
        for name, column in {"object": ["red", "blue"] * 60,
                             "category": pandas.Categorical(["u", "v"] * 60)}.items():
            with self.subTest(name):  # what a model does not take, it says itself
                self.fails(TypeError, "multiply", F, frame.assign(b=column), Y)
                self.fails(ValueError, "not a number.*levels= ?b=", gpa.load_model(
                    "builtin:sinusoid2d"), frame[["a", "b"]].assign(b=column), Y)
        numbers = frame.assign(b=frame.b.astype(object), c=frame.c.round().astype("Int64"),
                               d=frame.d > 0)
        gpa.explain(lambda z: z.astype(float).to_numpy() @ [1.0, 2, 3, 4], numbers, Y,
                    marginals="none")
        self.fails(ValueError, "did you mean", F, frame.rename(columns={"a": "first"}),
                   target="frist")

    @needs("scipy")
    def test_sparse(self):
        from scipy.sparse import csr_matrix
        self.fails(TypeError, "sparse", F, csr_matrix(X), Y)


class Models(unittest.TestCase):
    def test_exceptions_come_out_as_themselves(self):
        def deep(x):
            raise Oops("the pump is broken")

        def model(x):
            if len(x) != len(X):  # not while the rows are predicted, but later
                deep(x)
            return F(x)
        for options in ({}, {"all": True}, {"collective": True, "rows": [1, 2]}):
            with self.subTest(options=options):
                try:
                    gpa.explain(model, X, Y, **options)
                    self.fail("nothing was raised")
                except Oops as error:
                    names = [f.name for f in traceback.extract_tb(error.__traceback__)]
                    self.assertIsNone(error.__context__)
                self.assertEqual(names[-2:], ["model", "deep"])
                self.assertIn("explain", names)
        self.assertRaises(Oops, gpa.score, deep, X, Y)
        self.assertRaises(Oops, gpa.compare, model, X, Y)
        gpa.explain(F, X, Y, marginals="none")  # and the next call works

    def test_every_kind_of_exception(self):
        for kind in (KeyboardInterrupt, SystemExit, MemoryError, StopIteration, GeneratorExit):
            def model(x):
                raise kind("now")
            with self.subTest(kind=kind), self.assertRaises(kind):
                gpa.explain(model, X, Y)

    def test_answers(self):
        cases = [(ValueError, r"120 rows and gave shape \(119,\)", lambda x: F(x)[1:]),
                 (ValueError, r"shape \(120, 2\)", lambda x: np.stack([F(x)] * 2, 1)),
                 (ValueError, r"shape \(\)", lambda x: 3.0),
                 (ValueError, r"shape \(1, 120\)", lambda x: F(x)[None]),
                 (TypeError, "<U", lambda x: F(x).astype(str)),
                 (TypeError, "complex", lambda x: F(x) + 1j),
                 ((TypeError, ValueError), "", lambda x: [None] * len(x)),
                 ((TypeError, ValueError), "", lambda x: None)]
        for kind, text, model in cases:
            with self.subTest(text):
                self.assertRaisesRegex(kind, text, gpa.explain, model, X, Y)
        self.assertRaisesRegex(
            ValueError, r"gave shape \(\d+,\)", gpa.explain,
            lambda x: F(x) if len(x) == 120 else F(x)[:-1], X, Y)

    def test_no_finite_prediction(self):
        def model(x):
            return np.where((np.arange(len(x)) == 5) & (len(x) == 120), np.inf, F(x))
        self.assertRaisesRegex(gpa.NumericError, "infinity for row 5", gpa.explain, model, X, Y,
                               strict=True)
        self.assertRaisesRegex(gpa.NumericError, "row 5", gpa.explain, model, X, Y, rows=5)
        with self.assertWarnsRegex(UserWarning, r"1 of 120 rows left out.*\(row 5\)"):
            found = gpa.score(model, X, Y)
        self.assertNotIn(5, found.rows)
        np.testing.assert_array_equal(np.isnan(found.scores), np.arange(120) == 5)

    def test_errors_are_two_things(self):
        for kind, built_in in ((gpa.InvalidError, ValueError), (gpa.FileError, OSError),
                               (gpa.ModelError, RuntimeError), (gpa.DataError, ValueError),
                               (gpa.LibraryError, ImportError)):
            self.assertTrue(issubclass(kind, built_in) and issubclass(kind, gpa.Error))


class Comparisons(unittest.TestCase):
    def test_options(self):
        for text, options in (("no 'shap'", {"methods": ["shap"]}),
                              ("'lc' twice", {"methods": "lc,lc"}),
                              ("sv: 'all'", {"sv": "all"}), ("flip", {"flip": "maybe"}),
                              ("needs reference=", {"baseline": "reference"}),
                              ("baseline: 2 numbers", {"baseline": [0, 0]}),
                              ("score above", {"threshold": 1e9})):
            with self.subTest(text):
                self.assertRaisesRegex(ValueError, text, gpa.compare, F, X, Y, **options)
        self.assertRaisesRegex(ValueError, "shapes", gpa.consistency, [1, 2], [1, 2, 3])


if __name__ == "__main__":
    unittest.main()
