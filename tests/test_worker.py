#!/usr/bin/env python3
"""test_worker.py ROOT BUILD: gpa.worker, spoken to in frames and through the command.

Predictions of scikit-learn models that come back through gpa must be those of predict(),
bit for bit. What needs scikit-learn, joblib or pandas is skipped, loudly, without them.
"""
import contextlib
import json
import os
import pathlib
import pickle
import re
import struct
import subprocess
import sys
import tempfile
import unittest

PLAIN = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # as the worker
try:
    import numpy as np
except ImportError:
    print("SKIP: no NumPy: the Python worker is NOT checked")
    sys.exit(77)

ROOT, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
PATH = os.pathsep.join([str(ROOT / "bindings/python"), *filter(None, [PLAIN.get("PYTHONPATH")])])
ENV = dict(PLAIN, PYTHONPATH=PATH, PYTHONDONTWRITEBYTECODE="1")
MODELS = '''
import os, sys
import numpy as np

print("printed while it is imported")

def total(X):
    print("printed by the model")
    os.write(1, b"and past Python's buffers")
    return X.sum(axis=1)

def column(X):
    return X[:, :1]

def integers(X):
    return [int(row[0]) for row in X]

def refuses(X):
    raise ValueError("not\\nthese %d rows" % len(X))

def wrong_length(X):
    return X[1:, 0]

def matrix(X):
    return X

def words(X):
    return ["a"] * len(X)

def threads(X):
    return np.full(len(X), float(os.environ["OMP_NUM_THREADS"]))

def leaves(X):
    sys.exit(3)

class Fitted:
    n_features_in_ = 3
    feature_names_in_ = np.array(["a", "b b", "c\\u00e9"], dtype=object)
    n_jobs = -1
    steps = "not those of a pipeline"

    def predict(self, X):
        return np.asarray(X)[:, 0] + 10 * self.n_jobs

class FittedOnText:
    n_features_in_ = 3
    feature_names_in_ = np.array(["p", "q", "r"], dtype=object)

    def predict(self, X):
        return X["p"] + X["q"].map({"x": 10, "y": 20}) + X["r"].astype(float)

def show(X):
    raise ValueError(repr([type(X).__name__, list(X.columns), [str(t) for t in X.dtypes],
                           [list(X[name]) for name in X.columns]]))

fitted = Fitted()
on_text = FittedOnText()
number = 7
'''


class Worker:
    """A worker, spoken to in frames as gpa does."""

    def __init__(self, *args, cwd=None, env=ENV):
        self.process = subprocess.Popen([sys.executable, "-m", "gpa.worker", *args], cwd=cwd,
                                        env=env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.stderr.close()
        self.process.wait(20)

    def hello(self):
        head = self.process.stdout.read(16)
        if len(head) < 16:
            raise EOFError((head + self.process.stderr.read()).decode())
        magic, version, inputs, size = struct.unpack("<4s3I", head)
        assert (magic, version) == (b"GPAH", 2), head
        return inputs, self.process.stdout.read(size).decode().splitlines()

    def tell(self, *columns):
        """What the inputs are: (writing, name, [(code, text), ...]) each."""
        body = b""
        for writing, name, levels in columns:
            body += struct.pack("<2I", writing, len(name.encode())) + name.encode()
            body += struct.pack("<I", len(levels))
            for code, text in levels:
                body += struct.pack("<dI", code, len(text.encode())) + text.encode()
        head = struct.pack("<4s2I", b"GPAK", len(columns), len(body))
        self.process.stdin.write(head + body)

    def ask(self, x):
        rows, inputs = x.shape
        self.process.stdin.write(struct.pack("<4s2I", b"GPAQ", rows, inputs))
        self.process.stdin.write(x.astype("<f8").tobytes())
        self.process.stdin.flush()
        magic, count, size = struct.unpack("<4s2I", self.process.stdout.read(12))
        assert magic == b"GPAR", magic
        if size:
            return self.process.stdout.read(size).decode()
        return np.frombuffer(self.process.stdout.read(8 * count), dtype="<f8")


class InScratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="gpa-worker-")
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)
        (self.dir / "models.py").write_text(MODELS)

    def worker(self, *args, **kwargs):
        return Worker(*args, cwd=self.dir, **kwargs)


