#!/usr/bin/env python3
"""Checks who includes and calls whom, who may print, allocate or keep state, and that no
folder is crowded (docs/design.md).

check_layers.py ROOT         prints each violation as file:line: what; exit 1 on any
check_layers.py --self-test  plants violations in a scratch tree; each must be found
"""
import pathlib
import re
import sys
import tempfile

# What a room may include besides itself and the public headers: rooms, single headers, or
# with a star the headers of a room but not of its corners.
ALLOWED = {
    "base": [],
    "data": ["base/"],
    "model": ["base/", "data/"],
    "result": ["base/"],
    "engine": ["base/", "result/", "model/model.h"],
    "methods": ["base/", "result/", "engine/*", "model/model.h"],
    "study": ["base/", "data/", "result/", "engine/explain.h", "methods/", "model/model.h"],
    "report": ["base/", "data/", "result/"],
    "console": ["base/", "study/", "report/"],
    "cli": ["base/", "study/", "report/", "console/", "serve/serve.h", "watch/watch.h"],
    "serve": ["base/", "data/", "study/", "report/", "console/"],
    "watch": ["base/", "data/", "study/", "report/", "console/"],
    "lab": ["base/", "study/", "report/", "console/"],
}
# Not the library: these may call any public function, use streams and end the process.
PROGRAMS = {"console", "cli", "serve", "watch", "lab"}
BESIDE = {"lab"}  # rooms that lie beside src/
# A folder in a room is a corner of it. It may include the room's own headers and, of the
# other corners, those named here; "" is the room itself, which knows no corner unless named.
KNOWS = {
    "base": {"": ["math"]},
    "data": {"": ["live", "packed", "parquet"]},
    "model": {"onnx": ["trees"]},
    "engine": {"": ["culprit", "map", "marginals", "math"], "culprit": ["math"],
               "map": ["math"], "marginals": ["math"], "surrogate": ["math", "marginals"]},
    "methods": {"": ["linear"]},
    "lab": {"": ["paper", "planted"]},
    "report": {"table": ["words"], "json": ["words"], "plot": ["draw", "words"],
               "html": ["words", "draw", "plot", "json"], "saved": ["json"]},
    "serve": {"": ["ask", "http", "rows"], "ask": ["http"]},
    "watch": {"": ["lines"]},
}
CROWD = 25  # files in a folder
PURE = {"engine/math"}  # corners that know nothing of their room
USERS = {"bench": True, "examples": False}  # may one include headers of its own?
STANDARD_C = {"assert", "complex", "ctype", "errno", "fenv", "float", "inttypes",
              "limits", "locale", "math", "setjmp", "signal", "stdalign", "stdarg",
              "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib",
              "stdnoreturn", "string", "time"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
STREAMS = re.compile(r"(?<!format\()\b(?:FILE|f(?:d|re)?open|fclose|fread|fwrite|fflush|"
                     r"fgets|getline|getdelim|v?f?printf|f?puts|f?putc|putchar|f?getc|"
                     r"getchar|perror|popen|tmpfile|stdin|stdout|stderr)\b")
MEMORY = re.compile(r"\b(?:malloc|calloc|realloc|free|strdup|strndup|alloca)\s*\(")
ENDING = re.compile(r"\b(?:exit|abort|_Exit|quick_exit)\s*\(")
STATE = re.compile(r"^[ \t]*(?:static|_Thread_local)\s+(?!const\b|inline\b)"
                   r"(?![^;={(]*\bconst\s+\w+\s*(?:\[|=))[^;={(]*[;=]", re.M)
PUBLIC = re.compile(r"\bgpa_\w+")
DECLARED = re.compile(r"\bGPA_API\b[^;]*?\b(gpa_\w+)\s*\(")
DEFINED = re.compile(r"^(?!static\b)[A-Za-z_][\w\s*]*?\b(gpa_\w+)\s*\([^;{}]*\)\s*\{", re.M)
LISTED = re.compile(r"^GET\w*\([\w\s*]+,\s*(gpa_\w+),", re.M)  # made by a macro
SIGNAL_STATE = re.compile(STATE.pattern.replace("(?!const", r"(?![^;={(]*volatile|const"),
                          re.M)  # a signal handler has no other way to know anything


def blank(match):
    """Whitespace of the same shape, so that line numbers stay."""
    return re.sub(r"[^\n]", " ", match.group(0))


STRING = r'"(?:\\.|[^"\\\n])*"'


def without_comments(text):
    """Blanks comments; a string that looks like one stays."""
    return re.sub(STRING + r"|/\*.*?\*/|//[^\n]*",
                  lambda m: m.group(0) if m.group(0)[0] == '"' else blank(m), text,
                  flags=re.S)


def without_strings(text):
    return re.sub(STRING, blank, text)


def includes(text):
    """(line, bracket, name) of each include."""
    return [(text.count("\n", 0, m.start(1)) + 1, m.group(1), m.group(2))
            for m in INCLUDE.finditer(text)]


def check_public(path, text):
    for line, _, name in includes(text):
        stem = name[:-2]
        if not name.startswith("gpa/") and stem not in STANDARD_C:
            yield line, f"a public header may not include {name}"


def may_include(room, corner, name):
    """Whether a file in a corner ("": the room itself) may include a private header."""
    parts = name.split("/")
    if parts[0] != room:
        return any(name.startswith(a[:-1]) and "/" not in name[len(a) - 1:]
                   if a.endswith("*") else name.startswith(a) for a in ALLOWED[room])
    other = parts[1] if len(parts) > 2 else ""
    if other in (corner, *KNOWS.get(room, {}).get(corner, ())):
        return True
    return other == "" and f"{room}/{corner}" not in PURE


def check_room_includes(path, room, corner, text):
    for line, bracket, name in includes(text):
        if bracket == '"' and not may_include(room, corner, name):
            yield line, f"{room}{'/' + corner if corner else ''} may not include {name}"
        if bracket == "<" and name.split("/")[0] in ALLOWED:
            yield line, f'private header {name} belongs in ""'


def check_own_header(path, folder, text):
    """`folder` is a room, or a corner of it."""
    own = f"{folder}/{path.stem}.h"
    found = includes(text)
    if path.suffix == ".c" and path.with_suffix(".h").exists():
        if not found or found[0][2] != own:
            yield found[0][0] if found else 1, f"the first include must be {own}"


def check_manners(path, room, text):
    """What only some files may do: streams, memory, ending the process, state."""
    unit = f"{room}/{path.name}"
    code = without_strings(text)
    program = room in PROGRAMS
    rules = [(STREAMS, program or unit == "data/slurp.c", "uses a stream"),
             (MEMORY, program or unit == "base/alloc.c", "bypasses base/alloc.h"),
             (ENDING, program, "may end the process"),
             (SIGNAL_STATE if program else STATE, unit in ("base/alloc.c", "base/cpu.c"),
              "has static mutable data")]
    for pattern, exempt, what in rules:
        for match in () if exempt else pattern.finditer(code):
            line = code.count("\n", 0, match.start()) + 1
            yield line, f"{what}: {match.group(0).strip()}"


def implementers(root):
    """The room that implements each public function; None where there is no such."""
    public, found = {}, {}
    for path in sources(root / "include"):
        public.update(dict.fromkeys(DECLARED.findall(code_of(path))))
    for path in sources(root / "src"):
        if path.suffix == ".c":
            room = path.relative_to(root).parts[1]
            code = code_of(path)
            found.update(dict.fromkeys(DEFINED.findall(code) + LISTED.findall(code), room))
    return {name: found.get(name) for name in public}


def check_calls(room, text, implemented):
    """A public header is no way around the table: what it declares lives in a room, too."""
    if room in PROGRAMS:
        return
    allowed = {room, None, *(a.split("/")[0] for a in ALLOWED[room])}
    code = without_strings(text)
    for match in PUBLIC.finditer(code):
        owner = implemented.get(match.group(0))
        if owner not in allowed:
            line = code.count("\n", 0, match.start()) + 1
            yield line, f"{room} may not call {match.group(0)}, which is in {owner}"


def is_own(path, name):
    """A header beside the file; one that only a search path finds is somebody else's."""
    return "/" not in name and name.endswith(".h") and (path.parent / name).is_file()


def check_user(path, own, text):
    for line, bracket, name in includes(text):
        private = name.split("/")[0] in ALLOWED
        if private or bracket == '"' and not (own and is_own(path, name)):
            yield line, f"{name}: only public headers{' and its own' if own else ''} here"


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".h"))


