#!/usr/bin/env python3
"""test_install.py ROOT BUILD [COMPILER FLAG...]: what `make install` puts in place works.

Installs into a scratch directory, checks that everything promised is there, compiles
examples/explain_callback.c and examples/study.c against it with pkg-config, and checks
what they answer.
"""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROMISED = ["bin/gpa", "bin/gpa-lab", "gpa/lab/prepare.sh",
            "gpa/lab/train.py", "include/gpa/gpa.h", "include/gpa/version.h", "libgpa.so",
            "libgpa.so.0", "libgpa.a", "pkgconfig/gpa.pc", "cmake/gpa/gpaConfig.cmake", "man1/gpa.1",
            "man3/libgpa.3", "man1/gpa-explain.1", "bash-completion/completions/gpa",
            "zsh/site-functions/_gpa", "fish/vendor_completions.d/gpa.fish"]

STRICT = ["-std=c17", "-Wall", "-Wextra", "-pedantic", "-Werror"]


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout


def find(root, ending):
    found = [p for p in root.rglob("*") if str(p).endswith("/" + ending)]
    if not found:
        sys.exit(f"not installed: {ending}")
    return found[0]


def check_command(root):
    version = run([find(root, "bin/gpa"), "--version"])
    header = find(root, "include/gpa/version.h").read_text()
    number = re.search(r'GPA_VERSION "([\d.]+)"', header).group(1)
    if number not in version:
        sys.exit(f"gpa --version says {version!r}, the header {number}")
    if "planted" not in run([find(root, "bin/gpa"), "bench", "--help"]):
        sys.exit("gpa bench --help does not come from gpa-lab")


def check_packages(root, installed):
    """The Debian packages are of this version."""
    number = re.search(r'GPA_VERSION "([\d.]+)"',
                       find(installed, "include/gpa/version.h").read_text()).group(1)
    first = (root / "debian" / "changelog").read_text().split("\n")[0]
    if not first.startswith(f"libgpa ({number})"):
        sys.exit(f"debian/changelog says {first!r}, the header {number}")
    if f"\nVersion: {number}\n" not in (root / "bindings" / "r" / "DESCRIPTION").read_text():
        sys.exit(f"bindings/r/DESCRIPTION is not of version {number}")


def check_needed(root):
    """libcurl is loaded when a server is asked for, not before."""
    for name in "bin/gpa", "libgpa.so.0":
        if "libcurl" in run(["readelf", "-d", find(root, name)]):
            sys.exit(f"{name} cannot start without libcurl")


def answer(source, installed, compiler, *words):
    """What an example prints, built as its first lines say."""
    library = find(installed, "libgpa.so").parent
    env = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=str(installed),
               PKG_CONFIG_PATH=str(library / "pkgconfig"), LD_LIBRARY_PATH=str(library))
    flags = run(["pkg-config", "--cflags", "--libs", "gpa"], env=env).split()
    program = installed / source.stem
    run([*compiler, *STRICT, source, "-o", program, *flags, "-lm"])
    return run([program, *words], env=env)


CMAKE = """cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(gpa %s REQUIRED)
add_executable(explain_callback "%s")
target_link_libraries(explain_callback gpa::gpa m)
"""


def cmake_answer(source, installed, version):
    """The same by CMake, which must refuse a version that may differ."""
    work = installed / "by-cmake"
    work.mkdir()
    where = f"-DCMAKE_PREFIX_PATH={find(installed, 'cmake/gpa/gpaConfig.cmake').parents[4]}"
    (work / "CMakeLists.txt").write_text(CMAKE % (version, source))
    run(["cmake", "-S", work, "-B", work / "made", where])
    run(["cmake", "--build", work / "made"])
    for asked, there in ("", True), ("0.1.0 EXACT", True), ("0.1.9", False), ("0.0", False), \
            ("0.2", False), ("99.0", False):
        (work / "CMakeLists.txt").write_text(CMAKE % (asked, source))
        done = subprocess.run(["cmake", "-S", work, "-B", work / "other", where],
                              capture_output=True, check=False)
        if (done.returncode == 0) != there:
            sys.exit(f"find_package(gpa {asked}): exit {done.returncode}")
        shutil.rmtree(work / "other")
    return run([work / "made" / "explain_callback"])


def check_callback(text):
    """At x = (1/2, 0) and y = 1 the answer is (-1/6, 0): 2 cos(pi/3) = 1."""
    numbers = [float(v) for v in re.findall(r"-?\d+\.\d+", text)]
    off = [abs(n - want) for n, want in zip(numbers, (-1 / 6, 0, 1))]
    if len(numbers) != 3 or max(off[:2]) > 0.01 or off[2] > 0.05:
        sys.exit(f"expected delta about (-1/6, 0) and f about 1: {text}")
    print(text, end="")


def check_study(text, data):
    """Three rows, each with the outcome that the file has, and one of its inputs."""
    with open(data, newline="") as lines:
        rows = list(csv.DictReader(lines))
    found = re.findall(r"^row (\d+): observed ([\d.]+), predicted [\d.]+; most suspect: (\w+)$",
                       text, re.M)
    good = [float(y) == float(rows[int(row)]["progression"]) and name in rows[0]
            for row, y, name in found]
    if len(found) != 3 or not all(good):
        sys.exit(f"expected three rows of {data}: {text}")


def main():
    root, build = pathlib.Path(sys.argv[1]), sys.argv[2]
    compiler = sys.argv[3:] or ["cc"]
    with tempfile.TemporaryDirectory() as scratch:
        installed = pathlib.Path(scratch)
        run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", scratch])
        for ending in PROMISED:
            find(installed, ending)
        check_command(installed)
        check_packages(root, installed)
        check_needed(installed)
        examples, diabetes = root / "examples", root / "examples/diabetes"
        check_callback(answer(examples / "explain_callback.c", installed, compiler))
        if any(word.startswith("-fsanitize") for word in compiler):
            print("not by CMake, which knows nothing of the flags of this build")
        elif shutil.which("cmake") is None:
            print("SKIP: find_package(gpa): there is no cmake", flush=True)
        else:
            check_callback(cmake_answer(examples / "explain_callback.c", installed, "0.1"))
        check_study(answer(examples / "study.c", installed, compiler,
                           diabetes / "model.json", diabetes / "heldout.csv",
                           "progression"), diabetes / "heldout.csv")


if __name__ == "__main__":
    main()
