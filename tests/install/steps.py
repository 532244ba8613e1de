"""What the installation tests share: commands that are shown with their times."""
import os
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "diabetes"
ANSWER = "bmi is 27.1 too high"  # row 10 of spoilt.csv, as on the README
# The models' words are the same everywhere; what a user's shell has set is not.
CLEAN = {k: v for k, v in os.environ.items()
         if not k.startswith(("GPA", "PYTHON", "PIP_", "LD_", "R_"))}


def shown(word):
    lines = str(word).strip().splitlines() or [""]
    return lines[0] if len(lines) == 1 else lines[0] + " ..."


def step(command, env=None, check=True, **more):
    """Runs a command and says how long it took; its output, and the end when it fails."""
    start = time.monotonic()
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          env={**CLEAN, **(env or {})}, **more)
    print(f"{time.monotonic() - start:6.1f} s  {shlex.join(map(shown, command))}", flush=True)
    if check and done.returncode != 0:
        sys.exit(f"{done.stdout}\nexit {done.returncode}")
    return done.stdout if check else (done.returncode, done.stdout)


def expect(what, text):
    if what not in text:
        sys.exit(f"expected {what!r} in:\n{text}")


def copy_tree(to):
    """What a stranger gets of this tree."""
    subprocess.run([ROOT / "tools" / "copy_tree.sh", to], check=True)
