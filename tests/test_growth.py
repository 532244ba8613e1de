#!/usr/bin/env python3
"""Time and memory of the command at n and at 4 n: at most five times as much.

    test_growth.py ROOT BUILD [--table | --bounds]

What is read takes at most eight times its bytes, and a constant. Prints a line for each
kind of input; --table in the form of docs. --bounds instead measures the two commands whose
size SECURITY.md speaks of: minutes, and 0.3 GB of disk.
"""
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

FACTOR, PER_BYTE = 5, 8
SMALL_SECONDS, SMALL_MB = 0.25, 24  # below these nothing is compared
GPA = ""


def tree(depth, chance, dice):
    f, t, left, right, v = [], [], [], [], []

    def node(d):
        i = len(f)
        for a in (f, t, left, right, v):
            a.append(0)
        if d == 0 or dice.random() > chance:
            f[i], v[i] = -1, round(dice.gauss(0, 1), 6)
        else:
            f[i], t[i] = dice.randrange(9), round(dice.gauss(0, 1), 6)
            left[i], right[i] = node(d - 1), node(d - 1)
        return i
    node(depth)
    return {"feature": f, "threshold": t, "left": left, "right": right, "value": v}


def trees(path, n, depth=6, chance=0.9):
    dice = random.Random(7)
    json.dump({"type": "trees", "arithmetic": "float64-le", "inputs": 9,
               "trees": [tree(depth, chance, dice) for _ in range(n)]}, open(path, "w"))


def chains(path, n):
    f, t, left, right, v = [], [], [], [], []
    for i in range(8):
        f += [0, -1]
        t += [i, 0]
        left += [2 * i + 1, 0]
        right += [2 * i + 2, 0]
        v += [0, 1]
    for a, last in ((f, -1), (t, 0), (left, 0), (right, 0), (v, 1)):
        a.append(last)
    one = {"feature": f, "threshold": t, "left": left, "right": right, "value": v}
    json.dump({"type": "trees", "arithmetic": "float64-le", "inputs": 9,
               "trees": [one] * n}, open(path, "w"))


def lightgbm(path, n):
    one = ("Tree=%d\nnum_leaves=2\nnum_cat=0\nsplit_feature=0\nthreshold=1\ndecision_type=2\n"
           "left_child=-1\nright_child=-2\nleaf_value=1 2\n\n")
    pathlib.Path(path).write_text(
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=8\n"
        "objective=regression\nfeature_names=a b c d e f g h i\n\n"
        + "".join(one % i for i in range(n)) + "end of trees\n")


def repeated(item, n):
    def make(path):
        pathlib.Path(path).write_text(
            '{"type":"trees","x":[' + (item + ",") * n + item + "]}")
    return make


def rows(path, n, columns=9, prefix="x"):
    dice = random.Random(3)
    with open(path, "w") as f:
        f.write(",".join(prefix + str(i) for i in range(columns)) + ",y\n")
        for _ in range(n):
            f.write(",".join("%.3f" % dice.random() for _ in range(columns + 1)) + "\n")


def linear(path, d, prefix="x"):
    json.dump({"type": "linear", "variables": [prefix + str(i) for i in range(d)],
               "w": [0.5] * d, "b": 0}, open(path, "w"))


def hello(path, n):
    pathlib.Path(path).write_bytes(struct.pack("<4s3I", b"GPAH", 1, n, 8 * n) +
                                   b"".join(b"n%06d\n" % i for i in range(n)))


def empty_results(path, n):
    pathlib.Path(path).write_text(
        '{"format":"gpa-explanation/1","explanations":[' + "{}," * n + "{}]}")


