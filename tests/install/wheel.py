#!/usr/bin/env python3
"""wheel.py: the source archive builds, and its wheel works in an empty environment.

A copy of the tree makes the source archive and is removed; the archive makes the wheel, and
what it was unpacked into is removed, too. The wheel goes into an environment that has
nothing but pip and NumPy (the system's: there may be no network), explains, and takes the
library that it brought.
"""
import pathlib
import shutil
import sys
import tempfile
import zipfile

from steps import ANSWER, EXAMPLE, copy_tree, expect, step

EXPLAIN = """
import gpa
e = gpa.explain({model!r}, {data!r}, target="progression", rows=[10], freeze=["age", "sex"])
print(e)
print("library:", *{{l.split()[-1] for l in open("/proc/self/maps") if "libgpa" in l}})
"""


def lend_numpy(environment):
    """Debian's NumPy, alone: the environment sees no other package of the system."""
    import numpy
    installed = pathlib.Path(numpy.__file__).parents[1]
    site = next(environment.glob("lib/python3*/site-packages"))
    for path in installed.glob("numpy*"):
        (site / path.name).symlink_to(path)


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        copy_tree(work / "tree")
        (work / "dist").mkdir()
        step([sys.executable, "-c", "import backend; backend.build_sdist('../../../dist')"],
             cwd=work / "tree" / "bindings" / "python")
        shutil.rmtree(work / "tree")
        archive, = (work / "dist").glob("*.tar.gz")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
        step([*pip, "wheel", "--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir",
              work / "dist", archive], cwd=folder)
        wheel, = (work / "dist").glob("*.whl")
        print(f"          {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB")
        expect("-py3-none-manylinux_2_", wheel.name)
        names = " ".join(zipfile.ZipFile(wheel).namelist())
        for package in "nettle", "libprotobuf-c", "zlib1g", "libzstd", "libsnappy", "libsqlite3":
            expect(f"licenses/{package}-dev", names)
        environment = work / "environment"
        step([sys.executable, "-m", "venv", environment])
        lend_numpy(environment)
        python = environment / "bin" / "python"
        step([python, "-m", "pip", "--disable-pip-version-check", "install", "--no-index",
              wheel], cwd=folder)
        text = step([python, "-c", EXPLAIN.format(model=str(EXAMPLE / "model.json"),
                                                  data=str(EXAMPLE / "spoilt.csv"))], cwd=folder)
        expect(ANSWER, text)
        expect(f"library: {environment}", text)
        step([python, "-m", "pip", "--disable-pip-version-check", "uninstall", "--yes", "gpa"])
        left = [str(p) for p in environment.rglob("*") if p.name.startswith(("gpa", "libgpa"))]
        if left:
            sys.exit(f"left behind: {left}")


if __name__ == "__main__":
    main()
