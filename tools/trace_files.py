#!/usr/bin/env python3
"""Shows the source files that a command passes through, and counts them.

    tools/trace_files.py build/gpa explain --model examples/diabetes/model.json ...

Builds the program again below build-trace/, not optimised and with a call at the begin of
every function (-finstrument-functions), and runs it there with the same words. What the
program prints goes to standard error. Standard output gets each file of which a function was
entered, in order of first entry, with that function; headers count when a function that
they define was entered. The last line is `N files`. Needs what `make build` needs.

--calls lists every function instead of the first of each file.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-trace"


def run(*words):
    """What only prepares: silent unless it fails. Without ccache, which may hand out what
    was compiled in another folder, with the names of that folder's files in it."""
    done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, cwd=ROOT,
                          env={**os.environ, "CCACHE_DISABLE": "1"})
    if done.returncode != 0:
        sys.exit(f"trace_files.py: {' '.join(map(str, words))}:\n{done.stdout}")
    return done.stdout


def same_program(path):
    """A program of some build directory, by its place in build-trace."""
    path = pathlib.Path(path).resolve()
    for folder in path.parents:
        if (folder / "build.ninja").exists():
            return BUILD / path.relative_to(folder)
    return BUILD / path.name


def build(program):
    tracer = BUILD / "trace_files.o"
    BUILD.mkdir(exist_ok=True)
    run(os.environ.get("CC", "cc"), "-O2", "-c", ROOT / "tools/trace_files.c", "-o", tracer)
    if not (BUILD / "build.ninja").exists():
        run("meson", "setup", BUILD, ROOT, "--buildtype=debug", "-Dtests=disabled",
            "-Dc_args=-finstrument-functions", f"-Dc_link_args={tracer}")
    run("ninja", "-C", BUILD, program.relative_to(BUILD))


def entered(program, words):
    """(program, address) of each function, in order of first entry."""
    with tempfile.TemporaryDirectory(prefix="gpa-trace-") as scratch:
        log = pathlib.Path(scratch, "log")
        status = subprocess.run([program, *words], stdout=sys.stderr,
                                env={**os.environ, "GPA_TRACE": str(log)}).returncode
        lines = log.read_text().splitlines() if log.exists() else []
    if status != 0:
        print(f"trace_files.py: the program ended with {status}", file=sys.stderr)
    return [tuple(line.split("\t")) for line in lines]


def locate(found):
    """(function, file) of each. All belong to the tree: only what was compiled here calls
    the tracer."""
    places = {}
    for program in dict.fromkeys(program for program, _ in found):
        asked = [address for where, address in found if where == program]
        done = subprocess.run(["addr2line", "-f", "-e", program], input="\n".join(asked),
                              stdout=subprocess.PIPE, text=True, check=True)
        lines = done.stdout.splitlines()
        places.update(zip(((program, a) for a in asked), zip(lines[::2], lines[1::2])))
    for key in found:
        function, place = places[key]
        path = pathlib.Path(os.path.normpath(BUILD / place.rsplit(":", 1)[0]))
        if ROOT not in path.parents:
            sys.exit(f"trace_files.py: {function} is in {place}, not below {ROOT}; "
                     f"remove {BUILD} and try again")
        yield function, path.relative_to(ROOT).as_posix()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", action="store_true", help="every function")
    parser.add_argument("program")
    parser.add_argument("words", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    program = same_program(args.program)
    build(program)
    files = {}
    for function, path in locate(entered(program, args.words)):
        if args.calls or path not in files:
            print(f"{path:40} {function}")
        files[path] = function
    print(f"{len(files)} files")
    return 0 if files else 1


if __name__ == "__main__":
    sys.exit(main())
