#!/usr/bin/env python3
"""Python threads in a library built with the thread sanitizer: not one report.

    test_python_threads.py ROOT BUILD

A Python without sanitizers gets their part loaded first. Four threads share models of
every sort that lives in this process or beside it, and give the answers of one thread. A
race made on purpose, of two threads that write to the same place, must be reported.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

INSIDE = """
import ctypes, sys, threading
import numpy as np
import gpa
from gpa._library import library

ROOT, what = sys.argv[1:3]
THREADS = 4


def on_threads(function):
    found, start = [None] * THREADS, threading.Barrier(THREADS)

    def run(i):
        start.wait()
        found[i] = function()
    threads = [threading.Thread(target=run, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def race():
    # the sum of many bytes takes long enough for both to be at it
    data, out = bytes(100 << 20), ctypes.create_string_buffer(72)
    on_threads(lambda: library().gpa_digest(data, ctypes.c_size_t(len(data)), out))


def share():
    home = ROOT + "/examples/diabetes/"
    rows = np.loadtxt(home + "heldout.csv", delimiter=",", skiprows=1)
    x, y = rows[:, :-1].copy(), rows[:, -1].copy()
    two = x[:, 2:4]
    w = np.array([0.5, -0.2])
    models = [(gpa.load_model(home + "model.json"), x),
              (gpa.load_model("exec:" + sys.argv[3], model_workers=3), two),
              (gpa.load_model("plugin:" + sys.argv[4], model_config="0.5,-0.2;1"), two),
              (gpa.load_model("v2:http://127.0.0.1:%s/v2/models/ok" % sys.argv[5]), x[:, :3]),
              (lambda rows: rows @ w, two)]
    asked = 0
    for model, x in models:
        def ask():
            made = [gpa.explain(model, x, y, rows=[3, 7], threads=threads, marginal_rows=128)
                    for threads in (1, 3)]
            c = gpa.compare(model, x, y, rows=[3, 7], methods=["gpa", "lc", "lime"])
            return [e.to_json() for e in made] + [c.to_json()]
        want = ask()
        assert on_threads(ask) == [want] * THREADS, model
        asked += (THREADS + 1) * len(want)
    print("%d questions, on %d threads at once the same answers" % (asked, THREADS))


race() if what == "race" else share()
"""


def run(root, build, port, what, logs):
    """What was printed; and what the sanitizer said."""
    runtime = subprocess.run(["cc", "-print-file-name=libtsan.so"], capture_output=True,
                             text=True, check=True).stdout.strip()
    log = logs / what
    env = dict(os.environ, LD_PRELOAD=os.path.realpath(runtime),
               PYTHONPATH=str(root / "bindings/python"), GPA_LIBRARY=str(build / "libgpa.so"),
               OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1",
               # Python itself and NumPy are not built for it: what they do with memory is
               # not looked at, what they do with locks is
               TSAN_OPTIONS="log_path=%s ignore_noninstrumented_modules=1 exitcode=0" % log)
    done = subprocess.run(
        [sys.executable, "-c", INSIDE, str(root), what, str(build / "tests/gpa_test_worker"),
         str(build / "tests/gpa_test_plugin.so"), str(port)],
        env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    reports = "".join(p.read_text() for p in sorted(logs.glob(what + ".*")))
    if done.returncode != 0:
        sys.exit("%s: exit %d\n%s%s" % (what, done.returncode, done.stdout, reports))
    return done.stdout, reports


def main():
    root, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("SKIP: no NumPy: threads of Python are NOT checked")
        return 77
    server = subprocess.Popen([sys.executable, str(root / "tests/servers/liar.py")],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with tempfile.TemporaryDirectory(prefix="gpa-tsan-") as logs, server:
        port = int(server.stdout.readline())
        _, reports = run(root, build, port, "race", pathlib.Path(logs))
        if "data race" not in reports or "gpa_digest" not in reports:
            sys.exit("a race was made and not reported\n" + reports)
        said, reports = run(root, build, port, "share", pathlib.Path(logs))
        server.stdin.close()
        print(said + reports, end="")
        print("%d reports" % reports.count("WARNING: ThreadSanitizer"))
    return 1 if reports else 0


if __name__ == "__main__":
    sys.exit(main())
