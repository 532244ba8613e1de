#!/usr/bin/env python3
"""check_symbols.py LIBRARY.so ROOT: the shared library shows what the headers promise.

Exactly the functions marked GPA_API below ROOT/include, no more and no fewer;
docs/libgpa.3 names each of them, and debian/libgpa0.symbols says since when it is there.
"""
import pathlib
import re
import subprocess
import sys


def promised(root):
    """Names of the functions that the public headers declare."""
    names = set()
    for header in sorted((root / "include" / "gpa").glob("*.h*")):
        text = re.sub(r"/\*.*?\*/|^[ \t]*#[^\n]*", "", header.read_text(), flags=re.S | re.M)
        names.update(re.findall(r"\bGPA_API\b[^;{]*?\b(gpa_\w+)\s*\(", text))
    return names


def shown(library):
    """Names of the symbols that the shared library defines for others."""
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                         capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in out.splitlines()}


def explained(root):
    """Names of the functions that the man page has."""
    text = (root / "docs" / "libgpa.3").read_text()
    return set(re.findall(r"gpa_\w+", text.replace("\\-", "-")))


def packaged(root):
    """Names of the functions that the Debian package tells its users of."""
    text = (root / "debian" / "libgpa0.symbols").read_text()
    return set(re.findall(r"^ (gpa_\w+)@Base [\d.~]+$", text, re.M))


def main():
    library, root = sys.argv[1], pathlib.Path(sys.argv[2])
    want, have = promised(root), shown(library)
    # Sanitizer runtimes add symbols of their own, all reserved names.
    extra = {name for name in have - want if not name.startswith("__")}
    for name in sorted(want - have):
        print(f"declared but not in the library: {name}")
    for name in sorted(extra):
        print(f"in the library but not declared: {name}")
    silent = {n.replace("_init_sized", "_init") for n in want} - explained(root)
    for name in sorted(silent):
        print(f"not in docs/libgpa.3: {name}")
    for name in sorted(want - packaged(root)):
        print(f"not in debian/libgpa0.symbols: add the line ' {name}@Base VERSION'")
    for name in sorted(packaged(root) - want):
        print(f"in debian/libgpa0.symbols but not declared: {name}")
    print(f"{len(want)} functions promised, {len(have)} symbols shown")
    return 1 if want - have or extra or silent or want != packaged(root) or not want else 0


if __name__ == "__main__":
    sys.exit(main())
