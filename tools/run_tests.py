#!/usr/bin/env python3
"""Runs a build directory's tests and ends with `N passed, N failed`.

Counts what meson ran, from its own log. Shows the output of what failed and the reason
of what was skipped. Exit 1 when something failed or nothing ran. With --failed, only
what failed in the run before, one after the other.
"""
import argparse
import json
import pathlib
import subprocess
import sys

PASSED = {"OK", "EXPECTEDFAIL"}


def read_log(path):
    """The last record of each test; meson appends one per test and repetition."""
    records = [json.loads(line) for line in path.read_text().splitlines() if line]
    return {record["name"].split(" / ")[-1]: record for record in records}


def output_of(record):
    text = record.get("stdout", "") + record.get("stderr", "")
    return "\n".join("    " + line for line in text.splitlines()[-200:])


def last_line(record):
    lines = output_of(record).strip().splitlines()
    return lines[-1].strip() if lines else "no reason given"


def parts_skipped(record):
    """Lines with which a test that passed says what it could not check."""
    return [line for line in record.get("stdout", "").splitlines() if "SKIP:" in line]


def failures(results):
    return {n: r for n, r in results.items() if r["result"] not in PASSED | {"SKIP"}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--failed", action="store_true", help="what failed before, alone")
    args, meson_args = parser.parse_known_args()  # the rest is for meson test
    log = args.build / "meson-logs" / "testlog.json"
    if args.failed:
        names = failures(read_log(log)) if log.exists() else {}
        if not names:
            sys.exit("no test failed in the run before: nothing to run again")
        meson_args += ["--num-processes", "1", *names]
    log.unlink(missing_ok=True)  # never count an earlier run

    # Meson's own summary uses other words; its exit status still counts below.
    command = ["meson", "test", "-C", str(args.build), *meson_args]
    status = subprocess.run(command, stdin=subprocess.DEVNULL).returncode
    results = read_log(log) if log.exists() else {}

    passed = {n: r for n, r in results.items() if r["result"] in PASSED}
    skipped = {n: r for n, r in results.items() if r["result"] == "SKIP"}
    failed = failures(results)
    for name, record in failed.items():
        print(f"\n{record['result']}: {name}\n{output_of(record)}")
    for name, record in skipped.items():
        print(f"skipped {name}: {last_line(record)}")
    for name, record in passed.items():
        for line in parts_skipped(record):
            print(f"in {name}: {line}")
    if not results:
        print("no test ran")
    summary = f"{len(passed)} passed, {len(failed)} failed"
    print(summary + (f", {len(skipped)} skipped" if skipped else ""), flush=True)
    return 1 if failed or status != 0 or not results else 0


if __name__ == "__main__":
    sys.exit(main())
