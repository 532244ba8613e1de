#!/usr/bin/env python3
"""run.py ROOT BUILD [NAME...]: the page of `gpa serve` in a real browser.

Needs chromium, node and the packages of package.json (`make browser` installs them);
without any of them everything is skipped.
"""
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tools"))
import browser  # noqa: E402

ALL = ["flow", "naughty", "states", "keyboard"]  # the longest first


def missing(build):
    if browser.program() is None:
        return "no chromium"
    if shutil.which("node") is None:
        return "no node"
    if not (HERE / "node_modules/playwright-core").is_dir() or \
            not (HERE / "node_modules/axe-core").is_dir():
        return "no playwright-core and axe-core (make browser, or npm ci --prefix tests/browser)"
    serves = subprocess.run([build / "gpa", "serve", "--help"], capture_output=True)
    return None if serves.returncode == 0 else "gpa was built without its server"


def main():
    root, build = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    why = missing(build)
    if why is not None:
        print(f"SKIP: {why}: the page of gpa serve is NOT checked in a browser")
        sys.exit(77)
    names = sys.argv[3:] or ALL

    def run(name):
        return subprocess.run(["node", HERE / f"{name}.mjs", root, build], timeout=700,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, done in zip(names, pool.map(run, names)):
            print(f"== {name}\n{done.stdout}", end="", flush=True)
            failed += done.returncode != 0
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
