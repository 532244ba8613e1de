"""An explanation in words, printed and in notebooks: who, what would look normal, what changes
the reading."""
from __future__ import annotations

import html
import math
from typing import Any, List, NamedTuple

import numpy as np

from ._library import spoken
from ._plots import Seen, distributions, seen

MOST = 10  # inputs in a list
ROWS = 5  # explanations, and rows of one, that are named
SMALL = .01  # probabilities below need not be listed


class Suspect(NamedTuple):
    """A line of the answer."""

    responsible: float
    name: str
    now: str
    normal: str  # what would look normal, if it alone is at fault


def percent(p: float) -> str:
    """As in the command's table: never a 0 or 100 that is only rounded."""
    if not p == p:
        return ""
    whole = math.floor(100 * p + .5)
    return "<1 %" if whole < 1 else ">99 %" if whole > 99 else f"{whole} %"


def value_text(value: Any, digits: int = 6) -> str:
    """A value of an input; nothing where there is none."""
    if value is None or value != value:
        return ""
    if isinstance(value, (float, int, np.floating, np.integer)) and not isinstance(value, bool):
        return f"{value:.{digits}g}".replace("-", "−")
    date = getattr(value, "date", None)
    if date is not None and getattr(value, "hour", 0) == getattr(value, "minute", 0) == 0:
        return str(date())
    return str(value)


def interval_text(ends: Any) -> str:
    if ends is None or any(end is None or end != end for end in ends):
        return ""
    return f" [{value_text(ends[0], 4)}, {value_text(ends[1], 4)}]"


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


def now_text(e: Any, k: int, one: Seen) -> str:
    """The value that the rows have, if all have the same; else their mean."""
    if len(one.columns) > 1:
        item = e._items[0]
        found = {one.called(one.place(row)) for row in item.array("x", item.n, item.d)}
        return found.pop() if len(found) == 1 else ""
    values = np.atleast_2d(named(e, e.data))[:, k]
    if all(v == values[0] for v in values):
        return value_text(values[0])
    numbers = not len(one.values) and all(isinstance(v, (float, np.floating)) for v in values)
    return f"mean {value_text(np.mean(values))}" if numbers else ""


def normal_text(alone: Any) -> str:
    """What would look normal: a level, a value, or a change of the values of several rows."""
    if alone.level is not None:
        return str(alone.level)
    if alone.value is not None:
        return value_text(alone.value, 4) + interval_text(alone.value_interval90)
    if alone.median_raw != alone.median_raw or alone.median_raw == 0:
        return ""
    return (("by +" if alone.median_raw > 0 else "by ") + value_text(alone.median_raw, 4)
            + interval_text(alone.interval90_raw))


def suspects(e: Any) -> List[Suspect]:
    """All inputs and the outcome, likeliest first; nothing without culprits."""
    culprit = e.culprit
    if culprit is None:
        return []
    found = [Suspect(culprit.responsible[k], one.name, now_text(e, k, one),
                     normal_text(culprit.alone[k])) for k, one in seen(e).items()]
    outcome = culprit.output_alone
    normal = value_text(outcome.value, 4) + interval_text(outcome.value_interval90)
    found.append(Suspect(culprit.output, f"observed {e.target}",
                         value_text(float(np.mean(e.y))), normal))
    return sorted(found, key=lambda one: -one.responsible)


def listed(found: List[Suspect]) -> List[Suspect]:
    """Those that are worth a line; three at least."""
    return [one for i, one in enumerate(found) if i < 3 or one.responsible >= SMALL][:MOST]


def who(e: Any) -> List[str]:
    found = suspects(e)
    shown = listed(found)
    if not shown:
        return []
    names = max(len(one.name) for one in shown)
    values = max(3, *[len(one.now) for one in shown])
    lines = [f"  responsible  {'input':{names}}  {'now':{values}}    would look normal (90 %)"]
    lines += [f"  {percent(one.responsible):>11}  {one.name:{names}}  {one.now:{values}}"
              f"{'  → ' if one.normal and one.normal[:3] != 'by ' else '    '}{one.normal}"
              .rstrip() for one in shown]
    left = len(found) - len(shown)
    return lines + [f"  and {left} more, less likely"] * (left > 0)


def what(e: Any) -> str:
    ids = ", ".join(e.ids[:ROWS]) + (", ..." if len(e.ids) > ROWS else "")
    mean = "on average " if len(e.ids) > 1 else ""
    return (f"{'row' if len(e.ids) == 1 else 'rows'} {ids}: {mean}{e.target} "
            f"{np.mean(e.y):.6g}, predicted {np.mean(e.f):.6g}, score {np.mean(e.score):.3g}")


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
    lines = "".join("<tr>" + cells("td", percent(one.responsible), one.name, one.now,
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
