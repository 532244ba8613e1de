"""One explanation as it comes from the library or from a file: its JSON, and what is in it."""
from __future__ import annotations

import ctypes
import json
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._arrays import copy_from
from ._library import call, library, written
from ._run import Origin

JSON = 1
LIST = '"explanations":['


class Found:
    """A gpa_explanation, freed at the end."""

    def __init__(self, pointer: ctypes.c_void_p) -> None:
        self.pointer, self.free = pointer, library().gpa_explanation_free

    def __del__(self) -> None:
        if self.pointer:
            self.free(self.pointer)


class Marginal(NamedTuple):
    """The distribution of one input's change, in units of that input."""

    feature: str
    map: float
    mean: float
    sd: float
    interval50: Tuple[float, float]
    interval90: Tuple[float, float]
    p_positive: float
    information: float
    grid: np.ndarray
    density: np.ndarray


class Alone(NamedTuple):
    """The change of one input, if it alone is off; `_raw` in the data's own units."""

    median: float
    interval90: Tuple[float, float]
    median_raw: float
    interval90_raw: Tuple[float, float]


class Culprit(NamedTuple):
    """Who did it. `probability` of each input to be off, alone or with others; `single`:
    evidence that it alone is, adds up to 1; `responsible`: probability times (1 - output);
    `output`: probability that no input is, but the outcome or the model; `set90`: the fewest
    inputs, likeliest first, whose `single` reach 0.9; `alone`: their changes."""

    probability: np.ndarray
    single: np.ndarray
    responsible: np.ndarray
    output: float
    set90: List[str]
    alone: List[Alone]
    plausible: str
    plausible_rows: int


class Verdict(NamedTuple):
    """`kind`: input, tied, output or normal; `text`: in a sentence."""

    kind: str
    text: str

    def __str__(self) -> str:
        return self.text


class Input(NamedTuple):
    """What an explanation says about one input."""

    feature: str
    value: Any
    delta: float
    delta_raw: float
    lower: float
    upper: float
    probability: float


def number(value: Any) -> float:
    """JSON has no NaN: null stands for a number that does not exist."""
    return float("nan") if value is None else value


def pair(values: Sequence[Any]) -> Tuple[float, float]:
    return number(values[0]), number(values[1])


def floats(values: Any) -> np.ndarray:
    return np.array(values, dtype=np.float64)


class Item:
    """One attribution: made by the library, or read from text."""

    def __init__(self, origin: Optional[Origin], rows: Sequence[int],
                 found: Optional[Found] = None, text: Optional[str] = None,
                 elsewhere: bool = False) -> None:
        self.origin, self.rows, self.found = origin, list(rows), found
        self.elsewhere = elsewhere  # its rows do not stand in the library's context
        self._text, self._record = text, None  # type: Optional[str], Optional[Dict]

    def info(self) -> Any:
        assert self.origin is not None
        ids = self.origin.ids
        numbers = range(len(self.rows)) if self.elsewhere else self.rows
        names = {i: ids[row] if ids is not None else str(row)
                 for i, row in zip(numbers, self.rows)} if ids or self.elsewhere else None
        return self.origin.info(names)

    @property
    def text(self) -> str:
        """As it stands in the JSON of the command."""
        if self._text is None:
            info, keep = self.info()
            self._text = written(lambda t: call(
                "gpa_report_explanation", t, JSON, info,
                self.found.pointer, 0)).lstrip("\n")  # type: ignore[union-attr]
            if self.elsewhere:
                counted = json.dumps(list(range(len(self.rows))), separators=(",", ":"))
                real = json.dumps(self.rows, separators=(",", ":"))
                start = '{"rows":'
                assert self._text.startswith(start + counted)
                self._text = start + real + self._text[len(start + counted):]
        return self._text

    @property
    def record(self) -> Dict[str, Any]:
        if self._record is None:
            self._record = json.loads(self.text)
        return self._record

    def __getstate__(self) -> Dict[str, Any]:
        return {"rows": self.rows, "text": self.text}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__init__(None, state["rows"], text=state["text"])  # type: ignore[misc]

    def interval(self, end: int, d: int) -> np.ndarray:
        """An end of the 90 % intervals; NaN where there is no distribution."""
        found = self.record["marginals"]
        return floats([m["interval90"][end] for m in found]) if found else np.full(d, np.nan)

    def profile(self, k: int) -> Any:
        """(change, f) along input k, or None; known until it is saved."""
        axis = self.found and library().gpa_explanation_axis(self.found.pointer, k)
        if not axis:
            return None
        n, rows = axis.contents.points, len(self.rows)
        return copy_from(axis.contents.change, n), copy_from(axis.contents.f, n, rows)


def split(text: str) -> Tuple[str, List[str]]:
    """The text before the explanations, and each of them, as they are written."""
    at = text.find(LIST)
    if at < 0:  # written by somebody else: the same with other spaces
        whole = json.loads(text)
        items = [json.dumps(item) for item in whole["explanations"]]
        head = json.dumps({k: v for k, v in whole.items() if k != "explanations"})
        return head[:-1] + ", " + LIST, items
    at += len(LIST)
    decoder, items, end = json.JSONDecoder(), [], at
    while True:
        while text[end] in " \n\r\t,":
            end += 1
        if text[end] == "]":
            return text[:at], items
        start, (_, end) = end, decoder.raw_decode(text, end)
        items.append(text[start:end])
