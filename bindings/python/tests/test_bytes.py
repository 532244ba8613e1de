"""The same bytes from Python and from the command, for the same model, data and seed."""
import pathlib
import tempfile
import unittest

from support import HELDOUT, MODEL, SPOILT, command, heldout, needs_command, network
import gpa
import numpy as np

SPEC = f"mlp:{MODEL}"


@needs_command
class SameBytes(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def same(self, found, *words):
        self.assertEqual(found.to_json(), command(*words, "--json", "--model", SPEC))

    def test_defaults(self):
        self.same(gpa.explain(SPEC, HELDOUT), "explain", HELDOUT)

    def test_explain_options(self):
        """Every option that shapes a result, given here and there."""
        cases = [
            ({"top": 3, "seed": 7}, ["--top", 3, "--seed", 7]),
            ({"rows": "3,61-63"}, ["--rows", "3,61-63"]),
            ({"rows": [3, 61, 62, 63]}, ["--rows", "61,3,62-63"]),
            ({"threshold": 7.1}, ["--threshold", "7.1"]),
            ({"rows": [61], "freeze": ["sex", "age"], "integer": ["s4"],
              "bounds": {"bmi": (15, 40.5), "bp": (None, 120)}},
             ["--rows", 61, "--freeze", "sex,age", "--integer", "s4", "--bounds",
              "bmi=15:40.5", "--bounds", "bp=:120"]),
            ({"rows": [20], "solver": "paper", "marginals": "paper", "culprit": "off",
              "eta": .4, "nu": .5, "a0": 5.5, "cb": 10, "kappa": .1, "noise": "constant",
              "max_iter": 50, "tol": 1e-4, "slope_sd": .9, "slope_nodes": 6},
             ["--rows", 20, "--solver", "paper", "--marginals", "paper", "--culprit", "off",
              "--eta", ".4", "--nu", "0.5", "--a0", "5.5", "--cb", "1e1", "--kappa", ".1",
              "--noise", "constant", "--max-iter", "50", "--tol", "0.0001", "--slope-sd",
              ".9", "--slope-nodes", "6"]),
            ({"rows": [1, 20, 61], "collective": True, "marginal_rows": 512},
             ["--rows", "1,20,61", "--collective", "--marginal-rows", 512]),
            ({"marginals": "surrogate", "plausible": "none", "budget": 900},
             ["--marginals", "surrogate", "--plausible", "none", "--budget", 900]),
            ({"reference": str(SPOILT), "scale": "reference", "plausible": "reference"},
             ["--reference", SPOILT, "--scale", "reference", "--plausible", "reference"]),
            ({"scale": "none", "sigma": 50}, ["--scale", "none", "--sigma", "50"]),
            ({"target": "progression", "features": "age,sex,bmi,bp,s1,s2,s3,s4,s5,s6",
              "b0": 1400}, ["--target", "progression", "--features",
                            "age,sex,bmi,bp,s1,s2,s3,s4,s5,s6", "--b0", "1400"]),
            ({"threshold": 1e9}, ["--threshold", "1e9"]),
        ]
        for options, words in cases:
            with self.subTest(options=options):
                self.same(gpa.explain(SPEC, HELDOUT, **options), "explain", *words, HELDOUT)

    def test_pages(self):
        """With the rows of the data behind the explained ones, folded where there are many."""
        for options, words in (({"rows": 61}, ["--rows", 61]), ({"top": 5}, ["--top", 5]),
                               ({"rows": [1, 20, 61], "collective": True},
                                ["--rows", "1,20,61", "--collective"])):
            with self.subTest(options=options):
                command("explain", *words, "--model", SPEC, "--html", self.folder / "page.html",
                        HELDOUT)
                page = (self.folder / "page.html").read_text(encoding="utf-8")
                self.assertEqual(gpa.explain(SPEC, HELDOUT, **options).to_html(), page)

    def test_profiles(self):
        """The picture of the command: in the inputs' own values, among those of the data."""
        for options, words, name in (({"rows": 61}, ["--rows", 61], "row-61-profile.svg"),
                                     ({"rows": [1, 20], "collective": True},
                                      ["--rows", "1,20", "--collective"], None)):
            with self.subTest(options=options):
                folder = self.folder / str(len(words))
                command("explain", *words, "--model", SPEC, "--svg", folder, HELDOUT)
                [found] = folder.glob(name or "*-profile.svg")
                e = gpa.explain(SPEC, HELDOUT, **options)
                self.assertEqual(e.plot_profiles(most=12), found.read_text(encoding="utf-8"))

    def test_any_number_of_threads(self):
        one = gpa.explain(SPEC, HELDOUT, top=8, threads=1).to_json()
        self.assertEqual(gpa.explain(SPEC, HELDOUT, top=8, threads=4).to_json(), one)
        self.assertEqual(gpa.explain(SPEC, HELDOUT, top=8, batch=7).to_json(), one)

    def test_score(self):
        self.same(gpa.score(SPEC, HELDOUT), "score", HELDOUT)
        self.same(gpa.score(SPEC, HELDOUT, top=5), "score", "--top", 5, HELDOUT)

    def test_compare(self):
        self.same(gpa.compare(SPEC, HELDOUT, rows=[3, 61]), "compare", "--rows", "3,61",
                  HELDOUT)
        self.same(gpa.compare(SPEC, HELDOUT, rows=[3], set={"bmi": 25.5}, methods="gpa,lc"),
                  "compare", "--rows", "3", "--set", "bmi=25.5", "--methods", "gpa,lc", HELDOUT)
        self.same(gpa.compare(SPEC, HELDOUT, reference=str(SPOILT), methods="gpa,z,sv,ig",
                              baseline="reference", sv="sample", sv_configurations=20,
                              sv_antithetic=True, intervals=50, flip="off", seed=3),
                  "compare", "--reference", SPOILT, "--methods", "gpa,z,sv,ig",
                  "--baseline", "reference", "--sv", "sample", "--sv-configurations", 20,
                  "--sv-antithetic", "--intervals", 50, "--flip", "off", "--seed", 3, HELDOUT)

    def test_ids(self):
        text = HELDOUT.read_text().splitlines()
        lines = ["name," + text[0]] + [f"p{i}<&,{line}"
                                       for i, line in enumerate(text[1:])]
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            found = gpa.explain(SPEC, file.name, id="name", top=2)
            self.assertEqual(found.ids, [["p61<&"], ["p20<&"]])
            self.same(found, "explain", "--id", "name", "--top", 2, file.name)
            self.same(gpa.score(SPEC, file.name, id="name"), "score", "--id", "name",
                      file.name)

    def test_arrays_give_the_same_numbers(self):
        """From arrays all but the file's name and digest is the same."""
        x, y, names = heldout()
        ours = gpa.explain(SPEC, x, y, target="progression", top=2)
        theirs = gpa.explain(SPEC, HELDOUT, top=2)
        self.assertEqual(ours.to_json().partition('"explanations"')[2],
                         theirs.to_json().partition('"explanations"')[2])
        self.assertEqual(ours.feature_names, names)

    def test_a_callback_gives_the_same_answer(self):
        """A model in NumPy rounds differently, nothing else."""
        x, y, names = heldout()
        ours = gpa.explain(network(), x, y, rows=61, feature_names=names)
        theirs = gpa.explain(SPEC, HELDOUT, rows=61)
        np.testing.assert_allclose(ours.delta, theirs.delta, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(ours.responsible, theirs.responsible, rtol=1e-6)
        self.assertEqual(ours.verdict.kind, theirs.verdict.kind)


if __name__ == "__main__":
    unittest.main()
