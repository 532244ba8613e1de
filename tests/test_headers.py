#!/usr/bin/env python3
"""test_headers.py c|c++ ROOT BUILD COMPILER...: each public header compiles alone.

Each is included twice in a file of its own, with warnings as errors. In C++ the
functions must keep their C names. Exit 77 (skipped) without a compiler.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = {"c": ["-xc", "-std=c17"], "c++": ["-xc++", "-std=c++11"]}
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-c"]


def functions(text):
    text = re.sub(r"/\*.*?\*/|^[ \t]*#[^\n]*", "", text, flags=re.S | re.M)
    return re.findall(r"\bGPA_API\b[^;{]*?\b(gpa_\w+)\s*\(", text)


def program(name, used):
    """A file that includes a header twice and refers to all its functions."""
    lines = [f"#include <gpa/{name}>"] * 2
    for i, function in enumerate(used):
        lines.append(f"extern void (*use_{i})(void);")
        lines.append(f"void (*use_{i})(void) = (void (*)(void)){function};")
    return "\n".join([*lines, "extern int end;", "int end = 0;", ""])


def check(compiler, language, includes, name, used, scratch):
    """The messages of one header; empty when all is well."""
    source, target = scratch / "header.src", scratch / "header.o"
    source.write_text(program(name, used))
    run = subprocess.run([*compiler, *FLAGS[language], *STRICT, *includes, str(source),
                          "-o", str(target)], capture_output=True, text=True)
    if run.returncode != 0:
        return run.stderr
    asked = subprocess.run(["nm", "-u", str(target)], check=True, capture_output=True,
                           text=True).stdout.split()
    return "\n".join(f"{f}: its C name is lost" for f in used if f not in asked)


def main():
    language, root, build = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    compiler = sys.argv[4:]
    if not compiler:
        print(f"no {language} compiler")
        return 77
    includes = [f"-I{root}/include", f"-I{build}/include"]
    failed, headers = 0, sorted((root / "include/gpa").glob("*.h*"))
    with tempfile.TemporaryDirectory() as scratch:
        for header in headers:
            name = header.name.replace(".h.in", ".h")
            text = check(compiler, language, includes, name,
                         functions(header.read_text()), pathlib.Path(scratch))
            print(f"{'FAIL' if text else 'ok'} gpa/{name}\n{text}".rstrip())
            failed += bool(text)
    return 1 if failed or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