def code_of(path):
    return without_strings(without_comments(path.read_text(encoding="utf-8")))


def place(root, path):
    """The folders of a room that a file is in: (room, corner, ...); () when in none."""
    parts = path.relative_to(root).parts[:-1]
    inside = parts[1:] if parts[0] == "src" else parts
    fits = inside[:1] and inside[0] in ALLOWED and (parts[0] != "src") == (inside[0] in BESIDE)
    return inside if fits and len(inside) <= 3 else ()


def check_file(root, path, implemented):
    parts = path.relative_to(root).parts
    room, *corner = place(root, path) or [""]
    text = without_comments(path.read_text(encoding="utf-8"))
    if parts[0] == "include":
        yield from check_public(path, text)
    elif parts[0] in USERS:
        yield from check_user(path, USERS[parts[0]], text)
    elif room == "":
        yield 1, "not in a room of src/"
    else:
        yield from check_room_includes(path, room, corner[0] if corner else "", text)
        yield from check_own_header(path, "/".join([room, *corner]), text)
        yield from check_manners(path, room, text)
        yield from check_calls(room, text, implemented)


def check_lists(root):
    """A source, test or header that no list names is never built or installed."""
    rooms = [*sorted((root / "src").iterdir()), *(root / name for name in sorted(BESIDE))]
    lists = [(folder.relative_to(root).as_posix(), "**/*.c")
             for folder in rooms if folder.is_dir()]
    for folder, pattern in [*lists, ("tests", "test_*.c"), ("include/gpa", "*.h")]:
        path = root / folder / "meson.build"
        text = path.read_text() if path.exists() else ""
        for source in sorted((root / folder).glob(pattern)):
            name = source.relative_to(root / folder).as_posix()
            named = [name, name[len("test_"):-len(".c")]]
            if not any(f"'{n}'" in text for n in named):
                yield f"{source.relative_to(root)}:1: not in {folder}/meson.build"


