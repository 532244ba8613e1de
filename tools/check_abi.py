#!/usr/bin/env python3
"""check_abi.py LIBRARY.so ROOT: programs built against the last release still run.

Builds the library of the last git tag (v1.2.3 or 1.2.3) and compares both with abidiff and
the public headers. What breaks programs is allowed only where docs/abi.md says so: with a new
minor version before 1.0, with a new major version, and so a new soname, after it. Without a
tag, git or abidiff it says so and ends with 0.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BREAKS = 8  # a bit of abidiff's exit status: incompatible


def skip(why):
    print(f"SKIP: the ABI is not compared: {why}", flush=True)
    sys.exit(0)


def last_tag(root):
    """The newest tag that is a version, of the commits before this one."""
    done = subprocess.run(["git", "-C", root, "describe", "--tags", "--abbrev=0",
                           "--match", "[0-9]*.[0-9]*", "--match", "v[0-9]*.[0-9]*"],
                          capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def numbers(text):
    return [int(n) for n in re.search(r"(\d+)\.(\d+)", text).groups()]


def build(root, tag, work):
    """The library of the tag, with what abidiff needs to know types; its headers."""
    tree = work / "tree"
    archive = subprocess.run(["git", "-C", root, "archive", tag], check=True,
                             stdout=subprocess.PIPE).stdout
    tree.mkdir()
    subprocess.run(["tar", "-x", "-C", tree], input=archive, check=True)
    made = work / "made"
    subprocess.run(["meson", "setup", made, tree, "-Dtests=disabled"], check=True,
                   stdout=subprocess.DEVNULL)
    version = re.search(r"version: '([\d.]+)'", (tree / "meson.build").read_text()).group(1)
    subprocess.run(["ninja", "-C", made, f"libgpa.so.{version}"], check=True,
                   stdout=subprocess.DEVNULL)
    return made / "libgpa.so", tree / "include"


def main():
    library, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    if shutil.which("abidiff") is None:
        skip("there is no abidiff (abigail-tools)")
    tag = last_tag(root)
    if tag is None:
        skip("there is no tag of a version to compare with")
    version = re.search(r"version: '([\d.]+)'", (root / "meson.build").read_text()).group(1)
    old, new = numbers(tag), numbers(version)
    with tempfile.TemporaryDirectory() as folder:
        before, headers = build(root, tag, pathlib.Path(folder))
        done = subprocess.run(["abidiff", "--headers-dir1", headers, "--headers-dir2",
                               root / "include", "--drop-private-types", before, library])
    may = old[0] != new[0] or (new[0] == 0 and old[1] != new[1])
    print(f"compared with {tag}: "
          + ("programs break" if done.returncode & BREAKS else
             "the same" if done.returncode == 0 else "only additions"))
    if done.returncode & BREAKS and not may:
        sys.exit(f"version {version} must not break what {tag} promised: docs/abi.md")
    return 1 if done.returncode & 3 else 0  # abidiff itself failed


if __name__ == "__main__":
    sys.exit(main())
