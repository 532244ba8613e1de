#!/usr/bin/env python3
"""test_r.py ROOT BUILD: the R package installs over the library of this build, and answers."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def main():
    root, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    if shutil.which("R") is None:
        print("SKIP: the R package: there is no R (r-base-core)", flush=True)
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "PKG_CONFIG_PATH": str(build / "meson-uninstalled"), "R_LIBS": folder,
               "LD_LIBRARY_PATH": str(build), "LC_ALL": "C.UTF-8", "GPA": str(build / "gpa"),
               "GPA_EXAMPLES": str(root / "examples" / "diabetes")}
        copy = pathlib.Path(folder, "source")  # objects stay out of the tree
        shutil.copytree(root / "bindings" / "r", copy)
        for command in (["R", "CMD", "INSTALL", "--no-multiarch", f"--library={folder}", copy],
                        ["Rscript", copy / "tests" / "explain.R"]):
            done = subprocess.run(command, env=env, cwd=folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                sys.exit(f"{done.stdout}\n{' '.join(map(str, command))}: exit {done.returncode}")
        if "all good" not in done.stdout:
            sys.exit(f"not to its end:\n{done.stdout}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
