#!/usr/bin/env python3
"""test_watch.py ROOT BUILD [CASE...]: gpa watch as a process among others.

Killed at random moments and started again it gives the same records; a full or broken
disk leaves the old state; many lines need little memory; its metrics and episodes reach
Debian's prometheus, prometheus-alertmanager and mosquitto, where they are installed (a
line "SKIP: ..." says what is not). GPA_KILLS sets how often it is killed (40; make test-watch: 200).
"""
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

ROOT, BUILD = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
GPA = str(BUILD / "gpa")
FAULTS = BUILD / "tests/gpa_faults.so"  # there are none in a build with sanitizers
MODEL = '{"type":"linear","w":[2,-3,1],"b":0,"variables":["a","b","c"]}'


def rows(n, seed, shift=(0, 0), every=None):
    """Lines of CSV with a header: y = 2a - 3b + c and noise; b is off by 9 in between, or
    in the same place of every so many rows."""
    r = random.Random(seed)
    yield "ts,a,b,c,y\n"
    for i in range(n):
        a, b, c = r.gauss(0, 1), r.gauss(5, 2), r.gauss(-1, 1)
        y = 2 * a - 3 * b + c + r.gauss(0, .3)
        b += 9 * (shift[0] <= (i % every if every else i) < shift[1])
        yield f"r{i},{a:.4f},{b:.4f},{c:.4f},{y:.4f}\n"


def events(lines):
    return [json.loads(line) for line in lines]


def episodes(lines):
    return [line for line in lines if json.loads(line)["event"] not in ("row", "problem")]


def with_constant(n, seed, k_of, wrong=()):
    """y = 2a - 3b + c + 3k and noise; k is what k_of says, but in the rows of `wrong` it is
    recorded as said there."""
    r, wrong = random.Random(seed), dict(wrong)
    yield "ts,a,b,c,k,y\n"
    for i in range(n):
        a, b, c, k = r.gauss(0, 1), r.gauss(5, 2), r.gauss(-1, 1), k_of(i)
        y = 2 * a - 3 * b + c + 3 * k + r.gauss(0, .3)
        yield f"r{i},{a:.4f},{b + 4 * (i % 37 == 11):.4f},{c:.4f},{wrong.get(i, k)},{y:.4f}\n"


class Base(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpa-watch-")
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        (self.dir / "m.json").write_text(MODEL)
        (self.dir / "ref.csv").write_text("".join(rows(500, 1)))
        self.words = [GPA, "watch", "--model", "m.json", "--target", "y", "--id", "ts",
                      "--reference", "ref.csv", "--json"]

    def start(self, *more, **how):
        how = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE,
               "stderr": subprocess.PIPE, **how}
        p = subprocess.Popen([*self.words, *more], cwd=self.dir, text=True, **how)
        self.addCleanup(lambda: p.poll() is None and p.kill())
        return p

    def run_whole(self, *more, text=None, **how):
        return subprocess.run([*self.words, *more], cwd=self.dir, input=text, text=True,
                              capture_output=True, check=False, timeout=300, **how)


