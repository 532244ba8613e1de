#!/usr/bin/env python3
"""Long jobs: what is killed goes on, what cannot be written leaves the old state.

    test_jobs.py ROOT BUILD [--kills N]

A model that counts the rows it is asked (tests/counting_plugin.c) is explained with a journal
by one thread, by two, and in four shards at once, killed -9 at random moments and started
again: the bytes are those of one run, and each kill costs at most the explanations that were
under way. Then every write, fsync and open fails in turn (tests/faults.c).
"""
import argparse
import errno
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

ARGS = argparse.ArgumentParser(description=__doc__.splitlines()[0])
ARGS.add_argument("root", type=pathlib.Path)
ARGS.add_argument("build", type=pathlib.Path)
ARGS.add_argument("--kills", type=int, default=30, help="in total (default: 30)")
ARGS = ARGS.parse_args()
BUILD = ARGS.build.resolve()
GPA = str(BUILD / "gpa")
ROWS, SHARDS = 60, 4
AHEAD = 4  # explanations that a thread may have under way (src/base/workers.c)
ASKED = ["--model", "plugin:" + str(BUILD / "tests/gpa_test_counting_plugin.so"),
         "--model-config", "count 4", "--all", "--marginal-rows", "256"]


def gpa(work, *words, env=None, start=False):
    child = subprocess.Popen([GPA, *words], cwd=work, env=dict(os.environ, **(env or {})),
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    if start:
        return child
    out, err = child.communicate(timeout=120)
    return child.returncode, out, err


def asked(work):
    """Rows that the model was asked so far."""
    return struct.unpack("<Q", (work / "count").read_bytes())[0]


class Jobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp(prefix="gpa-jobs-"))
        cls.base = cls.top / "base"
        cls.base.mkdir()
        r = random.Random(7)
        lines = ["a,b,c,d,y"]
        for _ in range(ROWS):
            x = [r.gauss(0, 1) for _ in range(4)]
            y = x[0] + x[2] * x[3] + r.gauss(0, .5) + (r.random() < .2) * 4
            lines.append(",".join("%.6f" % v for v in [*x, y]))
        (cls.base / "d.csv").write_text("\n".join(lines) + "\n")
        code, _, err = gpa(cls.base, "score", *ASKED[:4], "--json", "--out", "s.json", "d.csv")
        assert code == 0, err
        cls.scored = asked(cls.base)
        start = time.monotonic()
        code, _, err = gpa(cls.base, "explain", *ASKED, "--scores", "s.json", "--threads", "1",
                           "--json", "--out", "one.json", "d.csv")
        assert code == 0, err
        cls.seconds = time.monotonic() - start
        cls.once = asked(cls.base) - cls.scored
        cls.one = (cls.base / "one.json").read_bytes()
        cls.each = [e["model_rows"] for e in json.loads(cls.one)["explanations"]]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.top)

    def place(self, journal=None):
        """A folder of its own, from which nothing has been asked yet."""
        work = pathlib.Path(tempfile.mkdtemp(dir=self.top))
        for name in ("d.csv", "s.json"):
            shutil.copy(self.base / name, work / name)
        if journal:
            shutil.copytree(journal, work / "journal")
        return work

    def words(self, threads, *more):
        return ["explain", *ASKED, "--scores", "s.json", "--journal", "journal", "--threads",
                str(threads), *more, "d.csv"]

    def test_scores_are_asked_once(self):
        """All rows once, then what explanations need, however many shards there are."""
        self.assertEqual(self.scored, ROWS)
        self.assertEqual(self.once, sum(self.each))
        work = self.place()
        for i in range(SHARDS):
            code, _, err = gpa(work, "explain", *ASKED, "--scores", "s.json", "--shard",
                               f"{i + 1}/{SHARDS}", "--out", f"{i}.json", "d.csv")
            self.assertEqual(code, 0, err)
        self.assertEqual(asked(work), self.once)

    def kill_often(self, kills, commands, finish, threads):
        """Kills one of the commands that run at once, at a random moment, until there were so
        many; all finished and still kills to do: another job."""
        r, done = random.Random(kills * 10 + threads), 0
        while done < kills:
            work, killed = self.place(), 0
            running, left = {}, list(commands)
            while left:
                for words in left:
                    if id(words) not in running:
                        running[id(words)] = gpa(work, *words, start=True)
                if done < kills:
                    time.sleep(r.uniform(0, 0.25) * self.seconds)
                    victim = running.pop(id(r.choice(left)))
                    if victim.poll() is None:
                        victim.send_signal(signal.SIGKILL)
                        killed, done = killed + 1, done + 1
                    victim.communicate()
                for words in list(left):
                    child = running.get(id(words))
                    if child is not None and (done >= kills or child.poll() is not None):
                        _, err = child.communicate(timeout=120)
                        self.assertEqual(child.returncode, 0, err)
                        left.remove(words)
                        del running[id(words)]
            finish(work)
            self.assertEqual((work / "out.json").read_bytes(), self.one)
            most = self.once + killed * max(self.each) * (1 if threads == 1 else AHEAD * threads)
            self.assertLessEqual(asked(work), most, f"{killed} kills")
            self.assertGreaterEqual(asked(work), self.once)
            shutil.rmtree(work)

    def test_killed_on_one_core(self):
        self.kill_often(ARGS.kills // 3, [self.words(1, "--json", "--out", "out.json")],
                        lambda work: None, 1)

    def test_killed_with_two_threads(self):
        self.kill_often(ARGS.kills // 3, [self.words(2, "--json", "--out", "out.json")],
                        lambda work: None, 2)

    def test_killed_shards(self):
        def merge(work):
            code, _, err = gpa(work, "merge", "--out", "out.json",
                               *[f"{i}.json" for i in range(SHARDS)])
            self.assertEqual(code, 0, err)

        self.kill_often(ARGS.kills - 2 * (ARGS.kills // 3),
                        [self.words(1, "--shard", f"{i + 1}/{SHARDS}", "--out", f"{i}.json")
                         for i in range(SHARDS)], merge, 1)

    def test_the_same_shard_twice(self):
        """Two workers at once: each has a file of its own, both give the same bytes."""
        work = self.place()
        both = [gpa(work, *self.words(1, "--json", "--out", f"{i}.json"), start=True)
                for i in range(2)]
        for i, child in enumerate(both):
            _, err = child.communicate(timeout=120)
            self.assertEqual(child.returncode, 0, err)
            self.assertEqual((work / f"{i}.json").read_bytes(), self.one)
        self.assertEqual(sorted(p.name for p in (work / "journal").iterdir()),
                         ["all-2.gpaj", "all.gpaj"])
        before = asked(work)
        self.assertLessEqual(before, 2 * self.once)
        code, out, err = gpa(work, *self.words(1, "--json"))
        self.assertEqual((code, out.encode()), (0, self.one), err)
        self.assertEqual(asked(work), before)  # nothing is asked that is there

    def test_spoilt_bytes(self):
        """Any byte: it is noticed, and the bytes come out the same or the file is named."""
        full = self.place()
        code, _, err = gpa(full, *self.words(2, "--json", "--out", "out.json"))
        self.assertEqual(code, 0, err)
        good = (full / "journal/all.gpaj").read_bytes()
        r = random.Random(3)
        for at in [0, 3, 20, 85, 95, 120, *(r.randrange(len(good)) for _ in range(6))]:
            work = self.place(full / "journal")
            spoilt = bytearray(good)
            spoilt[at] ^= 1
            (work / "journal/all.gpaj").write_bytes(spoilt)
            code, out, err = gpa(work, *self.words(2, "--json"))
            if code == 0:
                self.assertEqual(out.encode(), self.one, at)
            else:
                self.assertEqual(code, 3, err)
                self.assertIn("journal", err)
                self.assertEqual((work / "journal/all.gpaj").read_bytes(), spoilt)
            shutil.rmtree(work)

    FAULTS = [("write", errno.ENOSPC), ("write", errno.EIO), ("write", 0),
              ("write", errno.EINTR), ("fsync", errno.EIO), ("open", errno.EIO),
              ("read", errno.EIO), ("read", 0), ("malloc", errno.ENOMEM)]

    def test_faults(self):
        """What cannot be written is said, nothing that was there is lost, and the next run
        ends with the same bytes."""
        half = self.place()
        child = gpa(half, *self.words(1, "--json", "--out", "out.json"), start=True)
        time.sleep(0.5 * self.seconds)
        child.kill()
        child.communicate()
        good = sorted((half / "journal").iterdir())[0].read_bytes()
        self.assertGreater(len(good), 5000)
        library = str(BUILD / "tests/gpa_faults.so")
        for call, code in self.FAULTS:
            for at, ever in ((1, 0), (2, 0), (3, 1), (9, 0), (12, 1), (40, 0)):
                if ever and code in (0, errno.EINTR):
                    continue
                with self.subTest(call=call, code=code, at=at, ever=ever):
                    self.fault(half, good, {
                        "LD_PRELOAD": library, "GPA_FAULT": call, "GPA_FAULT_AT": str(at),
                        "GPA_FAULT_EVER": str(ever), "GPA_FAULT_ERRNO": str(code),
                        "GPA_FAULT_IN": "gpa"})

    def fault(self, half, good, env):
        work = self.place(half / "journal")
        (work / "out.json").write_text("old\n")
        words = self.words(1, "--json", "--out", "out.json")
        code, _, err = gpa(work, *words, env=env)
        there = (work / "journal/all.gpaj").read_bytes()
        if code == 0:
            self.assertEqual((work / "out.json").read_bytes(), self.one)
        else:
            self.assertIn(code, (2, 3, 4), err)  # 4: the plugin's own file
            self.assertRegex(err, "gpa: .*(cannot|out of memory|missing|plugin: )")
            self.assertEqual((work / "out.json").read_text(), "old\n")
            # all but what was torn when it was killed
            whole = os.path.commonprefix([good, there])
            self.assertGreater(len(whole), len(good) - 60000)
        if env["GPA_FAULT_ERRNO"] in ("0", str(errno.EINTR)):
            self.assertEqual(code, 0, err)
        code, _, err = gpa(work, *words)
        self.assertEqual(code, 0, err)
        self.assertEqual((work / "out.json").read_bytes(), self.one)
        shutil.rmtree(work)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