class Frames(InScratch):
    X = np.array([[1, 2.5, -3], [4e300, 0, np.nan]])

    def test_functions(self):
        cases = {"total": self.X.sum(axis=1), "column": self.X[:, 0], "threads": [1, 1]}
        for name, want in cases.items():
            for where in ("models", "models.py", str(self.dir / "models.py")):
                with self.subTest(f"{where}:{name}"), self.worker(f"{where}:{name}") as w:
                    self.assertEqual(w.hello(), (0, []))
                    for _ in range(3):
                        np.testing.assert_array_equal(w.ask(self.X), want)

    def test_sizes(self):
        x = np.random.default_rng(1).normal(size=(50000, 8))
        with self.worker("models.py:total", "--inputs", "8") as w:
            self.assertEqual(w.hello(), (8, []))
            for n in (1, 0, 3, 50000, 1):
                np.testing.assert_array_equal(w.ask(x[:n]), x[:n].sum(axis=1))

    def test_complaints(self):
        """Each is told in the answer, and the worker goes on."""
        cases = {"refuses": "ValueError: not\nthese 2 rows",
                 "wrong_length": "ValueError: one prediction per row is wanted, shape (2,), "
                                 "but the model gives shape (1,)",
                 "matrix": "ValueError: one prediction per row is wanted, shape (2,), "
                           "but the model gives shape (2, 3)",
                 "words": "ValueError: could not convert string to float: 'a'"}
        for name, want in cases.items():
            with self.subTest(name), self.worker("models.py:" + name) as w:
                w.hello()
                self.assertEqual([w.ask(self.X), w.ask(self.X)], [want, want])

    def test_fitted_with_names(self):
        with self.worker("models.py:fitted") as w:
            self.assertEqual(w.hello(), (3, ["a", "b b", "c\u00e9"]))
            np.testing.assert_array_equal(w.ask(np.eye(3)), [11, 10, 10])  # n_jobs is 1

    def test_threads_of_the_user(self):
        with self.worker("models:threads", env=dict(ENV, OMP_NUM_THREADS="4")) as w:
            w.hello()
            np.testing.assert_array_equal(w.ask(self.X), [4, 4])

    def test_pickle(self):
        sys.path.insert(0, str(self.dir))
        self.addCleanup(sys.path.remove, str(self.dir))
        with contextlib.redirect_stdout(None):
            import models
        with open(self.dir / "model.pkl", "wb") as file:
            pickle.dump(models.Fitted(), file)
        env = dict(ENV, PYTHONPATH=ENV["PYTHONPATH"] + os.pathsep + str(self.dir))
        with self.worker("model.pkl", env=env) as w:
            self.assertEqual(w.hello()[0], 3)
            np.testing.assert_array_equal(w.ask(np.eye(3)), [11, 10, 10])

    def test_refused(self):
        (self.dir / "text.pkl").write_text("not a pickle")
        cases = {"nowhere.joblib": "nowhere.joblib: no such file; a function is MODULE:NAME",
                 "models:absent": "has no attribute 'absent'",
                 "absent:f": "absent:f: No module named 'absent': write the path of the python "
                             "that has it",
                 "models:number": "int: has no predict and is no function",
                 "text.pkl": "Error"}
        for model, want in cases.items():
            with self.subTest(model), self.worker(model) as w:
                with self.assertRaisesRegex(EOFError, want):
                    w.hello()
        with self.worker("models:fitted", "--inputs", "4") as w:
            with self.assertRaisesRegex(EOFError, "--inputs 4, but the model takes 3"):
                w.hello()

    def test_hangs_up(self):
        with self.worker("models:total") as w:
            w.hello()
            w.process.stdin.close()
            self.assertEqual(w.process.wait(20), 0)
        with self.worker("models:leaves") as w:
            w.hello()
            w.process.stdin.write(struct.pack("<4s2I", b"GPAQ", 1, 1) + bytes(8))
            w.process.stdin.flush()
            self.assertEqual(w.process.wait(20), 3)


def need(test, *modules):
    for name in modules:
        try:
            __import__(name)
        except ImportError:
            print(f"SKIP: no {name}: {test} is NOT checked")
            return False
    return True