class Watch(Base):
    def test_lines_and_memory(self):
        """Many ordinary lines: constant memory, and fast; the figures are printed."""
        n = 1_000_000 if os.environ.get("GPA_WATCH_LONG") else 200_000
        with open(self.dir / "rows.csv", "w", encoding="ascii") as f:
            f.writelines(rows(n, 2))
        os.mkfifo(self.dir / "fifo")
        out = self.dir / "out.jsonl"
        p = self.start("fifo", "--out", "out.jsonl")
        start = time.monotonic()
        with open(self.dir / "fifo", "wb") as to, open(self.dir / "rows.csv", "rb") as f:
            while piece := f.read(1 << 16):
                to.write(piece)
            to.write(b"the end\n")
            to.flush()
            while b"malformed" not in out.read_bytes():
                time.sleep(.01)
            took = time.monotonic() - start
            status = pathlib.Path(f"/proc/{p.pid}/status").read_text(encoding="ascii")
        most = int(status.split("VmHWM:")[1].split()[0]) / 1024
        print(f"# {n} lines in {took:.2f} s: {n / took:,.0f} lines/s, {most:.0f} MiB")
        if FAULTS.exists():  # else a sanitizer's own memory is in it
            self.assertLess(most, 64)
        p.communicate()
        said = out.read_bytes().count(b'"event":"row"')
        self.assertLess(said, n / 2000)  # noise beyond 4 sigma: 6.3 rows in 100,000

    def test_level_shift(self):
        """10,000 rows off by the same: one episode, and its culprit."""
        n = 10_000 if FAULTS.exists() else 2_000  # sanitizers take their time
        text = "".join(rows(n + 1000, 3, (500, n + 500)))
        done = self.run_whole("--only", "episodes", text=text)
        found = events(done.stdout.splitlines())
        self.assertEqual({e["episode"] for e in found}, {1}, done.stdout[:2000])
        self.assertEqual([e["event"] for e in found][::len(found) - 1], ["open", "close"])
        self.assertEqual(found[-1]["n"], n)
        self.assertEqual({e["accused"] for e in found}, {"b"})
        self.assertEqual((found[-1]["first"], found[-1]["last"]), ("r500", f"r{n + 499}"))

    def test_new_normal(self):
        """It lasts: with --rebase it is the new normal, and nothing more is said."""
        r = random.Random(8)
        text = "ts,a,b,c,y\n"
        for i in range(3000):
            a, b, c = r.gauss(0, 1), r.gauss(5, 2), r.gauss(-1, 1)
            y = 2 * a - 3 * b + c + r.gauss(0, .3) + 12 * (i >= 500)
            text += f"r{i},{a:.4f},{b:.4f},{c:.4f},{y:.4f}\n"
        done = self.run_whole("--only", "episodes", "--rebase", "--rebase-after", "200",
                              text=text)
        found = events(done.stdout.splitlines())
        self.assertEqual([e["event"] for e in found][-1], "new-normal")
        self.assertEqual({e["accused"] for e in found[1:]}, {"y"})
        self.assertEqual((found[-1]["n"], found[-1]["last"]), (200, "r699"))
        self.assertAlmostEqual(found[-1]["offset"], 12, delta=.2)

    def kill_at(self, p, out, r, most):
        """Kills it: now and then at any moment, else when `out` has grown by a number of bytes up
        to `most`, so that it is past its start however busy the machine is. What came of it:
        0: it ended before, 1: killed at any moment, 2: killed when it had judged."""
        early, target = r.random() < .2, out.stat().st_size + r.randint(1, most)
        until = time.monotonic() + (r.uniform(0, .3) if early else 300)
        while p.poll() is None and time.monotonic() < until and \
                (early or out.stat().st_size < target):
            time.sleep(.0005)
        p.kill()
        p.wait()
        if p.returncode not in (0, -9):
            self.fail(f"exit {p.returncode}: {p.stderr.read()}")
        return 0 if p.returncode == 0 else 1 if early else 2

    def kill_often(self, kills, start, most):
        """Starts it again and again, kills it, lets it end; what each run printed."""
        printed, found, r = [], [], random.Random(7)
        while sum(map(bool, found)) < kills:
            (self.dir / "out.jsonl").write_text("")
            with open(self.dir / "out.jsonl", "a", encoding="utf-8") as out:
                p = start(out)
                found.append(self.kill_at(p, self.dir / "out.jsonl", r, most))
                p.communicate()
            printed.append((self.dir / "out.jsonl").read_text(encoding="utf-8"))
            if p.returncode == 0:
                (self.dir / "state").unlink()  # it came to its end: once more from the start
                self.whole.append(printed)
                printed = []
        p = start(subprocess.PIPE)
        printed.append(p.communicate()[0])
        self.assertEqual(p.returncode, 0)
        self.whole.append(printed)
        return found

    def records(self, text):
        """The lines that were written whole."""
        return [line for line in text.split("\n")[:-1] if line]

    def test_killed_with_a_pipe(self):
        """Killed, and all lines sent again: the same episodes, each of them once."""
        kills = int(os.environ.get("GPA_KILLS", 40)) // 2
        text = "".join(rows(6000, 4, (100, 107), 900))
        text += "".join(list(rows(6000, 5, (300, 307), 900))[1:]).replace("\nr", "\nq")
        (self.dir / "rows.csv").write_text(text)
        p = self.start("--close-after", "15")
        want = episodes(p.communicate(text)[0].splitlines())
        self.assertEqual(len({json.loads(e)["episode"] for e in want}), 14)
        self.whole, self.feeds = [], []
        self.addCleanup(lambda: [subprocess.Popen.wait(f) for f in self.feeds])

        def start(out):
            """It reads a pipe, with a pause in the middle."""
            with subprocess.Popen(["sh", "-c", "head -c 200000 rows.csv; sleep .05; "
                                   "exec tail -c +200001 rows.csv 2> /dev/null"],
                                  cwd=self.dir, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL) as feed:
                p = self.start("--close-after", "15", "--state", "state", "--save-every",
                               "0.01", stdout=out, stdin=feed.stdout)
                feed.stdout.close()
                feed.wait = lambda timeout=None: 0  # it ends by itself, when p does
            self.feeds.append(feed)
            return p
        found = self.kill_often(kills, start, sum(map(len, want)))
        print(f"# killed {kills} times, {found.count(2)} of them when it had judged, "
              f"{len(self.whole)} whole runs")
        self.assertGreater(found.count(2), kills // 4)
        for runs in self.whole:
            said = [e for text in runs for e in episodes(self.records(text))]
            once = list(dict.fromkeys(said))  # a record that was said twice is the same
            self.assertEqual(once, want)
            keys = [(e["episode"], e["event"], e["n"]) for e in events(once)]
            self.assertEqual(len(keys), len(set(keys)))

    def test_killed_with_files(self):
        """From a file to a file: the very bytes of an undisturbed run."""
        kills = int(os.environ.get("GPA_KILLS", 40)) // 2
        text = "".join(rows(12_000, 6, (100, 107), 800))
        (self.dir / "rows.csv").write_text(text)
        for extra in (), ("--every",):
            want = self.dir / "want.jsonl"
            want.unlink(missing_ok=True)
            words = ("--out", "got.jsonl", "--state", "state", "--save-every", "0.01",
                     *extra, "rows.csv")
            done = self.run_whole("--out", "want.jsonl", "--state", "other", *extra,
                                  "rows.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
            r, found, ends, places = random.Random(9), [], 0, set()
            got, more = self.dir / "got.jsonl", True
            while more or p.returncode != 0:  # what was killed last comes to its end, too
                got.touch()
                p = self.start(*words, stdin=subprocess.DEVNULL)
                if more:
                    found.append(self.kill_at(p, got, r, want.stat().st_size // 3))
                more = sum(map(bool, found)) < kills // 2
                places.update(re.findall("behind byte ([0-9]+)", p.communicate()[1]))
                if p.returncode == 0:
                    ends += 1
                    lines = (f.read_text(encoding="utf-8").split("\n") for f in (got, want))
                    differ = [(a[:300], b[:300]) for a, b in zip(*lines) if a != b]
                    self.assertEqual(differ[:2], [])
                    self.assertEqual(got.stat().st_size, want.stat().st_size)
                    (self.dir / "state").unlink()
                    got.unlink()
            print(f"# killed {kills // 2} times, {found.count(2)} of them when it had judged, "
                  f"{ends} whole runs, went on from {len(places)} places {' '.join(extra)}")
            self.assertGreater(found.count(2), kills // 4)
            self.assertGreater(len(places), 2)
            (self.dir / "other").unlink()

    def in_parts(self, lines, cuts, *more):
        """What is written when it ends after so many lines, and is started again with more."""
        for name in "state", "got.jsonl":
            (self.dir / name).unlink(missing_ok=True)
        for cut in *cuts, len(lines):
            (self.dir / "part.csv").write_text("".join(lines[:cut]))
            done = self.run_whole("--out", "got.jsonl", "--state", "state", *more, "part.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
        return (self.dir / "got.jsonl").read_text(encoding="utf-8")

    def test_warm_up_over_several_starts(self):
        """With a state the first lines are waited for, so that a file which was short at the
        first start gives the bytes of an undisturbed run; without one it is said."""
        self.words = [w for w in self.words if w not in ("--reference", "ref.csv")]
        lines = list(rows(400, 2, (300, 306)))
        want = self.in_parts(lines, [], "--warm-up", "60")
        self.assertIn('"accused":"b"', want)
        for cuts in [31], [1, 11, 31, 60], [61], [62, 300]:
            self.assertEqual(self.in_parts(lines, cuts, "--warm-up", "60"), want)
        for cut, code in (31, 0), (11, 0), (1, 0):
            (self.dir / "state").unlink()
            (self.dir / "part.csv").write_text("".join(lines[:cut]))
            done = self.run_whole("--warm-up", "60", "--state", "state", "part.csv")
            self.assertEqual((done.returncode, done.stdout), (code, ""))
            self.assertIn(f"{cut - 1} of the 60 rows", done.stderr)
            self.assertNotIn("sigma", done.stderr)
        done = self.run_whole("--warm-up", "60", text="".join(lines[:31]))
        self.assertEqual(done.returncode, 0)
        self.assertIn("the lines end before --warm-up 60", done.stderr)
        done = self.run_whole("--warm-up", "60", text="".join(lines))
        self.assertNotIn("the lines end before", done.stderr)

    def watch_constant(self):
        (self.dir / "m.json").write_text('{"type":"linear","w":[2,-3,1,3],"b":0,'
                                         '"variables":["a","b","c","k"]}')
        (self.dir / "ref.csv").write_text("".join(with_constant(400, 1, lambda i: 2)))

    def test_constant_input_after_a_restart(self):
        """An input that has one value in the reference, and others later: what it is follows
        from what is normal then, not from what was seen before the start."""
        self.watch_constant()
        lines = list(with_constant(600, 3, lambda i: 5 if 100 <= i < 120 else 2,
                                   {140: 9, 300: 4}))
        want = self.in_parts(lines, [])
        accused = {e["id"]: e["accused"] for e in events(want.splitlines())}
        self.assertEqual((accused["r140"], accused["r300"]), ("k", "k"))
        for cuts in [125], [145], [50, 130, 200, 420]:
            got = self.in_parts(lines, cuts)
            differ = [e["id"] for e, f in zip(events(want.splitlines()), events(got.splitlines()))
                      if e != f]
            self.assertEqual((cuts, differ), (cuts, []))
            self.assertEqual(got, want)

    def test_constant_input_that_changed(self):
        """Rows that are normal by now have two values: a third is as suspect as with one."""
        self.watch_constant()
        for k_of in (lambda i: 2), (lambda i: 5 if 50 <= i < 250 else 2):
            text = "".join(with_constant(400, 4, k_of, {300: 9}))
            done = self.run_whole("--only", "rows", text=text)
            accused = {e["id"]: e["accused"] for e in events(done.stdout.splitlines())}
            self.assertEqual(accused["r300"], "k", done.stdout[-2000:])

    def test_faults(self):
        """A disk that is full or broken: the old state stays, whole, and one line says it."""
        if not FAULTS.exists():
            print("SKIP: no gpa_faults.so (sanitizers): faults of the disk are NOT tested")
            return
        lines = list(rows(300, 2))
        first, second = "".join(lines[:150]), lines[0] + "".join(lines[150:])
        self.assertEqual(self.run_whole("--state", "state", text=first).returncode, 0)
        state, old, failed = self.dir / "state", (self.dir / "state").read_bytes(), 0
        for what in "open", "write", "fsync", "rename", "close":
            for code in 28, 5, *((0,) if what == "write" else ()):  # ENOSPC, EIO, one byte
                for at in range(1, 12):
                    state.write_bytes(old)
                    env = {**os.environ, "LD_PRELOAD": str(FAULTS), "GPA_FAULT": what,
                           "GPA_FAULT_AT": str(at), "GPA_FAULT_ERRNO": str(code),
                           "GPA_FAULT_IN": "gpa", "GPA_FAULT_EVER": "1" if code else "0"}
                    done = self.run_whole("--state", "state", text=second, env=env)
                    there = state.read_bytes()
                    case = f"{what} {at} {code}: {done.returncode} {done.stderr}"
                    digest = "sha256:" + hashlib.sha256(there[:-72]).hexdigest()
                    self.assertTrue(digest.encode() == there[-72:-1], case)
                    self.assertIn(done.returncode, (0, 3), case)
                    failed += done.returncode == 3
                    if done.returncode == 0:
                        self.assertTrue(there != old, case)
                    else:
                        self.assertTrue(there == old, case)
                        self.assertRegex(done.stderr, "gpa: .*(cannot|rename|state)", case)
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()),
                         ["m.json", "ref.csv", "state"])
        print(f"# {failed} runs failed, each with the old state in place")
        self.assertGreater(failed, 20)

    def test_drop(self):
        """Nobody reads what it says: lines go on being taken, and are dropped and counted."""
        p = self.start("--on-full", "drop", "--every")
        lines, sent = list(rows(60_000, 2)), 0
        start = time.monotonic()
        while sent < 30_000_000:  # much more than all buffers hold
            p.stdin.write("".join(lines[bool(sent):]))
            sent += 1_800_000
        self.assertLess(time.monotonic() - start, 60)
        p.stdin.flush()
        out, _ = p.communicate()  # now somebody reads
        found = [e for line in out.splitlines() if "dropped" in line
                 for e in json.loads(line).get("events", [])]
        dropped = sum(e["n"] for e in found if e["reason"] == "dropped")
        given = len(lines) - 1
        times = -(-30_000_000 // 1_800_000)
        print(f"# {dropped} lines dropped")
        self.assertGreater(dropped, 100_000)
        self.assertEqual(len(out.splitlines()) + dropped, given * times)
        p.stdout.close()

    def test_slow_model(self):
        """A model that dies is asked again; what it fails for is said, and the rest goes on."""
        (self.dir / "model.pl").write_text(r"""
binmode STDIN; binmode STDOUT; $| = 1;
print pack('a4 V V V', 'GPAH', 1, 3, 6), "a\nb\nc\n";
while ((read(STDIN, my $head, 12) // 0) == 12) {
    my (undef, $rows, $inputs) = unpack('a4 V V', $head);
    last if (read(STDIN, my $body, $rows * 24) // 0) != $rows * 24;
    my @x = unpack('d<*', $body);
    grep { $_ == 666 } @x and exit 1;
    grep { $_ == 777 } @x and sleep 60;
    print pack('a4 V V', 'GPAR', $rows, 0),
        pack('d<*', map { 2 * $x[3 * $_] - 3 * $x[3 * $_ + 1] + $x[3 * $_ + 2] } 0 .. $rows - 1);
}
""")
        lines = list(rows(40, 2))
        lines[8], lines[20] = "r7,666,5,5,5\n", "r19,666,5,5,5\n"
        model = "exec:perl model.pl"
        words = [GPA, "watch", "--model", model, "--target", "y", "--id", "ts", "--reference",
                 "ref.csv", "--every", "--json", "--model-timeout", "2"]
        done = subprocess.run(words, cwd=self.dir, input="".join(lines), text=True,
                              capture_output=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = events(done.stdout.splitlines())
        self.assertEqual(len(found), 40)
        self.assertEqual([e["id"] for e in found if e["event"] == "problem"], ["r7", "r19"])
        self.assertEqual([e["reason"] for e in found if e["event"] == "problem"], ["model"] * 2)
        text = " ".join(e["text"] for e in found if e["event"] == "problem")
        self.assertEqual(re.findall("it predicted line ([0-9]+),", text), ["9", "21"])
        lines[8] = "r7,777,5,5,5\n"  # it sleeps: after the time-outs that is said of all rows
        words[words.index("--model-timeout") + 1] = "0.3"
        done = subprocess.run(words, cwd=self.dir, text=True, capture_output=True, timeout=120,
                              input="".join(lines), check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = events(done.stdout.splitlines())
        self.assertEqual(len(found), 40)
        self.assertIn("r7", [e["id"] for e in found if e.get("reason") == "model"])

    def test_terminal(self):
        """On a terminal: a line for the episode, that changes until it is over."""
        master, slave = os.openpty()
        words = [w for w in self.words if w != "--json"]
        with subprocess.Popen(words, cwd=self.dir, stdin=subprocess.PIPE, stdout=slave,
                              stderr=subprocess.DEVNULL,
                              env={**os.environ, "COLUMNS": "90", "LC_ALL": "C.UTF-8"}) as p:
            p.stdin.write("".join(rows(200, 2, (100, 130))).encode())
            p.stdin.close()
        os.close(slave)
        text = b""
        try:
            while piece := os.read(master, 65536):
                text += piece
        except OSError:  # Linux says so that nobody writes any more
            pass
        os.close(master)
        shown = text.decode().replace("\r\n", "\n").split("\n")
        self.assertEqual(len(shown), 2, shown)
        states = shown[0].split("\r\x1b[K")
        self.assertTrue(states[0].startswith("episode 1 open  3 rows, r100 to r102  b is "))
        self.assertTrue(states[-1].startswith("episode 1 close  30 rows, r100 to r129  b is "))
        self.assertEqual(len(states), 5)
        self.assertLess(max(map(len, states)), 90)

    def test_term(self):
        """SIGTERM: what was read is judged, the state saved, exit 0."""
        p = self.start("--state", "state", "--every")
        lines = list(rows(100, 2))
        p.stdin.write("".join(lines))
        p.stdin.flush()
        for _ in lines[1:]:
            p.stdout.readline()
        p.terminate()
        self.assertEqual(p.communicate(timeout=20)[0], "")
        self.assertEqual(p.returncode, 0)
        self.assertGreater((self.dir / "state").stat().st_size, 1000)

    def test_term_while_opening(self):
        """Nobody opens the other end of a pipe: a signal ends it all the same."""
        os.mkfifo(self.dir / "fifo")
        (self.dir / "rows.csv").write_text("".join(rows(10, 2)))
        for words in (["fifo"], ["--out", "fifo", "rows.csv"],
                      ["--reference", "fifo", "rows.csv"]):
            p = self.start(*words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            stat, waits = pathlib.Path(f"/proc/{p.pid}/stat"), 0
            while waits < 20 and p.poll() is None:  # nothing is left to do
                waits = waits + 1 if ") S" in stat.read_text(encoding="ascii") else 0
                time.sleep(.01)
            p.terminate()
            self.assertEqual(p.wait(timeout=30), 128 + 15, words)

    def test_refused_output(self):
        """What is refused leaves no file behind that was not there."""
        (self.dir / "rows.csv").write_text("".join(rows(50, 2, (40, 42))))
        self.run_whole("--state", "s", "--out", "out.jsonl", "rows.csv")
        for state in "s", "m.json":
            done = self.run_whole("--state", state, "--out", "new.jsonl", "rows.csv")
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertFalse((self.dir / "new.jsonl").exists())
        (self.dir / "empty.jsonl").touch()
        self.run_whole("--state", "m.json", "--out", "empty.jsonl", "rows.csv")
        self.assertTrue((self.dir / "empty.jsonl").exists())
        (self.dir / "rows.csv").write_text("".join(rows(50, 2)))
        done = self.run_whole("--out", "quiet.jsonl", "rows.csv")  # nothing to say is no failure
        self.assertEqual((done.returncode, (self.dir / "quiet.jsonl").read_text()), (0, ""))

    def test_other_question(self):
        """A state of another question, or a damaged one, is refused by name."""
        text = "".join(rows(50, 2))
        self.assertEqual(self.run_whole("--state", "state", text=text).returncode, 0)
        for words, says in (((*self.words, "--sigma", "2"), "other options"),
                            ((*self.words, "--threshold", "9"), "other options"),
                            ((*self.words, "--open-after", "5"), "other options"),
                            ((*self.words, "--only", "rows"), "other options"),
                            (self.words[:-3] + ["--reference", "other.csv"], "another reference")):
            (self.dir / "other.csv").write_text("".join(rows(400, 5)))
            done = subprocess.run([*words, "--state", "state"], cwd=self.dir, input=text,
                                  text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(says, done.stderr)
        state = self.dir / "state"
        good = state.read_bytes()
        for bad in good[:-1], good[:1000], b"", b"{}", \
                good[:500] + bytes([good[500] ^ 1]) + good[501:]:
            state.write_bytes(bad)
            done = self.run_whole("--state", "state", text=text)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("state", done.stderr)
            self.assertEqual(state.read_bytes(), bad)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def ask(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as r:
        return r.read().decode()


class Daemons(Base):
    """With the programs that people run it among."""

    def need(self, *programs):
        path = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
        found = [shutil.which(p, path=path) for p in programs]
        missing = [p for p, f in zip(programs, found) if f is None]
        if missing:
            print(f"SKIP: no {', '.join(missing)}: {self.id().split('.')[-1]} is NOT tested")
            self.skipTest("not installed")
        return found

    def daemon(self, *words):
        log = open(self.dir / "daemon.log", "a", encoding="utf-8")
        self.addCleanup(log.close)
        p = subprocess.Popen(words, cwd=self.dir, stdout=log, stderr=log)
        self.addCleanup(p.wait)
        self.addCleanup(p.terminate)
        return p

    def until(self, what, seconds=40):
        """Asks again until it is true; what it gave."""
        end, last = time.monotonic() + seconds, None
        while time.monotonic() < end:
            try:
                last = what()
                if last:
                    return last
            except OSError:
                pass
            time.sleep(.2)
        self.fail(f"{last!r}\n" + (self.dir / "daemon.log").read_text(encoding="utf-8")[-3000:])

    def shifted(self, *more):
        """A watch with an episode of b that is open."""
        port = free_port()
        p = self.start("--metrics", f"127.0.0.1:{port}", "--only", "episodes", *more)
        p.stdin.write("".join(rows(300, 2, (250, 300))))
        p.stdin.flush()
        return p, port

    def test_metrics(self):
        p, port = self.shifted()
        text = self.until(lambda: (t := ask(port, "/metrics")).count("rows_total 300") and t)
        self.assertIn('gpa_watch_open_episodes{culprit="b"} 1\n', text)
        self.assertIn("gpa_watch_anomalies_total 50\n", text)
        self.assertNotIn("r299", text)
        self.assertEqual(ask(port, "/healthz"), "ok\n")
        for path in "/", "/metrics/x":
            with self.assertRaises(urllib.error.HTTPError):
                ask(port, path)
        promtool, = self.need("promtool")
        done = subprocess.run([promtool, "check", "metrics"], input=text, text=True,
                              capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
        done = subprocess.run([promtool, "check", "rules",
                               ROOT / "examples/watch/gpa.rules.yml"], check=False,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        p.communicate()

    def alertmanager(self, program):
        port = free_port()
        (self.dir / "am.yml").write_text("route: {receiver: none}\nreceivers: [{name: none}]\n")
        self.daemon(program, "--config.file=am.yml", "--cluster.listen-address=",
                    f"--web.listen-address=127.0.0.1:{port}", "--storage.path=am")
        self.until(lambda: ask(port, "/-/ready"))
        return port

    def alerts(self, port, active=True):
        found = json.loads(ask(port, "/api/v2/alerts"))
        return [a for a in found if a["labels"]["alertname"] == "GpaEpisode"]

    def test_prometheus(self):
        """Scraped by Prometheus, whose rule tells Alertmanager of the culprit."""
        prometheus, alertmanager = self.need("prometheus", "prometheus-alertmanager")
        watch, port = self.shifted("--close-after", "5")
        manager, web = self.alertmanager(alertmanager), free_port()
        example = ROOT / "examples/watch"
        shutil.copy(example / "gpa.rules.yml", self.dir)
        text = (example / "prometheus.yml").read_text(encoding="utf-8")
        text = text.replace("9464", str(port)).replace("9093", str(manager))
        (self.dir / "prometheus.yml").write_text(text.replace("15s", "1s"))
        self.daemon(prometheus, "--config.file=prometheus.yml", "--storage.tsdb.path=tsdb",
                    f"--web.listen-address=127.0.0.1:{web}")
        query = urllib.parse.quote('gpa_watch_open_episodes{culprit="b"}')
        self.until(lambda: '"1"]' in ask(web, f"/api/v1/query?query={query}"))
        found = self.until(lambda: self.alerts(manager))
        self.assertEqual([a["labels"]["culprit"] for a in found], ["b"])
        watch.stdin.write("".join(list(rows(320, 2))[301:]))  # quiet again
        watch.stdin.flush()
        self.until(lambda: '"0"]' in ask(web, f"/api/v1/query?query={query}"))
        watch.communicate()

    def test_alertmanager(self):
        """Episodes sent to Alertmanager by the example, opened and ended."""
        alertmanager, = self.need("prometheus-alertmanager")
        port = self.alertmanager(alertmanager)
        send = subprocess.Popen([sys.executable, ROOT / "examples/watch/to_alertmanager.py",
                                 f"http://127.0.0.1:{port}"], stdin=subprocess.PIPE, text=True)
        self.addCleanup(send.kill)
        done = self.run_whole("--only", "episodes", text="".join(rows(400, 2, (250, 290))))
        *lines, close = done.stdout.splitlines(keepends=True)
        send.stdin.write("".join(lines))
        send.stdin.flush()
        found = self.until(lambda: self.alerts(port))
        self.assertEqual([a["labels"]["culprit"] for a in found], ["b"])
        self.assertEqual(found[0]["labels"]["first"], "r250")
        self.assertIn("b is", found[0]["annotations"]["summary"])
        send.stdin.write(close)
        send.stdin.close()
        self.assertEqual(send.wait(timeout=30), 0)
        self.until(lambda: not self.alerts(port))

    def test_mosquitto(self):
        """mosquitto_sub | gpa watch."""
        broker, sub, pub = self.need("mosquitto", "mosquitto_sub", "mosquitto_pub")
        port = free_port()
        (self.dir / "m.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
        self.daemon(broker, "-c", "m.conf")
        self.until(lambda: socket.create_connection(("127.0.0.1", port)).close() or True)
        watch = self.start(stdin=(s := subprocess.Popen(
            [sub, "-p", str(port), "-t", "plant/#", "-q", "1"], stdout=subprocess.PIPE)).stdout)
        self.addCleanup(s.wait)
        self.addCleanup(s.kill)
        s.stdout.close()
        time.sleep(1)
        table = [line.strip().split(",") for line in rows(120, 2, (100, 120))]
        lines = "".join(json.dumps({k: v if k == "ts" else float(v)
                                    for k, v in zip(table[0], row)}) + "\n" for row in table[1:])
        subprocess.run([pub, "-p", str(port), "-t", "plant/a", "-q", "1", "-l"], input=lines,
                       text=True, check=True)
        while (e := json.loads(watch.stdout.readline()))["event"] != "open":
            self.assertEqual(e["event"], "row")
        self.assertEqual((e["accused"], e["first"], e["n"]), ("b", "r100", 3))
        s.terminate()
        watch.communicate()
        self.assertEqual(watch.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