def room_sources(root):
    return [path for top in ("src", *sorted(BESIDE)) for path in sources(root / top)]


def check_crowds(root):
    """One look must take a folder in."""
    for top in ("src", "bindings", *sorted(BESIDE)):
        for folder in sorted([root / top, *(root / top).rglob("*")]):
            if not folder.is_dir() or folder.name == "__pycache__":
                continue
            name = folder.relative_to(root).as_posix()
            count = sum(p.is_file() for p in folder.iterdir())
            if count > CROWD:
                yield f"{name}:1: {count} files, at most {CROWD}"


def check_implemented(root, implemented):
    missing = {name for name, room in implemented.items() if room is None}
    for path in sources(root / "include") if missing else ():
        for name in sorted(missing & set(DECLARED.findall(code_of(path)))):
            yield f"{path.relative_to(root)}:1: nobody implements {name}"


def check_map(root):
    """Every file stands on the map, below the heading of its folder."""
    text = (root / "docs/design.md").read_text(encoding="utf-8")
    folders = {}
    for part in re.split(r"^#+ ", text, flags=re.M):
        name = part.split("\n", 1)[0].split(" ")[0]
        folders[name] = folders.get(name, "") + part
    for path in room_sources(root):
        folder = "/".join(place(root, path))
        if not any(f"`{name}`" in folders.get(folder, "") for name in (path.stem, path.name)):
            yield f"{path.relative_to(root)}:1: not in docs/design.md below {folder}"
    for folder, part in folders.items():  # and nothing else does
        home = root / ("" if folder.split("/")[0] in BESIDE else "src") / folder
        rows = re.findall(r"^\| ((?:`[\w.]+`(?:, )?)+) \|", part, flags=re.M)
        for name in re.findall(r"`([\w.]+)`", " ".join(rows)) if home.is_dir() else ():
            if not any((home / (name + ending)).exists() for ending in ("", ".c", ".h")):
                yield f"docs/design.md:1: no {name} in {folder}"