class Texts(InScratch):
    """Rows in which numbers stand for texts and dates."""

    def setUp(self):
        super().setUp()
        if not need("text among the inputs", "pandas"):
            self.skipTest("no pandas")

    def shown(self, x, *columns):
        with self.worker("models.py:show") as w:
            self.assertEqual(w.hello(), (0, []))
            w.tell(*columns)
            answer = w.ask(np.array(x, dtype=float))
        self.assertTrue(answer.startswith("ValueError: ["), answer)
        return eval(answer[len("ValueError: "):], {"nan": None, "NaT": None,
                                                   "Timestamp": lambda text: text})

    def test_frames(self):
        levels = [(0, "a,\"b\""), (1.5, "\U0001f30a"), (7, ""), (9, "nan"), (10, "1")]
        texts = (1, "t\u00e9xt", levels)
        x = [[2.5, code, 19782.9, -0.5] for code, _ in levels] + [[np.nan] * 4]
        got = self.shown(x, (0, "n", []), texts, (2, "day", []), (3, "at", []))
        self.assertEqual(got[:3], ["DataFrame", ["n", "t\u00e9xt", "day", "at"],
                                   ["float64", "object", "datetime64[ns]", "datetime64[ns]"]])
        self.assertEqual(got[3][1], [text for _, text in levels] + [None])
        self.assertEqual(got[3][2], ["2024-02-29 00:00:00"] * 5 + [None])
        self.assertEqual(got[3][3], ["1969-12-31 23:59:59"] * 5 + [None])

    def test_truth_as_pandas_reads_it(self):
        truth = (1, "flag", [(0, "False"), (1, "True")])
        self.assertEqual(self.shown([[1], [0]], truth)[2:], [["bool"], [[True, False]]])
        self.assertEqual(self.shown([[1], [np.nan]], truth)[2:], [["object"], [[True, None]]])
        mixed = (1, "flag", [(0, "False"), (1, "True"), (2, "maybe")])
        self.assertEqual(self.shown([[1]], mixed)[2:], [["object"], [["True"]]])

    def test_a_fitted_model_has_its_own_names(self):
        with self.worker("models.py:on_text") as w:
            self.assertEqual(w.hello(), (3, ["p", "q", "r"]))
            w.tell((0, "p", []), (1, "q", [(0, "x"), (1, "y")]), (0, "r", []))
            np.testing.assert_array_equal(w.ask(np.array([[1.0, 1, 0.5], [2, 0, 0]])),
                                          [21.5, 12])

    def test_refused(self):
        with self.worker("models.py:show") as w:
            w.hello()
            w.tell((1, "q", [(0, "x"), (1, "y")]))
            self.assertEqual(w.ask(np.array([[2.0]])),
                             "ValueError: column 'q': 2 is the code of no level")
            self.assertEqual(w.ask(np.array([[0.5]])),
                             "ValueError: column 'q': 0.5 is the code of no level")
            self.assertIn("2 inputs, 1 were announced", w.ask(np.zeros((1, 2))))
            w.tell((9, "q", []))
            w.process.stdin.close()
            self.assertNotEqual(w.process.wait(20), 0)
            self.assertIn(b"it is older than gpa", w.process.stderr.read())

    def test_pipeline(self):
        """The usual shape: a column transformer in front of a forest."""
        if not need("a pipeline with text", "sklearn", "joblib"):
            return
        import joblib
        import pandas
        from sklearn.compose import ColumnTransformer
        from sklearn.ensemble import RandomForestRegressor
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder
        rng, texts = np.random.default_rng(4), ["n, s", "\U0001f30a", "", "nan", "007"]
        x = np.column_stack([rng.normal(size=80), rng.integers(0, 5, 80)])
        frame = pandas.DataFrame({"load": x[:, 0], "where": [texts[int(k)] for k in x[:, 1]]})
        model = make_pipeline(ColumnTransformer([("t", OneHotEncoder(), ["where"])],
                                                remainder="passthrough"),
                              RandomForestRegressor(10, random_state=0))
        model.fit(frame, 3 * x[:, 0] + x[:, 1] ** 2)
        joblib.dump(model, self.dir / "pipe.joblib")
        with self.worker("pipe.joblib") as w:
            self.assertEqual(w.hello(), (2, ["load", "where"]))
            w.tell((0, "load", []), (1, "where", list(enumerate(texts))))
            np.testing.assert_array_equal(w.ask(x), model.predict(frame))

    def test_texts_that_look_like_numbers(self):
        """Codes of digits are numbers in a file; an encoder fitted on text gets text."""
        if not need("a pipeline with codes", "sklearn", "joblib"):
            return
        import joblib
        import pandas
        from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
        from sklearn.impute import SimpleImputer
        from sklearn.linear_model import LinearRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder
        rng, texts = np.random.default_rng(4), ["80331", "20095", "1.50"]
        codes = rng.integers(0, 3, 60)
        x = np.column_stack([[float(texts[k]) for k in codes], rng.normal(size=60)])
        frame = pandas.DataFrame({"zip": [texts[k] for k in codes], "area": x[:, 1]})
        encode = make_pipeline(SimpleImputer(strategy="most_frequent"),
                               OneHotEncoder(handle_unknown="ignore"))
        model = TransformedTargetRegressor(make_pipeline(
            ColumnTransformer([("t", encode, ["zip"])], remainder="passthrough"),
            LinearRegression()))
        model.fit(frame, x[:, 1] + codes ** 2)
        joblib.dump(model, self.dir / "zip.joblib")
        with self.worker("zip.joblib") as w:
            w.hello()
            np.testing.assert_array_equal(w.ask(x), model.predict(frame))
            frame.loc[0, "zip"], x[0, 0] = "10115", 10115  # a new one
            frame.loc[1, "zip"], x[1, 0] = np.nan, np.nan
            w.tell((0, "zip", []), (0, "area", []))
            np.testing.assert_array_equal(w.ask(x), model.predict(frame))
            self.assertIn("'zip' held text when the model was fitted ('1.50', ...), and "
                          "23057.3 is between its levels: say --kind zip=choice",
                          w.ask(np.array([[23057.2512345, 0]])))


