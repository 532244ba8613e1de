"""Runs the tests of this folder: with this Python if it has NumPy, else with one that has.

Ends with 77, which meson takes as skipped, where there is none, and where the library was
built with sanitizers, which a Python without them cannot load.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def has_numpy(python):
    try:
        return subprocess.run([python, "-c", "import numpy, sys; "
                               "assert sys.version_info >= (3, 9)"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              ).returncode == 0
    except OSError:
        return False


def find_python():
    for python in (sys.executable, "/usr/bin/python3", "python3", "python"):
        found = python and shutil.which(python)
        if found and has_numpy(found):
            return found
    return None


def sanitized():
    build = os.environ.get("GPA_BUILD_ROOT", HERE.parents[2] / "build")
    library = pathlib.Path(os.environ.get("GPA_LIBRARY") or pathlib.Path(build) / "libgpa.so")
    return library.exists() and any(name in library.read_bytes()
                                    for name in (b"__asan_init", b"__tsan_init"))


def main():
    python = find_python()
    if python is None:
        print("SKIP: no Python 3.9 or later with NumPy")
        return 77
    if sanitized():
        print("SKIP: the library has sanitizers in it, this Python has not")
        return 77
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    return subprocess.run([python, "-m", "unittest", "discover", "-s", str(HERE), "-t",
                           str(HERE), *sys.argv[1:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