def check_tree(root):
    """All violations of a tree, and how many files were read."""
    files = room_sources(root)
    files += [p for top in ["include", *USERS] for p in sources(root / top)]
    implemented = implementers(root)
    found = [f"{p.relative_to(root)}:{line}: {what}"
             for p in files for line, what in check_file(root, p, implemented)]
    found += [*check_lists(root), *check_map(root), *check_crowds(root),
              *check_implemented(root, implemented)]
    return found, len(files)


CLEAN = {
    "include/gpa/a.h": "#include <gpa/b.h>\n#include <stddef.h>\n"
                       "GPA_API GPA_CHECKED int\ngpa_solve(int x);\n"
                       "GPA_API const char *gpa_name(void);\nGPA_API int gpa_draw(void);\n"
                       "GPA_API const int *gpa_count(int i);\nGPA_API int gpa_at(int i);\n",
    "src/base/alloc.c": '#include "base/alloc.h"\nstatic int hook;\n'
                        "void f(void) { free(0); }\n",
    "src/base/alloc.h": "",
    "src/engine/e.c": '#include "engine/e.h"\n#include "base/alloc.h"\n'
                      '#include "model/model.h"\n#include <gpa/a.h>\n#include <stdio.h>\n'
                      "static const int t[] = {1};\nstatic int f(int x) { return x; }\n"
                      '/* free(x) to stderr */ char *s = "stdout"; // FILE\n'
                      'static const char *const names[] = {"a"};\n'
                      "static double\nwide(int n)\n{ int x; for (x = 0; x < n; x++); }\n",
    "src/engine/e.h": "",
    "src/engine/door.c": '#include "engine/math/m.h"\n'
                         "int gpa_solve(int x)\n{\n    return x;\n}\n",
    "src/result/name.c": 'const char *gpa_name(void)\n{\n    return "gpa_solve";\n}\n',
    "src/result/list.c": "GET(const int *, gpa_count, &e->n)\nGET_AT(int, gpa_at,\n       e->a[i])\n",
    "src/report/says.c": "/* gpa_solve */ const char *f(void) { return gpa_name(); }\n"
                         "int gpa_draw(void)\n{\n    return 0;\n}\n",
    "src/study/s.c": '#include "methods/m.h"\nint gpa_study(void) { return 0; }\n',
    "src/console/out.c": '#include "console/out.h"\n#include "report/r.h"\nFILE *f;\n',
    "src/console/out.h": "",
    "src/serve/s.c": '#include "console/out.h"\nint f(void) { return gpa_solve(1); }\n',
    "src/watch/w.c": '#include "study/s.h"\n#include "base/alloc.h"\n',
    "lab/main.c": '#include "lab/main.h"\n#include "study/s.h"\n#include "console/out.h"\n'
                  "int main(void) { puts(gpa_name()); exit(gpa_solve(1)); }\n",
    "lab/main.h": "",
    "lab/corner/c.c": '#include "lab/corner/c.h"\n#include "lab/main.h"\n',
    "lab/corner/c.h": "",
    **{f"bindings/python/p{i}.py": "" for i in range(CROWD)},
    "src/engine/math/m.c": '#include "engine/math/m.h"\n#include "base/alloc.h"\n',
    "src/engine/math/m.h": "",
    "src/engine/map/o.c": '#include "engine/map/o.h"\n#include "engine/e.h"\n#include "engine/math/m.h"\n',
    "src/engine/map/deep/d.c": '#include "engine/map/o.h"\n',
    "src/engine/map/o.h": "",
    "src/methods/m.c": '#include "engine/e.h"\nint f(void) { return gpa_solve(1); }\n',
    "src/data/slurp.c": "FILE *f;\n",
    "src/model/corner/c.c": '#include "model/corner/c.h"\n#include "model/top.h"\n',
    "src/model/corner/c.h": "",
    "src/model/top.h": "",
    "src/cli/main.c": '#include "cli/args.h"\n#include <gpa/a.h>\n'
                      "static volatile sig_atomic_t caught;\n"
                      "static char *volatile unfinished[2];\n"
                      "int main(void) { exit(1); }\n",
    "bench/own.c": '#include "own.h"\n#include <gpa/a.h>\n',
    "bench/own.h": "#include <gpa/a.h>\n",
    "examples/x/y.c": "#include <gpa/a.h>\n",
    "examples/x/y.h": "",
}
def crowd(folder, ending):
    return {f"{folder}/c{i}{ending}": "" for i in range(CROWD + 1)}


