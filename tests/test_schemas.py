#!/usr/bin/env python3
"""test_schemas.py ROOT BUILD: what the command writes as JSON, against docs/schemas.

Every output must be valid, and hold nothing that its schema does not name. The schemas
must mean something: an output with a member missing or a value of another kind is not
valid any more. Needs python3-jsonschema.
"""
import copy
import hashlib
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("SKIP: no python3-jsonschema: JSON is NOT checked against its schemas")
    sys.exit(77)

ROOT, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SCHEMAS = {json.loads(p.read_text(encoding="utf-8"))["title"]: p
           for p in sorted((ROOT / "docs/schemas").glob("*.schema.json"))}
MODEL = str(ROOT / "examples/diabetes/model.json")
DATA = str(ROOT / "examples/diabetes/heldout.csv")


def schema(name):
    return json.loads(SCHEMAS[name].read_text(encoding="utf-8"))


def strict(node):
    """The same schema, with members forbidden that it does not name."""
    if isinstance(node, list):
        return [strict(n) for n in node]
    if not isinstance(node, dict):
        return node
    node = {k: strict(v) for k, v in node.items()}
    if isinstance(node.get("properties"), dict) and "type" in node:
        node.setdefault("additionalProperties", False)
    return node


def gpa(*words, text=None):
    done = subprocess.run([str(BUILD / "gpa"), *words], input=text, capture_output=True,
                          text=True, check=False, timeout=120,
                          env={"PATH": "/usr/bin:/bin"})
    if done.returncode != 0:
        raise AssertionError(f"gpa {' '.join(words)}: {done.stderr}")
    return done.stdout


def thin(node):
    """Lists of two at most: the schemas ask for no length."""
    if isinstance(node, dict):
        return {k: thin(v) for k, v in node.items()}
    return [thin(v) for v in node[:2]] if isinstance(node, list) else node


def places(node, path=()):
    """Paths of everything inside a document."""
    steps = node.keys() if isinstance(node, dict) else \
        range(len(node)) if isinstance(node, list) else ()
    for step in steps:
        yield path + (step,)
        yield from places(node[step], path + (step,))


def at(node, path):
    for step in path:
        node = node[step]
    return node


