#!/usr/bin/env python3
"""update_gallery.py BUILD [--before GPA] [--check]: the answers that docs/gallery.md shows.

Asks BUILD/gpa the questions below on a terminal of 80 columns and puts its answers beside
those of the first version, which are kept in docs/gallery; --before makes these again with
that command. --check only compares.
"""
import argparse
import html
import os
import pathlib
import subprocess
import sys
import tempfile

from terminal import on_terminal

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ROOT / "tests/cli/data/kinds.py"
PAGE = ROOT / "docs/gallery.md"
KEPT = ROOT / "docs/gallery"
BEGIN, END = "<!-- answers: tools/update_gallery.py -->\n", "<!-- end of answers -->\n"
DIABETES = ["--model", "examples/diabetes/model.json", "--target", "progression"]
MIXER = ["--model", "tests/cli/data/mixer.json", "--id", "batch", "--sigma", "1"]

# name, what it is, the question, which table to make for it
CASES = [
    ("insurance", "A smoker recorded as none: one-hot columns are one input, and it is one input that is wrong",
     ["--model", "insurance.json", "--rows", "149", "insurance.csv"], "insurance"),
    ("concrete", "Concrete that is weaker than predicted, an additive model: one input is likelier, not clearly",
     ["--model", "concrete.json", "--rows", "110", "concrete.csv"], "concrete"),
    ("diabetes", "The demo: a body mass index computed with pounds in place of kilograms",
     [*DIABETES, "--rows", "10", "--freeze", "age,sex", "examples/diabetes/spoilt.csv"], None),
    ("collective", "Three rows of one drifting sensor together, with too few draws for intervals of the joint change",
     [*MIXER, "--rows", "50-52", "--collective", "--marginal-rows", "16", "tests/cli/data/mixer.csv"], None),
    ("tied", "Inputs that cannot be told apart, and what would tell",
     [*MIXER, "--rows", "30", "tests/cli/data/mixer.csv"], None),
    ("output", "An outcome that no change of the inputs explains",
     ["--model", "insurance.json", "--rows", "7", "--set", "charges=60000", "insurance.csv"], "insurance"),
    ("normal", "Nothing unusual", [*MIXER, "--rows", "45", "tests/cli/data/mixer.csv"], None),
]


def ask(gpa, case, work):
    """What the command prints on a terminal of 80 columns."""
    _, _, words, table = case
    if table is not None:
        subprocess.run([sys.executable, KINDS, table], cwd=work, check=True)
        words = [str(pathlib.Path(work, w)) if w.startswith(table) else w for w in words]
    env = dict(os.environ, LC_ALL="C.UTF-8", TERM="dumb", NO_COLOR="1")
    env.pop("COLUMNS", None)
    text, code = on_terminal([gpa, "explain", "--progress", "never", *words], cwd=ROOT, env=env,
                             stderr=subprocess.DEVNULL)
    if code != 0:
        sys.exit(f"{case[0]}: the command failed\n{text}")
    return text


def answers(gpa):
    with tempfile.TemporaryDirectory(prefix="gpa-gallery-") as work:
        return {case[0]: ask(gpa, case, work) for case in CASES}


def shown(text):
    return f"\n<pre>\n{html.escape(text, quote=False)}</pre>\n\n"


def section(after):
    """The answers as Markdown; a <pre> of its own lets blank lines be."""
    parts = [BEGIN, "\n## The same questions, before and after\n\n",
             "On a terminal of 80 columns, by the first version and by this one; "
             "`tools/update_gallery.py` makes them again.\n"]
    for name, what, words, _ in CASES:
        before = (KEPT / f"{name}.txt").read_text(encoding="utf-8")
        parts += [f"\n### {name}\n\n{what}.\n\n    gpa explain {' '.join(words)}\n\n",
                  f"<table><tr><th>before: {before.count(chr(10))} lines</th>"
                  f"<th>after: {after[name].count(chr(10))} lines</th></tr>\n<tr valign=\"top\"><td>\n",
                  shown(before), "</td><td>\n", shown(after[name]), "</td></tr></table>\n"]
    return "".join(parts) + "\n" + END


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--before")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.before:
        KEPT.mkdir(exist_ok=True)
        for name, text in answers(os.path.abspath(given.before)).items():
            (KEPT / f"{name}.txt").write_text(text, encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    start = text.find(BEGIN)
    head = text[:start] if start >= 0 else text.rstrip("\n") + "\n\n"
    tail = text[text.index(END) + len(END):] if start >= 0 else ""
    new = head + section(answers(os.path.abspath(given.build) + "/gpa")) + tail
    if given.check and new != text:
        sys.exit("docs/gallery.md shows other answers: tools/update_gallery.py BUILD makes them again")
    if not given.check:
        PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