# One fault each, a file or several, and the name by which it must be found.
PLANTED = {
    "src/report/calls.c": "int f(void) { return gpa_solve(1); }\n",
    "src/report/points.c": "int (*f)(int) = gpa_solve;\n",
    "src/report/calls.h": "static inline int f(void) { return gpa_solve(1); }\n",
    "src/study/calls.c": "int f(void) { return gpa_draw(); }\n",
    "src/engine/calls.c": "int f(void) { return gpa_draw(); }\n",
    "src/data/counts.c": "int f(void) { return *gpa_count(0); }\n",
    "src/data/picks.c": "int f(void) { return gpa_at(0); }\n",
    "include/gpa/ghost.h": "GPA_API int gpa_ghost(void);\n",
    "src/study/bad.c": '#include "engine/e.h"\n',
    "src/study/prints.c": 'void f(void) { puts("x"); }\n',
    "src/report/asks.c": '#include "study/s.h"\n',
    "src/console/bad.c": '#include "methods/m.h"\n',
    "src/console/climbs.c": '#include "cli/args.h"\n',
    "src/serve/bad.c": '#include "watch/w.h"\n',
    "src/watch/bad.c": '#include "serve/s.h"\n',
    "src/watch/counts.c": "static int calls;\n",
    "src/cli/guest.c": '#include "lab/main.h"\n',
    "src/lab/misplaced.c": "",
    "lab/bad.c": '#include "engine/e.h"\n',
    "lab/guest.c": '#include "cli/args.h"\n',
    "lab/counts.c": "static int calls;\n",
    "lab/main.c": '#include "study/s.h"\n#include "lab/main.h"\n',
    "lab/unlisted.c": "",
    "lab/corner/unmapped.h": "",
    "src/report/crowd": crowd("src/report/crowd", ".h"),
    "lab/crowd": crowd("lab/crowd", ".h"),
    "bindings/python/crowd": crowd("bindings/python/crowd", ".py"),
    "include/gpa/bad.h": "#include <jansson.h>\n",
    "src/base/bad.c": '#include "data/csv.h"\n',
    "src/data/bad.c": '#include "model/model.h"\n',
    "src/model/bad.c": '#include "engine/e.h"\n',
    "src/engine/bad.c": '#include "model/plugin.h"\n',
    "src/methods/bad.c": '#include "report/text.h"\n',
    "src/report/bad.c": '#include "engine/e.h"\n',
    "src/cli/bad.c": '#include "engine/e.h"\n',
    "src/engine/marginals/bad.c": '#include "engine/map/o.h"\n',
    "src/engine/math/bad.c": '#include "engine/e.h"\n',
    "src/methods/corner.c": '#include "engine/math/m.h"\n',
    "src/engine/angle.c": "#include <base/alloc.h>\n",
    "src/engine/e.c": '#include "base/alloc.h"\n#include "engine/e.h"\n',
    "src/engine/prints.c": 'void f(void) { fprintf(stderr, "x"); }\n',
    "src/engine/opens.c": 'char *u = "http://x"; void *f = fopen;\n',
    "src/report/allocates.c": "void *f(void) { return malloc(1); }\n",
    "src/report/exits.c": "void f(void) { abort(); }\n",
    "src/model/counts.c": "static int calls;\n",
    "src/model/counts2.c": "int f(void)\n{\n    static double last = 0;\n}\n",
    "src/model/counts3.c": "static volatile int calls;\n",
    "src/cli/counts.c": "static int calls;\n",
    "src/model/other/o.c": '#include "model/corner/c.h"\n',
    "src/model/climbs.c": '#include "model/corner/c.h"\n',
    "src/model/corner/first.c": '#include "engine/e.h"\n',
    "src/model/corner/c.c": '#include "model/top.h"\n#include "model/corner/c.h"\n',
    "src/odd/x.c": "",
    "src/loose.c": "",
    "bench/bad.c": '#include "base/rng.h"\n',
    "bench/own.h": '#include "base/alloc.h"\n',
    "bench/angle.c": "#include <base/alloc.h>\n",
    "bench/climbs.c": '#include "../src/base/alloc.h"\n',
    "bench/elsewhere.c": '#include "alloc.h"\n',
    "bench/source.c": '#include "own.c"\n',
    "examples/bad.c": "#include <engine/e.h>\n",
    "examples/x/bad.c": '#include "y.h"\n',
    "src/model/unlisted.c": "",
    "src/model/unmapped.h": "",
    "docs/design.md": "### engine\n| `e`, `gone` | what is no more |\n",
    "tests/test_unlisted.c": "",
    "include/gpa/unlisted.h": "",
}


