"""Ctrl-C ends a call within a second, wherever it strikes; progress is shown."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from support import HERE, needs, planted, run_python
import gpa
import numpy as np

F, X, Y = planted(n=400)
SOON = 1.0


def strike_after(seconds):
    """Ctrl-C from elsewhere, so long after the event; gives the event, and a function that
    says how long ago it was."""
    at, go = [], threading.Event()

    def strike():
        go.wait()
        time.sleep(seconds)
        at.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=strike)
    thread.start()

    def since():
        thread.join()
        return time.monotonic() - at[0]
    return go, since


class CtrlC(unittest.TestCase):
    def setUp(self):
        self.old = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, self.old)

    def interrupted(self, seconds, function, *arguments, **options):
        go, since = strike_after(seconds)
        with self.assertRaises(KeyboardInterrupt):
            go.set()
            function(*arguments, **options)
            since()
            self.fail("it was over before")
        self.assertLess(since(), SOON)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_at_any_moment(self):
        """In the model, in the library, between them: it is never lost."""
        rng = random.Random(1)
        for _ in range(25):
            self.interrupted(rng.uniform(.002, .06), gpa.explain, F, X, Y, all=True)

    def test_a_model_that_computes_in_python(self):
        def slow(x):
            end = time.monotonic() + (20 if len(x) != len(X) else 0)
            while time.monotonic() < end:
                pass
            return F(x)
        self.interrupted(.1, gpa.explain, slow, X, Y)

    def test_a_model_that_sleeps(self):
        def slow(x):
            time.sleep(20)
            return F(x)
        self.interrupted(.1, gpa.explain, slow, X, Y)

    def test_native_models(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"type": "linear", "w": [3.0, 1.0, -2.0, .5], "b": 0}, file)
            file.flush()
            model = gpa.load_model(f"linear:{file.name}")
        for seconds in (.02, .05, .1):
            self.interrupted(seconds, gpa.explain, model, X, Y, all=True)
        self.interrupted(.1, gpa.compare, model, X, Y, all=True, reference=X, sv="sample",
                         sv_configurations=2000)

    def test_compare_in_python(self):
        self.interrupted(.2, gpa.compare, F, X, Y, all=True, reference=X)

    def test_models_that_do_not_listen(self):
        """A child process that takes its time is left behind."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "slow.py")
            with open(path, "w") as file:
                file.write("import time\ndef f(x):\n    time.sleep(8)\n    return x.sum(1)\n")
            old = os.environ.get("PYTHONPATH", "")
            os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), old])
            try:
                model = gpa.load_model(f"exec:{sys.executable} -m gpa.worker {path}:f "
                                       "--inputs 4", model_workers=1)
                self.interrupted(.2, gpa.explain, model, X, Y)
                self.interrupted(.2, model.predict, X)
            finally:
                os.environ["PYTHONPATH"] = old

    def test_a_handler_that_does_not_raise(self):
        """Who handles Ctrl-C otherwise is asked, and the call goes on."""
        seen = []
        signal.signal(signal.SIGINT, lambda *_: seen.append(1))
        go, since = strike_after(.05)
        go.set()
        e = gpa.explain(F, X, Y, rows=range(60))
        since()
        self.assertEqual((seen, len(e)), ([1], 60))
        want = gpa.explain(F, X, Y, rows=range(60))
        np.testing.assert_array_equal(e.delta, want.delta)

    def test_as_people_do_it(self):
        """A program of its own, interrupted from outside, ends as programs do."""
        code = ("import gpa, numpy as np, time\n"
                "def f(x):\n    time.sleep(.01)\n    return x.sum(1)\n"
                "x = np.random.rand(50, 3)\nprint('ready', flush=True)\n"
                "gpa.explain(f, x, x.sum(1) + np.random.rand(50), all=True)\n")
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True,
                                 env={**os.environ, "PYTHONPATH": os.pathsep.join(
                                     [str(HERE.parent), os.environ.get("PYTHONPATH", "")])})
        self.assertEqual(child.stdout.readline(), "ready\n")
        time.sleep(.3)
        start = time.monotonic()
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=10)
        self.assertLess(time.monotonic() - start, SOON)
        self.assertTrue(err.rstrip().endswith("KeyboardInterrupt"), err)
        self.assertEqual(child.returncode, -signal.SIGINT)

    def test_on_other_threads(self):
        """Signals belong to the main thread; others work without them."""
        found = []
        thread = threading.Thread(target=lambda: found.append(
            gpa.explain(F, X, Y, marginals="none").rows))
        thread.start()
        thread.join()
        self.assertEqual(found, [[7]])


class Progress(unittest.TestCase):
    CODE = ("import sys, gpa, numpy as np, time\n"
            "def f(x):\n    time.sleep(.02)\n    return x.sum(1)\n"
            "if sys.argv[1] == 'plain': sys.modules['tqdm'] = None\n"
            "x = np.random.default_rng(0).normal(size=(30, 2))\n"
            "gpa.explain(f, x, x[:, 0], rows=[1, 2, 3], marginals='none', culprit='off',\n"
            "            progress=sys.argv[2])\n")

    def show(self, *arguments):
        status, out, err = run_python(self.CODE, *arguments)
        self.assertEqual((status, out), (0, ""), err)
        return err

    def test_own_bar(self):
        self.assertRegex(self.show("plain", "always"),
                         r"explaining [12]/3, \d+ s left, \d+ model rows")

    def test_quiet(self):
        self.assertEqual(self.show("plain", "never"), "")
        self.assertEqual(self.show("plain", "auto"), "")  # no terminal

    @needs("tqdm")
    def test_tqdm(self):
        self.assertRegex(self.show("tqdm", "always"), r"explaining:.*\d+%")


if __name__ == "__main__":
    unittest.main()
