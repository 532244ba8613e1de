#!/usr/bin/env python3
"""Runs the command's tests: NAME.sh with the expected NAME.stdout, NAME.stderr, NAME.exit.

    run.py --gpa PATH [--update] [NAME...]

As many scripts at once as there are processors; what is printed stays in order. Each runs
in a directory of its own with GPA (the command), DATA (tests/cli/data) and TESTS
(tests/cli) in its environment; python3 is the Python that runs this. An absent file means:
nothing printed, exit 0. A line "SKIP: ..." on standard output says what could not be checked; it is passed on,
and exit 77 behind it says that there is nothing else to compare.
--update accepts what came out. The last line counts them.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PARTS = ("stdout", "stderr", "exit")
TIMEOUT = 300
NOTHING_CHECKED = b"77"


def environment(gpa, programs):
    """For the scripts; `programs` is a folder for what comes first on their PATH."""
    python = pathlib.Path(programs, "python3")
    python.write_text("#!/bin/sh\nexec %s \"$@\"\n" % shlex.quote(sys.executable))
    python.chmod(0o755)
    env = {k: v for k, v in os.environ.items() if not k.startswith("LC_")}
    for name in ("NO_COLOR", "LANG", "LANGUAGE", "GPA_MODEL"):
        env.pop(name, None)
    env.update(GPA=gpa, DATA=str(HERE / "data"), TESTS=str(HERE), LC_ALL="C.UTF-8",
               TERM="dumb", PYTHONDONTWRITEBYTECODE="1",
               PATH=os.pathsep.join([programs, env.get("PATH", os.defpath)]))
    return env


def run(script, env):
    """What a script printed and how it ended, as bytes by part."""
    with tempfile.TemporaryDirectory(prefix="gpa-cli-") as work:
        p = subprocess.Popen(["sh", str(script)], cwd=work, env=env, start_new_session=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        try:
            stdout, stderr = p.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)  # with all that it started
            p.communicate()
            return {"stdout": b"", "stderr": b"no end after %d s\n" % TIMEOUT,
                    "exit": b"timeout"}
    return {"stdout": stdout, "stderr": stderr, "exit": b"%d" % p.returncode}


def take_skips(stdout):
    """The lines that say what was skipped, and the rest."""
    lines = stdout.splitlines(keepends=True)
    skips = [line for line in lines if line.startswith(b"SKIP:")]
    return skips, b"".join(line for line in lines if not line.startswith(b"SKIP:"))


def expected(script, part):
    path = script.with_suffix("." + part)
    if path.exists():
        data = path.read_bytes()
        return data.strip() if part == "exit" else data
    return b"0" if part == "exit" else b""


def update(script, got):
    for part in PARTS:
        path = script.with_suffix("." + part)
        if got[part] == (b"0" if part == "exit" else b""):
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(got[part] + (b"\n" if part == "exit" else b""))


def show(part, want, got):
    lines = [t.decode("utf-8", "backslashreplace").splitlines() for t in (want, got)]
    for line in difflib.unified_diff(*lines, "expected " + part, "got " + part,
                                     lineterm=""):
        print("#   " + line.encode("unicode_escape").decode())


def report(number, script, got, accept):
    """Prints how a case went; whether it went well."""
    skipped, got["stdout"] = take_skips(got["stdout"])
    nothing = bool(skipped) and got["exit"] == NOTHING_CHECKED
    if accept and not nothing:
        update(script, got)
    wrong = [] if nothing else [p for p in PARTS if expected(script, p) != got[p]]
    print("%s %d - %s" % ("not ok" if wrong else "ok", number, script.stem), flush=True)
    for line in skipped:
        print("# " + line.decode("utf-8", "backslashreplace").rstrip())
    for part in wrong:
        show(part, expected(script, part), got[part])
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpa", default=os.environ.get("GPA", "build/gpa"))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    gpa = str(pathlib.Path(args.gpa).resolve())
    if not os.access(gpa, os.X_OK):
        sys.exit("run.py: no command at %s" % gpa)
    names = [n[:-3] if n.endswith(".sh") else n for n in args.names]
    scripts = [HERE / (n + ".sh") for n in names] if names else sorted(HERE.glob("*.sh"))
    missing = [s.name for s in scripts if not s.exists()]
    if missing or not scripts:
        sys.exit("run.py: no such case: %s" % " ".join(missing))
    failed = 0
    print("1..%d" % len(scripts))
    with tempfile.TemporaryDirectory(prefix="gpa-cli-") as programs, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        env = environment(gpa, programs)
        results = pool.map(lambda script: run(script, env), scripts)
        for number, (script, got) in enumerate(zip(scripts, results), 1):
            failed += not report(number, script, got, args.update)
    print("# %d passed, %d failed" % (len(scripts) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