def apart(make, *args):
    """Makes a file in a process of its own: what is started later would count this
    one's memory as its own."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            make(*args)
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0


def run(*words):
    """Exit code, seconds of the processor, megabytes."""
    with open(os.devnull, "w") as nowhere:
        p = subprocess.Popen([GPA, *words], stdin=subprocess.DEVNULL, stdout=nowhere,
                             stderr=nowhere)
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    return p.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def model_case(make):
    """A model file of a size; a good one or not, only the reading counts."""
    def measure(n):
        apart(make, "model", n)
        apart(rows, "t.csv", 20)
        return os.path.getsize("model") / 2 ** 20, run("score", "--model", "model", "t.csv")
    return measure


def rows_case(n):
    apart(rows, "t.csv", n)
    apart(linear, "m.json", 9)
    return os.path.getsize("t.csv") / 2 ** 20, run("score", "--model", "m.json", "t.csv")


def columns_case(prefix):
    def measure(n):
        apart(rows, "t.csv", 8, n)
        apart(linear, "m.json", n, prefix)
        size = os.path.getsize("t.csv") + os.path.getsize("m.json")
        return size / 2 ** 20, run("score", "--model", "m.json", "t.csv")
    return measure


def measured_case(n):
    """Columns with units in the header, which the model knows without."""
    def header():
        with open("t.csv") as f:
            names, rest = f.readline(), f.read()
        with open("t.csv", "w") as f:
            f.write(",".join(c if c.strip() == "y" else c.strip() + " [mm]" for c in names.strip().split(",")) + "\n" + rest)
    apart(rows, "t.csv", 8, n)
    apart(header)
    apart(linear, "m.json", n, "x")
    size = os.path.getsize("t.csv") + os.path.getsize("m.json")
    return size / 2 ** 20, run("score", "--model", "m.json", "t.csv")


def names_case(n):
    """A child that names n inputs, of which the data have none."""
    apart(rows, "t.csv", 8, 9)
    apart(hello, "hello", n)
    return 8 * n / 2 ** 20, run("score", "--model", "exec:cat hello", "t.csv")


def saved_case(n):
    apart(rows, "t.csv", 400, 3)
    apart(linear, "m.json", 3)
    subprocess.run([GPA, "explain", "--model", "m.json", "--rows", "0-%d" % (n - 1), "--json",
                    "--out", "r.json", "t.csv"], check=True, stderr=subprocess.DEVNULL)
    return os.path.getsize("r.json") / 2 ** 20, run("report", "--csv", "r.json")


def explanations_case(n):
    apart(rows, "t.csv", 400, 3)
    apart(linear, "m.json", 3)
    return 0, run("explain", "--model", "m.json", "--rows", "0-%d" % (n - 1), "--json", "t.csv")


def hostile_saved(n):
    apart(empty_results, "r.json", n)
    return 3 * n / 2 ** 20, run("report", "r.json")


CASES = [
    ("trees in JSON", model_case(trees), 500),
    ("trees like chains", model_case(chains), 10000),
    ("trees of one split, LightGBM", model_case(lightgbm), 8000),
    ("JSON of {}", model_case(lambda p, n: repeated("{}", n)(p)), 700000),
    ("JSON of 0", model_case(lambda p, n: repeated("0", n)(p)), 1000000),
    ("JSON of [0]", model_case(lambda p, n: repeated("[0]", n)(p)), 500000),
    ("JSON of {\"a\":\"b\"}", model_case(lambda p, n: repeated('{"a":"b"}', n)(p)), 250000),
    ("rows of a table", rows_case, 20000),
    ("columns that the model knows", columns_case("x"), 8000),
    ("columns that it does not know", columns_case("z"), 8000),
    ("columns with units", measured_case, 8000),
    ("names in a hello", names_case, 60000),
    ("explanations", explanations_case, 12),
    ("a saved result", saved_case, 12),
    ("a saved result of {}", hostile_saved, 700000),
]


def print_bounds():
    """Five million rows of nine inputs; one row of ten thousand inputs."""
    apart(rows, "long.csv", 5000000)
    apart(linear, "long.json", 9)
    _, s, mb = run("score", "--model", "long.json", "--top", "5", "long.csv")
    print("score --top 5, 5,000,000 rows of 9 inputs: %.1f s, %.0f MB; 8 (9 + 4) bytes a row "
          "are %.0f MB" % (s, mb, 5e6 * 8 * 13 / 2 ** 20))
    apart(rows, "wide.csv", 40, 10000)
    apart(linear, "wide.json", 10000)
    _, s, mb = run("explain", "--model", "wide.json", "--rows", "0", "--threads", "1", "wide.csv")
    print("explain, one row of 10,000 inputs: %.1f s, %.0f MB" % (s, mb))


def main():
    global GPA
    GPA = str(pathlib.Path(sys.argv[2], "gpa").resolve())
    if "--bounds" in sys.argv:
        with tempfile.TemporaryDirectory(prefix="gpa-growth-") as work:
            os.chdir(work)
            print_bounds()
            os.chdir("/")
        return 0
    table = "--table" in sys.argv
    failed = 0
    with tempfile.TemporaryDirectory(prefix="gpa-growth-") as work:
        os.chdir(work)
        _, _, floor = run("--version")
        if table:
            print("| what | n | s | MB | 4 n: s | MB | file, MB |\n|---|---|---|---|---|---|---|")
        for name, measure, n in CASES:
            _, (code, s, mb) = measure(n)
            size, (code4, s4, mb4) = measure(4 * n)
            wrong = []
            if s4 > FACTOR * max(s, SMALL_SECONDS):
                wrong.append("time")
            if mb4 - floor > FACTOR * max(mb - floor, SMALL_MB):
                wrong.append("memory")
            if size > 0 and mb4 - floor > PER_BYTE * size + SMALL_MB:
                wrong.append("memory beside the file")
            if code != code4 or code < 0 or code > 5:
                wrong.append("exit codes %d and %d" % (code, code4))
            failed += bool(wrong)
            print(("| %s | %d | %.2f | %.0f | %.2f | %.0f | %.1f |" if table else
                   "%-32s n %7d: %5.2f s %4.0f MB; 4 n: %5.2f s %4.0f MB, file %5.1f MB")
                  % (name, n, s, mb, s4, mb4, size), "".join("  TOO MUCH: " + w for w in wrong),
                  flush=True)
        os.chdir("/")
    print("%d kinds, %d grow too fast" % (len(CASES), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
