#!/usr/bin/env python3
"""Turns style sheets and scripts into a C file: embed.py OUT FILE...
or the files of a page, byte for byte: embed.py --assets OUT FILE...

page.css becomes `const char gpai_page_css[]`. Comments go, and so does the white space
that means nothing, since every page and picture carries these bytes; an empty line of a
style sheet stays as one line end. Only what our own files need is understood: every statement of a script
ends with a semicolon, and there are neither regular expressions nor templates in it.
"""
import hashlib
import pathlib
import re
import sys

STRING = r'"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])*'"
PIECES = re.compile(rf"(?P<string>{STRING})|(?P<comment>/\*.*?\*/[ \t]*\n?|//[^\n]*)"
                    r"|(?P<blank>\s+)|(?P<other>.)", re.S)
WORD = re.compile(r"[\w$]")


def joined_css(before, after):
    """Whether a blank between two characters of a style sheet means nothing."""
    return before in "{};,>+/:" or after in "{};,>+/"


def joined_js(before, after):
    return not (WORD.match(before) and WORD.match(after)) and before + after not in (
        "++", "--")


def squeeze(text, joined, empty_line):
    """The text without comments and needless blanks."""
    out, pending = "", ""
    for match in PIECES.finditer(text.strip()):
        piece = match.group(0)
        if match.lastgroup == "comment":
            continue
        if match.lastgroup == "blank":
            pending += piece
            continue
        if pending.count("\n") > 1 and empty_line:
            out += empty_line
        elif pending and out and not joined(out[-1], piece[0]):
            out += " "
        out, pending = out + piece, ""
    return out


def squeeze_css(text):
    return squeeze(text, joined_css, "\n").replace(";}", "}")  # no last semicolon


def squeeze_js(text):
    if "`" in text:
        sys.exit("embed.py: a template in a script")
    return squeeze(text, joined_js, "")


def literal(text, width=80):
    """The text as C string literals, a few to read if need be."""
    parts = [text[i:i + width] for i in range(0, len(text), width)]
    escaped = (p.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
               for p in parts)
    return "\n".join(f'    "{p}"' for p in escaped)


TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
         ".png": "image/png", ".ico": "image/x-icon"}


def assets(to, names):
    """The files as they are, with the types they are served as, and a digest of each."""
    out, table = '#include "serve/assets.h"\n', ""
    for i, path in enumerate(sorted(map(pathlib.Path, names), key=lambda p: p.name)):
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()[:16]
        rows = [", ".join(str(b) for b in data[k:k + 24]) for k in range(0, len(data), 24)]
        out += f"\nstatic const unsigned char BYTES_{i}[] = {{ /* {path.name} */\n"
        out += ",\n".join(f"    {row}" for row in rows) + ", 0};\n"
        table += (f'    {{"{path.name}", "{TYPES[path.suffix]}", "\\"{digest}\\"", '
                  f"BYTES_{i}, {len(data)}}},\n")
    out += f"\nconst struct asset ASSETS[] = {{\n{table}    {{0}}}};\n"
    out += f"const size_t N_ASSETS = {len(names)};\n"
    pathlib.Path(to).write_text(out, encoding="ascii")


def main():
    if sys.argv[1] == "--assets":
        assets(sys.argv[2], sys.argv[3:])
        return
    out = '#include "report/embedded.h"\n'
    for name in sys.argv[2:]:
        path = pathlib.Path(name)
        text = path.read_text(encoding="ascii")
        text = squeeze_js(text) if path.suffix == ".js" else squeeze_css(text)
        out += f"\nconst char gpai_{path.stem}_{path.suffix[1:]}[] =\n{literal(text)};\n"
    pathlib.Path(sys.argv[1]).write_text(out, encoding="ascii")


if __name__ == "__main__":
    main()
