#!/usr/bin/env python3
"""update_readme.py BUILD [--check]: the answer that README.md shows is the one gpa gives.

Runs the command that README.md shows after `$ build/gpa explain` and puts its output in
place of the indented lines below it; --check only compares. With chromium installed the
picture is taken anew, from the demo's page.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^    \$ build/gpa (explain .*)\n((?:    .*\n|\n(?=    ))*)", re.M)


def answer(build, arguments):
    """What the command prints, indented as in the file."""
    out = subprocess.run([f"{build}/gpa", *arguments.split()], cwd=ROOT, check=True,
                         env=dict(os.environ, LC_ALL="C.UTF-8"), capture_output=True)
    lines = out.stdout.decode("utf-8").rstrip("\n").split("\n")
    return "".join(("    " + line).rstrip() + "\n" for line in lines)


def take_picture(build):
    page = (build / "demo/spoilt.html").as_uri()
    picture = ROOT / "docs/images/report.png"
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--hide-scrollbars",
                    "--window-size=1000,1115", f"--screenshot={picture}", page],
                   check=True, stderr=subprocess.DEVNULL)


def main():
    build, check = pathlib.Path(sys.argv[1]).resolve(), "--check" in sys.argv
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    block = BLOCK.search(text)
    if block is None:
        sys.exit("README.md shows no `$ build/gpa explain`")
    new = answer(build, block[1])
    if check:
        if new != block[2]:
            sys.exit(f"README.md shows\n{block[2]}but gpa says\n{new}make readme updates it")
        return
    path.write_text(text[:block.start(2)] + new + text[block.end(2):], encoding="utf-8")
    if shutil.which("chromium"):
        take_picture(build)


if __name__ == "__main__":
    main()