class Command(InScratch):
    """Through gpa: the predictions of every row, which JSON carries with all digits."""

    def score(self, model, x, y, names, *options):
        lines = [",".join([*names, "y"])]
        lines += [",".join(map(repr, map(float, (*row, t)))) for row, t in zip(x, y)]
        (self.dir / "data.csv").write_text("\n".join(lines) + "\n")
        spec = f"exec:'{sys.executable}' -m gpa.worker {model}"
        done = subprocess.run([BUILD / "gpa", "score", "--model", spec, "--target", "y",
                               "--json", *options, "data.csv"], cwd=self.dir, env=ENV,
                              capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads(done.stdout)["rows"]
        return np.array([r["f"] for r in sorted(rows, key=lambda r: r["row"])])

    def data(self, n=300):
        rng = np.random.default_rng(7)
        x = rng.normal(size=(n, 5))
        return x, x[:, 0] - 2 * x[:, 1] * x[:, 2] + 0.1 * rng.normal(size=n)

    def models(self):
        from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
        from sklearn.neural_network import MLPRegressor
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        yield "forest", RandomForestRegressor(30, random_state=1)
        yield "boosting", GradientBoostingRegressor(random_state=1)
        yield "mlp", make_pipeline(StandardScaler(), MLPRegressor((16, 8), max_iter=300,
                                                                  random_state=1))

    def test_scikit_learn(self):
        if not need("scikit-learn through gpa", "sklearn", "joblib"):
            return
        import joblib
        x, y = self.data()
        for name, model in self.models():
            model.fit(x, y)
            joblib.dump(model, self.dir / f"{name}.joblib")
            for batch in ("4096", "64"):
                with self.subTest(name, batch=batch):
                    got = self.score(f"{name}.joblib", x, y, "abcde", "--batch", batch)
                    step = int(batch)
                    want = np.concatenate([model.predict(x[i:i + step])
                                           for i in range(0, len(x), step)])
                    np.testing.assert_array_equal(got, want)

    def test_columns_by_name(self):
        """A model fitted with names finds its columns in any order."""
        if not need("a model fitted with a data frame", "sklearn", "joblib", "pandas"):
            return
        import joblib
        import pandas
        from sklearn.linear_model import LinearRegression
        x, y = self.data(40)
        frame = pandas.DataFrame(x, columns=list("abcde"))
        model = LinearRegression().fit(frame, y)
        joblib.dump(model, self.dir / "named.joblib")
        got = self.score("named.joblib", x[:, ::-1], y, "edcba")
        np.testing.assert_array_equal(got, model.predict(frame))

    def test_documentation(self):
        """docs/connect/scikit-learn.md: its blocks, pasted one after the other."""
        if not need("docs/connect/scikit-learn.md", "sklearn", "joblib"):
            return
        text = (ROOT / "docs/connect/scikit-learn.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```(python|sh)\n(.*?)^```", text, re.M | re.S)
        self.assertGreaterEqual(len(blocks), 4)
        (self.dir / "bin").mkdir()
        (self.dir / "bin/python3").symlink_to(sys.executable)
        env = dict(ENV, PATH=os.pathsep.join([str(self.dir / "bin"), str(BUILD), ENV["PATH"]]))
        for language, block in blocks:
            magic = re.match(r"%%writefile (\S+)\n", block)
            if magic:
                (self.dir / magic[1]).write_text(block[magic.end():])
                continue
            command = ["sh", "-e", "-c"] if language == "sh" else [sys.executable, "-c"]
            done = subprocess.run([*command, block], cwd=self.dir, env=env,
                                  capture_output=True, encoding="utf-8")
            said = [line for line in done.stderr.splitlines() if "off on average" not in line]
            self.assertEqual((done.returncode, said), (0, []), block)  # in months it is, by far
            self.assertEqual(bool(done.stdout), language == "sh", block)

    def test_complaint_reaches_the_user(self):
        (self.dir / "data.csv").write_text("a,y\n1,2\n3,4\n")
        done = subprocess.run([BUILD / "gpa", "score", "--model",
                               f"exec:'{sys.executable}' -m gpa.worker models:refuses",
                               "data.csv"], cwd=self.dir, env=ENV, capture_output=True,
                              encoding="utf-8")
        self.assertEqual(done.returncode, 4)
        self.assertIn("rows 0 to 1: ValueError: not these 2 rows\n", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