class Schemas(unittest.TestCase):
    def good(self, name, text):
        """Valid, also strictly; gives the document."""
        document = json.loads(text, parse_constant=lambda word: self.fail(word))
        self.assertEqual(document["format"], name)
        for kind in (schema(name), strict(schema(name))):
            wrong = sorted(Draft202012Validator(kind).iter_errors(document), key=str)
            self.assertFalse(wrong, [f"{list(e.path)}: {e.message}"[:300] for e in wrong])
        return document

    def no_more(self, name, document):
        """Every value counts, and every member of an object that names its members."""
        check = Draft202012Validator(strict(schema(name)))
        document = thin(document)
        self.assertTrue(check.is_valid(document))
        for path in places(document):
            inside, last = path[:-1], path[-1]
            spoilt = copy.deepcopy(document)
            at(spoilt, inside)[last] = {"x": [{}]}
            self.assertFalse(check.is_valid(spoilt), path)
            if isinstance(last, str) and inside[-1:] not in (("options",), ("methods",)):
                spoilt = copy.deepcopy(document)
                at(spoilt, inside)["other"] = at(spoilt, inside).pop(last)
                self.assertFalse(check.is_valid(spoilt), path)

    def both(self, name, *words, text=None):
        document = self.good(name, gpa(*words, text=text))
        self.no_more(name, document)
        return document

    def test_each_is_a_schema(self):
        for name in SCHEMAS:
            Draft202012Validator.check_schema(schema(name))
            self.assertEqual(SCHEMAS[name].name, name.replace("/", "-") + ".schema.json")

    def test_each_format_has_one(self):
        formats = set()
        for path in sorted([*(ROOT / "src").rglob("*.c"), *(ROOT / "lab").rglob("*.c")]):
            formats |= set(re.findall(r'\\?"(gpa-[a-z-]+/\d+)\\?"', path.read_text()))
        self.assertEqual(formats, set(SCHEMAS))

    def test_scores(self):
        self.both("gpa-scores/1", "score", "--model", MODEL, "--json", "--top", "3", DATA)

    def test_explanations(self):
        for more in (["--top", "2"], ["--top", "2", "--shard", "1/2"],
                     ["--json-full", "--rows", "3-4", "--collective"],
                     ["--culprit", "off", "--marginals", "none", "--b0", "4"],
                     ["--freeze", "age,sex", "--solver", "paper-det", "--json-full"]):
            with self.subTest(more):
                self.both("gpa-explanation/1", "explain", "--model", MODEL, "--json",
                          *more, DATA)

    def test_kinds_of_inputs(self):
        """Flags, choices, groups, gaps, dates, identifiers: a report made by hand."""
        with tempfile.TemporaryDirectory() as work:
            subprocess.run([str(BUILD / "tests/test_report_kinds"), "--write", work],
                           check=True, timeout=60)
            text = pathlib.Path(work, "mixed.json").read_text(encoding="utf-8")
        document = self.good("gpa-explanation/1", text)
        self.no_more("gpa-explanation/1", document)
        for found in document["explanations"]:
            kinds = {kind["name"]: kind for kind in found["kinds"]}
            columns = [c for k in kinds.values() for c in k.get("columns", [k["name"]])]
            self.assertEqual(sorted(columns), sorted(document["features"]))
            for name, x, moved in zip(document["features"], found["x"][0], found["moved"]):
                levels = kinds.get(name, {}).get("levels")
                self.assertTrue(levels is None or {x, moved} <= set(levels), name)
            for alone in found["culprit"]["alone"]:
                if "levels" in alone:
                    shares = [one["probability"] for one in alone["levels"]]
                    self.assertAlmostEqual(sum(shares), 1)
                    best = max(alone["levels"], key=lambda one: one["probability"])
                    self.assertEqual(best["level"], alone["level"])

    def test_nothing_explained(self):
        self.both("gpa-explanation/1", "explain", "--model", MODEL, "--json",
                  "--threshold", "1e9", DATA)

    def test_missing_values_have_reasons(self):
        csv = "n,x1,x2,y\nfirst,0.5,0,1\n"
        found = self.both("gpa-explanation/1", "explain", "--model", "builtin:sinusoid2d",
                          "--b0", "1", "--all", "--json-full", "--id", "n", "-", text=csv)
        self.assertIsNone(found["explanations"][0]["score"][0])
        self.assertIn("score_reason", found["explanations"][0])

    def test_comparisons(self):
        self.both("gpa-comparison/1", "compare", "--model", MODEL, "--json", "--top", "2",
                  "--methods", "gpa,lc,lime,sv,eig", DATA)
        self.both("gpa-comparison/1", "compare", "--model", MODEL, "--json-full",
                  "--top", "1", "--reference", DATA, "--flip", "off", DATA)

    def test_watch(self):
        """Every line of a stream with a level shift, halves, bad lines and a new normal."""
        rows = pathlib.Path(DATA).read_text(encoding="utf-8").splitlines()
        head, *rows = (r.split(",") for r in rows)
        lines = []
        for i in range(300):
            row = dict(zip(head, map(float, rows[i % len(rows)])))
            row["progression"] += 500 * (100 <= i < 150)
            lines.append(json.dumps({"ts": f"2026-01-01T00:{i // 60:02}:{i % 60:02}Z", **row}))
        lines[7:7] = ["", "{", '{"ts":"a","age":"x"}', '{"ts":"b","progression":3}']
        text = "\n".join(lines) + "\n"
        words = ("watch", "--model", MODEL, "--target", "progression", "--reference", DATA,
                 "--id", "ts")
        events = set()
        for more in ([], ["--every", "--wait", "20"], ["--rebase", "--rebase-after", "30"],
                     ["--culprit", "off"]):
            said = gpa(*words, *more, text=text).splitlines()
            if "--every" in more:
                self.assertEqual(len(said), len(lines))
            for line in said:
                self.good("gpa-watch/1", line)
                event = json.loads(line)["event"]
                if (event, *more) not in events:
                    events.add((event, *more))
                    self.no_more("gpa-watch/1", json.loads(line))
        self.assertEqual({e[0] for e in events},
                         {"row", "open", "update", "close", "new-normal", "problem"})

    def test_methods(self):
        self.both("gpa-methods/1", "methods", "--json")

    def test_help(self):
        document = self.both("gpa-help/1", "help", "--json")
        self.assertIn("explain", [c["name"] for c in document["commands"]])

    def test_model(self):
        self.both("gpa-model/1", "model", "--model", MODEL, "--json")
        self.both("gpa-model/1", "model", "--model", "builtin:sinusoid2d", "--json")

    def test_bench(self):
        self.both("gpa-bench-planted/1", "bench", "planted", "--model", MODEL, "--plant",
                  "4", "--methods", "fast,z,culprit", "--json", DATA)

    def test_paper(self):
        with tempfile.TemporaryDirectory() as work:
            self.both("gpa-paper/1", "paper", "sinusoid", "--json", "--work", work,
                      "--html", work + "/page.html")

    def page(self, *words):
        """The receipt and the result digests of a page."""
        with tempfile.TemporaryDirectory() as work:
            text = gpa(*words, "--json", "--html", work + "/page.html", DATA)
            page = pathlib.Path(work, "page.html").read_text(encoding="utf-8")
        receipt, = re.findall(r'<pre id="gpa-receipt"[^>]*>(.*?)</pre>', page, re.S)
        receipt = self.good("gpa-receipt/1", html.unescape(receipt))
        self.no_more("gpa-receipt/1", receipt)
        digests = re.findall(r'<dd data-gpa-rows="([\d,]+)">sha256:([0-9a-f]{64})</dd>', page)
        result = json.loads(text)
        for name in ("file", "model"):  # a page says nothing about folders
            result["options"][name] = pathlib.Path(result["options"][name]).name
        for key in ("options", "input_digest", "model_probe_digest", "seed", "version"):
            self.assertEqual(receipt[key], result[key])
        self.assertEqual(receipt["of"], result["format"])
        return text, digests

    def test_receipts_of_explanations(self):
        text, digests = self.page("explain", "--model", MODEL, "--top", "3", "--seed", "7")
        start, found = text.index('"explanations":[') + len('"explanations":['), []
        while text[start] != "]":
            start += len(text[start:]) - len(text[start:].lstrip(",\n"))
            document, end = json.JSONDecoder().raw_decode(text, start)
            found.append((",".join(map(str, document["rows"])),
                          hashlib.sha256(text[start:end].encode()).hexdigest()))
            start = end
        self.assertEqual(len(found), 3)
        self.assertEqual(digests, found)

    def test_receipts_of_comparisons(self):
        text, digests = self.page("compare", "--model", MODEL, "--top", "2")
        body = text[text.index(' "rows":[') + 1:text.rindex("}")]
        rows = ",".join(str(r["row"]) for r in json.loads(text)["rows"])
        self.assertEqual(digests, [(rows, hashlib.sha256(body.encode()).hexdigest())])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
