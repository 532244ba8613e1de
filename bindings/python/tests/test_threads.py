"""Several threads, many calls: the same answers, no memory lost."""
import ctypes
import gc
import hashlib
import os
import shutil
import sys
import threading
import unittest

from support import HELDOUT, MODEL, ROOT, heldout, needs, network, planted
import gpa
import numpy as np

F, X, Y = planted()
PAGE = os.sysconf("SC_PAGE_SIZE")


def resident():
    """Bytes in use: what the allocator only keeps for later is handed back first (how much
    that is depends on how many threads happened to allocate at the same moment)."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE


def growth(function, allowed):
    """How much memory grows with each call, of at most four. What is lost is lost every time;
    what libraries take when so many threads are first inside them at once (OpenBLAS: a
    buffer each) only once, whenever that happens."""
    for _ in range(4):
        before = resident()
        function()
        grown = resident() - before
        if grown < allowed:
            break
    return grown


def on_threads(n, function):
    """function(i) on n threads at once."""
    found, errors = [None] * n, []

    def run(i):
        try:
            found[i] = function(i)
        except BaseException as error:
            errors.append(error)
    threads = [threading.Thread(target=run, args=(i,)) for i in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return found


def distribution(seed):
    """Both kinds, the one that computes more the less often."""
    return "surrogate" if seed % 8 == 0 else "exact"


class Threads(unittest.TestCase):
    def test_a_thousand_explanations(self):
        """In 4 threads the same as in one, and memory does not grow."""
        x, y, _ = heldout()
        model = network()

        def digests(_, n=250):
            made = (gpa.explain(model, x, y, rows=seed % 89, seed=seed, marginal_rows=256,
                                marginals=distribution(seed)) for seed in range(n))
            return [hashlib.sha256(e.to_json().encode()).hexdigest() for e in made]
        want = digests(0)
        self.assertEqual(len(set(want)), 250)
        self.assertEqual(on_threads(4, digests), [want] * 4)
        self.assertLess(growth(lambda: on_threads(4, lambda t: digests(t, 80)), 3e6), 3e6)

    def test_memory_stays_flat(self):
        def many(n):
            for seed in range(n):
                gpa.explain(F, X, Y, seed=seed, marginal_rows=64,
                            marginals=distribution(seed))
        many(200)
        self.assertLess(growth(lambda: many(1000), 1.5e6), 1.5e6)

    def test_memory_of_failures_and_results(self):
        def model(x):
            if len(x) != len(X):
                raise ValueError("no")
            return F(x)

        def many(n):
            for _ in range(n):
                try:
                    gpa.explain(model, X, Y)
                except ValueError:
                    pass
                e = gpa.explain(F, X, Y, marginals="none")
                e.to_json(), e._repr_html_(), e.responsible
                gpa.score(F, X, Y).to_json()
        many(100)
        self.assertLess(growth(lambda: many(300), 1.5e6), 1.5e6)

    def test_objects_are_freed(self):
        """No cycle keeps rows and models until a collection happens to come by."""
        import weakref

        class Big:
            def predict(self, x):
                return F(x)
        gc.collect()
        gc.disable()
        try:
            model = Big()
            gone = weakref.ref(model)
            e = gpa.explain(model, X, Y, marginals="none")
            del model
            self.assertIsNone(gone())
            self.assertEqual(e.rows, [7])
        finally:
            gc.enable()

    def test_one_native_model_in_many_threads(self):
        model = gpa.load_model(f"mlp:{MODEL}")
        want = gpa.explain(model, HELDOUT, top=4).to_json()
        for text in on_threads(4, lambda t: gpa.explain(model, HELDOUT, top=4).to_json()):
            self.assertEqual(text, want)

    @needs("pandas")
    @unittest.skipUnless(shutil.which("perl"), "there is no perl")
    def test_one_child_in_many_threads(self):
        """Every question tells the child its own levels; none gets another's."""
        import pandas as pd
        base = {"north": 10, "south": 20, "the isles": 35}  # as examples/exec/prices.pl has it
        model = gpa.load_model(f"exec:perl {ROOT / 'examples/exec/prices.pl'}", model_workers=2)

        def ask(t):
            names = (list(base) * 2)[t % 3:t % 3 + 2 + t % 2]
            for i in range(8):
                regions = [names[(i + k) % len(names)] for k in range(30)]
                rain = [float((k * k + t) % 9) for k in range(30)]
                f = [base[r] + 3 * d for r, d in zip(regions, rain)]
                X = pd.DataFrame({"region": regions, "rain": rain})
                got = gpa.score(model, X, [v + k % 3 - 1 for k, v in enumerate(f)])
                self.assertEqual(list(got.f), f)
            return True
        self.assertEqual(on_threads(4, ask), [True] * 4)

    def test_the_lock_is_released(self):
        """While the library computes, Python goes on."""
        model = gpa.load_model(f"mlp:{MODEL}")
        x, y, _ = heldout()
        ticks, stop = [0], threading.Event()

        def tick():
            while not stop.is_set():
                ticks[0] += 1
                stop.wait(.0005)
        thread = threading.Thread(target=tick)
        thread.start()
        before = ticks[0]
        gpa.explain(model, x, y, all=True, threads=1)
        during = ticks[0] - before
        stop.set()
        thread.join()
        self.assertGreater(during, 10)

    def test_explaining_inside_of_a_model(self):
        """A model may itself ask for an explanation."""
        def model(x):
            gpa.explain(F, X, Y, marginals="none", culprit="off")
            return F(x)
        e = gpa.explain(model, X, Y, marginals="none", culprit="off")
        np.testing.assert_array_equal(
            e.delta, gpa.explain(F, X, Y, marginals="none", culprit="off").delta)

    def test_recursion_limit_is_an_exception(self):
        def model(x):
            return model(x)
        old = sys.getrecursionlimit()
        sys.setrecursionlimit(300)
        try:
            self.assertRaises(RecursionError, gpa.explain, model, X, Y)
        finally:
            sys.setrecursionlimit(old)


if __name__ == "__main__":
    unittest.main()
