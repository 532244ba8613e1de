#!/usr/bin/env python3
"""bench_jobs.py BUILD: what shards and journals cost, beside their targets.

A model of 10 us a row (tests/counting_plugin.c): two shards at once against one process
(efficiency, target 0.9 or more on two quiet cores) and a journal against none (overhead,
target under 2 %). Runs alternate, the fastest of each kind counts; processor time, which
other work on the machine disturbs less, stands beside the clock.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(sys.argv[1]).resolve()
TIMES = int(sys.argv[2]) if len(sys.argv) > 2 else 5
ROWS = 60


def run(work, *commands):
    """Seconds of the clock and of the processors until all commands are done."""
    before, start = os.times(), time.monotonic()
    children = [subprocess.Popen([BUILD / "gpa", *c], cwd=work, stderr=subprocess.DEVNULL)
                for c in commands]
    if any([child.wait() != 0 for child in children]):
        sys.exit("a command failed")
    after = os.times()
    return (time.monotonic() - start, after.children_user - before.children_user
            + after.children_system - before.children_system)


def main():
    r = random.Random(1)
    asked = ["--model", f"plugin:{BUILD}/tests/gpa_test_counting_plugin.so", "--model-config",
             "count 10"]
    with tempfile.TemporaryDirectory() as top:
        work = pathlib.Path(top)
        rows = [[r.gauss(0, 1) for _ in range(4)] for _ in range(ROWS)]
        (work / "d.csv").write_text("a,b,c,d,y\n" + "".join(
            ",".join("%.6f" % v for v in [*x, x[0] + x[2] * x[3] + r.gauss(0, .5)]) + "\n"
            for x in rows))
        run(work, ["score", *asked, "--json", "--out", "s.json", "d.csv"])
        explain = ["explain", *asked, "--all", "--scores", "s.json", "--threads", "1"]
        kinds = {
            "one": lambda i: [[*explain, "--json", "--out", "one.json", "d.csv"]],
            "journal": lambda i: [[*explain, "--journal", f"j{i}", "--json", "--out",
                                   "journal.json", "d.csv"]],
            "two shards": lambda i: [[*explain, "--shard", f"{k}/2", "--out", f"{k}.json",
                                      "d.csv"] for k in (1, 2)]}
        found = {name: [] for name in kinds}
        for i in range(TIMES):
            for name, commands in kinds.items():
                found[name].append(run(work, *commands(i)))
        run(work, ["merge", "--out", "two.json", "1.json", "2.json"])
        whole = (work / "one.json").read_bytes()
        for name in ("two", "journal"):
            if (work / f"{name}.json").read_bytes() != whole:
                sys.exit(f"{name}: other bytes")
    clock, busy = ({name: min(times[k] for times in found[name]) for name in kinds}
                   for k in (0, 1))
    print(f"one process: {clock['one']:.3f} s ({busy['one']:.3f} s of a processor), "
          f"{clock['one'] / ROWS * 1e3:.1f} ms an explanation")
    print(f"two shards: efficiency {clock['one'] / 2 / clock['two shards']:.3f} by the clock, "
          f"{busy['one'] / busy['two shards']:.3f} by processor time (target 0.9)")
    print(f"journal: {100 * (clock['journal'] / clock['one'] - 1):+.2f} % by the clock, "
          f"{100 * (busy['journal'] / busy['one'] - 1):+.2f} % by processor time (target 2 %)")


if __name__ == "__main__":
    main()
