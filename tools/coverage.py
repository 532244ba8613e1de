#!/usr/bin/env python3
"""Branches that the tests took, of a build with -Db_coverage=true that ran them.

    coverage.py BUILD [--left]

Counts what gcov tells of the sources in src/, those that read strangers' bytes also by
themselves; a branch that several programs or instruction sets have counts once. Branches
to where an assertion fails or is thrown are not counted. --left lists the files below
their mark, with the lines of which a branch was never taken, and all such lines of the
readers by what they wait for.
"""
import argparse
import collections
import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

LIBRARY = ("src/base/", "src/data/", "src/model/", "src/result/", "src/engine/",
           "src/methods/", "src/study/", "src/report/")
READERS = ("src/data/", "src/model/trees/read_", "src/model/trees/xgboost",
           "src/model/trees/lightgbm", "src/model/trees/ubj", "src/model/trees/levels",
           "src/model/trees/forest_layout", "src/model/mlp", "src/model/onnx/file",
           "src/model/onnx/graph", "src/model/exec/frames", "src/model/http/answer",
           "src/report/saved/")
MARKS = {"library": 85, "readers": 95}
# What a line of a reader waits for, by what stands in it; the first that fits.
WAITS = [("a machine of the other byte order", r"big_endian|low == 1|k < 8"),
         ("an error of the system: make torture", r"errno|stat\(|S_IS|realpath|STDIN_FILENO"),
         ("a limit that only a file of gigabytes meets",
          r"MAX_|_MOST|SIZE_MAX|INT32_M|MOST_OF|ANYWAY|OF_ONE|PATH_MAX|left \?"),
         ("an argument that no caller gives", r"(path|out|center|unit|err|size|key) [=!]= NULL"),
         ("lack of memory: test_oom, make torture",
          r"(status|st) [=!]= GPA_OK|memory|starved|regrow|grow\(|strndup|"
          r"(\b[xm]|block|receipt|room|more|kept) == NULL"),
         ("a case that no test has", r"")]


def branches_of(job):
    """(file, line, number) -> times taken, of one object."""
    data, build, root = job
    done = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout",
                           str(data)], cwd=build, capture_output=True)
    text = done.stdout
    if text[:2] == b"\x1f\x8b":
        text = gzip.decompress(text)
    taken = {}
    for part in text.splitlines():
        for file in json.loads(part)["files"] if part.strip() else ():
            path = os.path.relpath(os.path.join(build, file["file"]), root)
            if not path.startswith(LIBRARY):
                continue
            for line in file["lines"]:
                # an assertion that holds has a branch that is never taken
                for i, branch in enumerate(line["branches"]):
                    if not branch.get("throw"):
                        key = path, line["line_number"], i
                        taken[key] = max(taken.get(key, 0), branch["count"])
    return taken


def asserts(root, path, cache={}):
    """The lines of a file that assert."""
    if path not in cache:
        lines = (root / path).read_text(errors="replace").splitlines()
        cache[path] = {n for n, text in enumerate(lines, 1) if "assert(" in text}
    return cache[path]


def print_waits(root, files):
    """The lines of the readers that are left, by what they wait for."""
    waits = collections.defaultdict(list)
    for path in sorted(files):
        text = (root / path).read_text(errors="replace").splitlines()
        for line in sorted(files[path][2]) if path.startswith(READERS) else ():
            why = next(w for w, pattern in WAITS if re.search(pattern, text[line - 1]))
            waits[why].append("%s:%d" % (path[len("src/"):], line))
    for why, _ in WAITS:
        if waits[why]:
            print("readers, %d lines wait for %s: %s" % (len(waits[why]), why,
                                                         " ".join(waits[why])))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--left", action="store_true")
    args = parser.parse_args()
    build, root = args.build.resolve(), pathlib.Path(__file__).resolve().parent.parent
    jobs = [(p, build, root) for p in build.rglob("*.gcda")]
    if not jobs:
        sys.exit("coverage: %s has no counts; see `make coverage`" % args.build)
    all_taken = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for taken in pool.map(branches_of, jobs):
            for key, count in taken.items():
                all_taken[key] = max(all_taken[key], count)
    files = collections.defaultdict(lambda: [0, 0, set()])  # taken, all, lines left
    for (path, line, _), count in all_taken.items():
        if line in asserts(root, path):
            continue
        f = files[path]
        f[0] += count > 0
        f[1] += 1
        if count == 0:
            f[2].add(line)
    rooms = collections.defaultdict(lambda: [0, 0])
    for path, (taken, n, _) in files.items():
        groups = ["library", path.split("/")[1]]
        groups += ["readers"] if path.startswith(READERS) else []
        for group in groups:
            rooms[group][0] += taken
            rooms[group][1] += n
    print("| what | branches | taken | % |\n|---|---|---|---|")
    for name in sorted(rooms, key=lambda r: (r not in MARKS, r)):
        taken, n = rooms[name]
        print("| %s | %d | %d | %.1f |" % (name, n, taken, 100 * taken / n))
    if args.left:
        for path, (taken, n, lines) in sorted(files.items()):
            mark = MARKS["readers" if path.startswith(READERS) else "library"]
            if 100 * taken < mark * n:
                print("%s %.0f %% of %d: %s" % (path, 100 * taken / n, n, ",".join(
                    map(str, sorted(lines)))))
        print_waits(root, files)
    low = [m for m in MARKS if 100 * rooms[m][0] < MARKS[m] * rooms[m][1]]
    for name in low:
        print("below the mark: %s, %d %%" % (name, MARKS[name]))
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
