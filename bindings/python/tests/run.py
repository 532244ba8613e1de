"""Runs the tests of this folder, several modules at once; the last line counts them.

    run.py [--but NAME] [NAME...] [-- OPTIONS OF UNITTEST]

NAME is speed for test_speed.py; without any, all. Ends with 77, which meson takes as
skipped, where this Python has no NumPy, and where the library was built with sanitizers,
which a Python without them cannot load.
"""
import argparse
import concurrent.futures
import importlib.util
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def sanitized():
    build = os.environ.get("GPA_BUILD_ROOT", HERE.parents[2] / "build")
    library = pathlib.Path(os.environ.get("GPA_LIBRARY") or pathlib.Path(build) / "libgpa.so")
    return library.exists() and any(name in library.read_bytes()
                                    for name in (b"__asan_init", b"__tsan_init"))


def run(path, options):
    """The result of one module, in a process of its own."""
    return subprocess.run([sys.executable, "-m", "unittest", "discover", "-s", str(HERE),
                           "-t", str(HERE), "-p", path.name, *options],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def show(path, done):
    """Prints what a module said; whether all went well."""
    print(f"{path.stem}: {'ok' if done.returncode == 0 else 'FAILED'}\n{done.stdout}",
          flush=True)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--but", action="append", default=[])
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    parser.add_argument("names", nargs="*")
    args, options = parser.parse_args(words[:split]), words[split + 1:]
    if sys.version_info < (3, 9) or importlib.util.find_spec("numpy") is None:
        print(f"SKIP: {sys.executable} is no Python 3.9 or later with NumPy")
        return 77
    if sanitized():
        print("SKIP: the library has sanitizers in it, this Python has not")
        return 77
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    known = {path.stem[len("test_"):]: path for path in HERE.glob("test_*.py")}
    unknown = {*args.names, *args.but} - set(known)
    if unknown:
        parser.error(f"no such module: {' '.join(sorted(unknown))}")
    chosen = [known[name] for name in sorted(args.names or known) if name not in args.but]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {path: pool.submit(run, path, options)
                   for path in reversed(chosen)}  # threads, which takes longest, first
        failed = sum(not show(path, waiting[path].result()) for path in chosen)
    print(f"{len(chosen) - failed} modules passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