def whole_tree(root, files):
    """The files, with meson lists that name all but the unlisted, and a map likewise."""
    rooms = {"/".join(name.split("/")[:2]) for name in files if name.count("/") > 1}
    rooms = {room for room in rooms if room.startswith("src/")} | BESIDE
    for folder in (*sorted(rooms - {"include/gpa"}), "tests", "include/gpa"):
        listed = [n for n in files if n.startswith(folder + "/") and "unlisted" not in n]
        files = {**files, f"{folder}/meson.build":
                 " ".join(f"'{n[len(folder) + 1:]}'" for n in listed)}
    folders = {}
    for name in files:
        path = pathlib.PurePath(name)
        if path.parts[0] in ("src", *BESIDE) and "unmapped" not in name:
            folder = "/".join(place(root, root / name))
            folders.setdefault(folder, []).append(path.stem)
    return {**files, "docs/design.md": files.get("docs/design.md", "") + "".join(
        f"### {folder}\n" + " ".join(f"`{n}`" for n in names) + "\n"
        for folder, names in folders.items())}


def change_tree(root, old, new):
    """Makes one set of files another, touching only what differs."""
    for name in set(old) - set(new):
        (root / name).unlink()
    for name, text in new.items():
        if old.get(name) != text:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)


def self_test():
    """The clean tree passes; with any one planted file exactly that file is named."""
    wrong, there = [], {}
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        for name in [None, *PLANTED]:
            fault = PLANTED[name] if name else {}
            fault = {name: fault} if isinstance(fault, str) else fault
            tree = whole_tree(root, {**CLEAN, **fault})
            change_tree(root, there, tree)
            there = tree
            found, _ = check_tree(root)
            if {line.split(":")[0] for line in found} != ({name} if name else set()):
                wrong.append(f"{name or 'the clean tree'}: found {found}")
    print("\n".join(wrong) if wrong else f"{len(PLANTED)} planted violations found")
    return 1 if wrong else 0


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if sys.argv[1] == "--self-test":
        return self_test()
    found, count = check_tree(pathlib.Path(sys.argv[1]))
    print("\n".join(found) if found else f"{count} files keep to the table")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
