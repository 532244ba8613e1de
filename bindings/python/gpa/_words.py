"""An explanation in words, printed and in notebooks: who, what would look normal, what changes
the reading."""
from __future__ import annotations

import html
import re
from typing import Any, Dict, List, NamedTuple

import numpy as np

from ._library import spoken
from ._plots import distributions, seen

MOST = 10  # inputs in a list
ROWS = 5  # explanations, and rows of one, that are named
SMALL = .01  # probabilities below need not be listed


class Suspect(NamedTuple):
    """A line of the answer."""

    p: float
    responsible: str
    name: str
    now: str
    normal: str  # what would look normal, if it alone is at fault


def named(e: Any, data: np.ndarray) -> np.ndarray:
    """Rows in which numbers that have names, as True has, are these."""
    found = {k: one for k, one in seen(e).items() if len(one.columns) == 1
             and len(one.values) and one.input.level_name}
    numbers = {k: one for k, one in found.items() if all(
        isinstance(v, (float, np.floating)) and v == v for v in np.atleast_2d(data)[:, k])}
    if not numbers:
        return data
    out = np.atleast_2d(data).astype(object)
    for k, one in numbers.items():
        out[:, k] = [one.called(v) for v in out[:, k]]
    return out


def answer(e: Any) -> Dict[str, Any]:
    """The words of one explanation, as the command's table and pages have them."""
    return e._items[0].answer(e._origin.info())


def normal_text(line: Dict[str, Any], several: bool) -> str:
    """What would look normal: a level, a value, or a change of the values of several rows."""
    if "p" not in line:
        return "held"
    would = line["would"].replace("–", "")  # no other level helps
    between = line["range"].replace(" … ", " to ")
    change = several and would[:1] in ("+", "−", "-")
    return "by " * change + would + f" ({between})" * bool(would and between)


def suspects(e: Any) -> List[Suspect]:
    """All inputs and the outcome, likeliest first; nothing without culprits."""
    several, chosen = len(e.rows) > 1, {k for one in seen(e).values() for k in one.columns}
    return [Suspect(line.get("p", 0.0), line.get("responsible", ""), line["label"],
                    "mean " * (several and number_like(line["now"])) + line["now"],
                    normal_text(line, several))
            for line in answer(e).get("lines", ())
            if "column" not in line or line["column"] in chosen]


def number_like(text: str) -> bool:
    return re.fullmatch(r"[−-]?[\d.]+(e[−+-]?\d+)?", text) is not None


def listed(found: List[Suspect]) -> List[Suspect]:
    """Those that are worth a line; three at least."""
    return [one for i, one in enumerate(found) if i < 3 or one.p >= SMALL][:MOST]


def who(e: Any) -> List[str]:
    found = suspects(e)
    shown = listed(found)
    if not shown:
        return []
    names = max(len(one.name) for one in shown)
    values = max(3, *[len(one.now) for one in shown])
    lines = [f"  responsible  {'input':{names}}  {'now':{values}}    would look normal (90 %)"]
    lines += [f"  {one.responsible:>11}  {one.name:{names}}  {one.now:{values}}"
              f"{'  → ' if one.normal and one.normal[:3] != 'by ' else '    '}{one.normal}"
              .rstrip() for one in shown]
    left = len(found) - len(shown)
    return lines + [f"  and {left} more, less likely"] * (left > 0)


def what(e: Any) -> str:
    ids = ", ".join(e.ids[:ROWS]) + (", ..." if len(e.ids) > ROWS else "")
    mean = "on average " if len(e.ids) > 1 else ""
    said = answer(e)
    return (f"{'row' if len(e.ids) == 1 else 'rows'} {ids}: {mean}{e.target} "
            f"{said['observed']}, predicted {said['predicted']}, score {said['score']}")


def notes_of(e: Any) -> List[str]:
    """With the command's options as arguments."""
    return [spoken(note.encode()) for note in e.notes]


def search(e: Any) -> List[str]:
    """How sure it is of the most probable change and its distributions; nothing where a note
    says that it is not."""
    if not e.converged:
        return []
    drawn = e._items[0].spread_known and e.ess == e.ess
    draws = f"; {int(e.ess)} effective draws" if drawn else ""
    return [f"converged after {e.iterations} iteration{'s' * (e.iterations != 1)}{draws}"]


def one_text(e: Any) -> str:
    verdict = e.verdict
    return "\n".join([what(e), *([verdict.text] if verdict else []), *who(e),
                      *[f"note: {note}" for note in notes_of(e)], *search(e)])


def text(e: Any) -> str:
    """What is printed."""
    if not e._items:
        return "<gpa.Explanation of nothing>"
    singles = e._singles()
    if len(singles) == 1:
        return one_text(singles[0])
    common, lines = [spoken(note.encode()) for note in e._origin.notes], []
    for one in singles[:ROWS]:
        lines.append(what(one) + (f". {one.verdict.text}" if one.verdict else ""))
        lines += [f"  note: {note}" for note in notes_of(one) if note not in common]
    more = len(singles) - ROWS
    lines += [f"... and {more} more: e[{ROWS}], ..."] * (more > 0)
    lines += [f"note: {note}" for note in common]
    done = sum(bool(one.converged) for one in singles)
    told = done < len(singles) <= ROWS  # by the notes
    return "\n".join([*lines, *[f"converged: {done} of {len(singles)}"] * (not told)])


# Notebooks ----------------------------------------------------------------------------------

STYLE = ("<style>.gpa{max-width:46em}.gpa table{border-collapse:collapse}.gpa th,.gpa td"
         "{text-align:left;padding:.1em .8em}.gpa th:first-child,.gpa td:first-child"
         "{text-align:right}.gpa svg{max-width:100%;height:auto}</style>")


def cells(tag: str, *texts: str) -> str:
    return "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts)


def who_table(e: Any) -> str:
    found = listed(suspects(e))
    if not found:
        return ""
    lines = "".join("<tr>" + cells("td", one.responsible, one.name, one.now,
                                   one.normal) + "</tr>" for one in found)
    head = cells("th", "responsible", "input", "now", "would look normal (90 %)")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def one_page(e: Any, common: Any = ()) -> str:
    """The verdict, who, what changes the reading; the joint change folded."""
    verdict = e.verdict
    head = f"<p><b>{html.escape(verdict.text)}</b></p>" if verdict else ""
    said = [f"<p>{html.escape(note)}</p>" for note in notes_of(e) if note not in common]
    sure = "".join(f" ({html.escape(found)})" for found in search(e))
    change = (f"<details><summary>the most probable change of all inputs together{sure}</summary>"
              f"{distributions(e, None, 0, None, 20)}</details>")
    return f"{head}<p>{html.escape(what(e))}</p>{who_table(e)}{''.join(said)}{change}"


def page(e: Any) -> str:
    """What a notebook shows."""
    if not e._items:
        return f"{STYLE}<div class='gpa'><p>No row was chosen.</p></div>"
    if e.ndim == 1:
        return f"{STYLE}<div class='gpa'>{one_page(e)}</div>"
    most, common = 50, [spoken(note.encode()) for note in e._origin.notes]
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in common)
    parts = [f"<details{' open' * (i == 0)}><summary>{html.escape(', '.join(one.ids[:5]))}"
             f"</summary>{one_page(one, common)}</details>"
             for i, one in enumerate(e._singles()[:ROWS])]
    more = len(e._items) - ROWS
    left = f"<p>... and {more} more: e[{ROWS}], ...</p>" if more > 0 else ""
    return (f"{STYLE}<div class='gpa'>{notes}{e[:most].plot_litmus()}{''.join(parts)}{left}"
            "</div>")
