#!/usr/bin/env python3
"""Runs a script with cells (# %%) and writes it with what it shows as a page.

render.py SCRIPT.py OUT.html

Of each cell the page has the source, what it printed, and the value of its last line: as
HTML if it can show itself so, else as text.
"""
import ast
import contextlib
import html
import io
import re
import sys

STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:56em;margin:2em auto;padding:0 1em;
color:#222;background:#fff}pre{background:#f5f5f3;padding:.7em 1em;overflow-x:auto;
font:13px/1.45 ui-monospace,monospace;border-radius:4px}pre.out{background:none;padding-top:0;white-space:pre-wrap}
code{font:0.9em ui-monospace,monospace}svg{max-width:100%;height:auto}"""


def cells(text):
    """(is it text?, its lines) of each cell."""
    for piece in re.split(r"^# %%", text, flags=re.M)[1:]:
        head, _, body = piece.partition("\n")
        yield "[markdown]" in head, body.strip("\n")


def inline(text):
    text = html.escape(text, quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)


def prose(body):
    """The little Markdown that such cells use: headings and paragraphs."""
    lines = "\n".join(re.sub(r"^# ?", "", line) for line in body.splitlines())
    for block in re.split(r"\n\s*\n", lines):
        head = re.match(r"(#+) (.*)", block)
        if head:
            level = len(head.group(1))
            yield f"<h{level}>{inline(head.group(2))}</h{level}>"
        elif block.strip():
            yield f"<p>{inline(block)}</p>"


def run(source, scope, name):
    """Runs a cell; gives what it printed and the value of its last expression."""
    tree, value, printed = ast.parse(source, name), None, io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), scope)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), scope)
    return printed.getvalue(), value


def shown(value):
    if value is None:
        return ""
    if hasattr(value, "_repr_html_"):
        return f"<div>{value._repr_html_()}</div>"
    return f"<pre class=\"out\">{html.escape(repr(value), quote=False)}</pre>"


def render(text, name):
    scope, parts = {"__name__": "__main__"}, []
    for is_text, body in cells(text):
        if is_text:
            parts += prose(body)
            continue
        parts.append(f"<pre>{html.escape(body, quote=False)}</pre>")
        printed, value = run(body, scope, name)
        if printed:
            parts.append(f"<pre class=\"out\">{html.escape(printed, quote=False)}</pre>")
        parts.append(shown(value))
    title = re.search(r"^# # (.*)", text, re.M)
    return ("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>"
            f"{html.escape(title.group(1) if title else name)}</title><style>{STYLE}</style>"
            "</head><body>\n" + "\n".join(part for part in parts if part)
            + "\n</body></html>\n")


def main():
    script, out = sys.argv[1:]
    with open(script, encoding="utf-8") as file:
        page = render(file.read(), script)
    with open(out, "w", encoding="utf-8", newline="\n") as file:
        file.write(page)


if __name__ == "__main__":
    main()
