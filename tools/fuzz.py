#!/usr/bin/env python3
"""Runs fuzz targets one after the other; a line each of runs, seconds and what was reached.

    fuzz.py BUILD [--runs N] [--seconds S] [--length BYTES] TARGET...

Ends with 1 at the first target that stops: its last lines say where, and where the input
is. What was found worth keeping stays in BUILD/corpus.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import time

SHORT = {"options": 1024}  # every line of it is looked up among all options
MORE_SEEDS = {"csv": "cli/data", "json": "cli/data", "own": "cli/data",  # below tests
              "lightgbm": "data/lightgbm", "onnx": "data/onnx", "parquet": "data/parquet",
              "xgboost": "data/xgboost"}


def last(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=-1)
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--length", type=int, default=4096)
    parser.add_argument("targets", nargs="+")
    args = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    print("| target | runs | s | runs/s | branches | inputs kept |\n|---|---|---|---|---|---|")
    total, started = 0, time.monotonic()
    for name in args.targets:
        corpus, log = args.build / "corpus" / name, args.build / "corpus" / (name + ".log")
        corpus.mkdir(parents=True, exist_ok=True)
        more = [root / "tests" / MORE_SEEDS[name]] if name in MORE_SEEDS else []
        begin = time.monotonic()
        with open(log, "w") as to:
            done = subprocess.run(
                [args.build / "fuzz" / ("fuzz_" + name), "-runs=%d" % args.runs,
                 "-max_total_time=%d" % args.seconds, "-timeout=10", "-rss_limit_mb=1024",
                 "-max_len=%d" % min(args.length, SHORT.get(name, args.length)),
                 "-print_final_stats=1", "-artifact_prefix=%s/crash-%s-" % (args.build, name),
                 corpus, root / "fuzz/corpus" / name,
                 *more], stdout=to, stderr=to, stdin=subprocess.DEVNULL)
        text = log.read_text(errors="replace")
        if done.returncode != 0:
            print("\n".join(text.splitlines()[-40:]))
            print("%s: exit %d" % (name, done.returncode))
            return 1
        runs, taken = last(r"number_of_executed_units: (\d+)", text), time.monotonic() - begin
        total += runs
        print("| %s | %d | %.0f | %.0f | %d | %d |" % (
            name, runs, taken, runs / max(taken, 0.001), last(r" ft: (\d+)", text),
            len(list(corpus.iterdir()))), flush=True)
    print("%d runs of %d targets in %.0f minutes, none stopped" % (
        total, len(args.targets), (time.monotonic() - started) / 60))
    return 0


if __name__ == "__main__":
    sys.exit(main())
