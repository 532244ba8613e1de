"""One explanation of the library, read number by number."""
from __future__ import annotations

import ctypes
import json
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _structs as s
from ._arrays import copy_from
from ._library import Handle, call, library, pointer_of, written, written_bytes
from ._options import Row

JSON = 1
LIST = '"explanations":['
STAGES = ("map", "check", "marginals", "culprit")
# What stands in the JSON as it stands in the summary.
SUMMARY = ("objective", "objective_zero", "stationarity", "converged", "budget_hit",
           "iterations", "model_rows", "model_calls", "nonfinite_rows", "ess",
           "surrogate_error")


class Level(NamedTuple):
    """A level of a flag or choice, and its probability."""

    level: Any
    probability: float


class Marginal(NamedTuple):
    """The distribution of one input's change, in units of that input. A flag or choice has
    `levels` in place of the numbers, which then are NaN but for `information`. Of one that
    rests on fewer than 50 effective draws of `exact`, or on a surrogate that is far off or not
    settled, only `map` is known: the rest is NaN, the curve empty."""

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
    levels: Optional[List[Level]] = None


class Alone(NamedTuple):
    """What would look normal, if one input alone is off: its `value` with an interval, or the
    likeliest `level` of a flag or choice and the probabilities of all `levels` (None where
    there is none); `missing`: the row has no value, and it would have been this one. And the
    change: `median` in units, `_raw` in the data's own."""

    median: float
    interval90: Tuple[float, float]
    median_raw: float
    interval90_raw: Tuple[float, float]
    value: Any = None
    value_interval90: Any = None
    level: Any = None
    levels: Optional[List[Level]] = None
    missing: bool = False


class OutputAlone(NamedTuple):
    """The outcome that would look normal, with its 90 % interval; None where that is not
    known."""

    value: Optional[float] = None
    value_interval90: Optional[List[float]] = None


class Culprit(NamedTuple):
    """Who did it. `responsible`: the probability that an input is at fault, alone or with
    others; `output`: that no input is, but the outcome or the model; `probability`: that an
    input is at fault if any is, which is `responsible` / (1 - `output`); `single`: evidence
    that it alone is, adds up to 1; `set90`: the fewest inputs, likeliest first, whose `single`
    reach 0.9, so it is among them with 90 % if it is an input at all (`output`); `alone`: what would look normal; `likeliest`:
    the inputs of the likeliest single idea, `exchanged`: that the values of two stand in
    each other's place, `p_likeliest`: its probability, all in all; `output_alone`: the
    outcome that would look normal."""

    probability: np.ndarray
    single: np.ndarray
    responsible: np.ndarray
    output: float
    set90: List[str]
    alone: List[Alone]
    plausible: str
    plausible_rows: int
    likeliest: List[str]
    exchanged: bool
    p_likeliest: float
    output_alone: OutputAlone


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
    responsible: float


class Several(list):
    """One for each explanation, in a list; and by the names of their fields each field over
    all: numbers as arrays, NaN where an explanation has none, the rest as lists."""

    def __init__(self, found: Iterable[Any], kind: Any, d: int) -> None:
        super().__init__(found)
        self._kind, self._d = kind, d

    def __getattr__(self, name: str) -> Any:
        kind = self.__dict__.get("_kind")
        if kind is None or name not in kind._fields:
            raise AttributeError(f"there is no '{name}' of several explanations")
        type_of = getattr(kind.__annotations__[name], "__forward_arg__", "")
        found = [None if one is None else getattr(one, name) for one in self]
        if type_of == "np.ndarray":
            none = np.full(self._d, np.nan)
            return np.array([none if one is None else one for one in found],
                            dtype=np.float64).reshape(len(found), self._d)
        if type_of == "float":
            return np.array([number(one) for one in found], dtype=np.float64)
        plain = type_of in ("int", "bool") and None not in found
        return np.array(found, dtype=type_of) if plain else found

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._kind._fields})

    def __reduce__(self) -> Any:
        return Several, (list(self), self._kind, self._d)


def known(value: float) -> Optional[float]:
    """None stands for a number that does not exist, as in JSON."""
    return None if value != value else value


def number(value: Any) -> float:
    """NaN stands for a number that JSON has not."""
    return float("nan") if value is None else value


def pair(values: Any) -> Tuple[float, float]:
    first, second = values or (None, None)
    return number(first), number(second)


def levels_in(record: Dict[str, Any]) -> Optional[List[Level]]:
    found = record.get("levels")
    return None if found is None else [Level(one["level"], number(one["probability"]))
                                       for one in found]


def alone_in(record: Dict[str, Any]) -> Alone:
    """What the JSON says about one input alone."""
    interval = record.get("value_interval90")
    return Alone(number(record["median"]), pair(record["interval90"]),
                 number(record["median_raw"]), pair(record["interval90_raw"]),
                 record.get("value"), None if interval is None else tuple(interval),
                 record.get("level"), levels_in(record), bool(record.get("missing")))


def marginal_of(name: str, m: s.Marginal, levels: Optional[List[Level]],
                sure: bool) -> Marginal:
    none, points = float("nan"), m.points if sure else 0
    mean, sd, p_positive, information = (getattr(m, of) if sure else none for of in
                                         ("mean", "sd", "p_positive", "information"))
    ends = [tuple(a) if sure else (none, none) for a in (m.interval50, m.interval90)]
    return Marginal(name, m.map, mean, sd, *ends, p_positive, information,
                    copy_from(m.grid, points), copy_from(m.density, points), levels)


class Item(Handle):
    """A gpa_explanation."""

    def __init__(self, pointer: ctypes.c_void_p, text: Optional[str] = None) -> None:
        super().__init__("gpa_explanation_free", pointer)
        lib, self.text = library(), text  # as it was read, if it was
        self._record: Optional[Dict[str, Any]] = None
        self._answer: Optional[Dict[str, Any]] = None
        self.n: int = lib.gpa_explanation_rows(pointer)
        self.d: int = lib.gpa_explanation_dim(pointer)

    def packed(self) -> bytes:
        """All of it, for another process of this version."""
        return written_bytes(lambda t: call("gpa_explanation_pack", t, self.pointer))

    @classmethod
    def unpacked(cls, data: bytes) -> "Item":
        return cls(pointer_of("gpa_explanation_unpack", data, len(data)))

    def array(self, what: str, *shape: int) -> np.ndarray:
        return copy_from(getattr(library(), f"gpa_explanation_{what}")(self.pointer), *shape)

    @property
    def rows(self) -> List[int]:
        return [Row(library().gpa_explanation_row(self.pointer, t)) for t in range(self.n)]

    @property
    def summary(self) -> s.Summary:
        return library().gpa_explanation_summary(self.pointer).contents

    @property
    def prior(self) -> Dict[str, Any]:
        found, noise = self.summary, library().gpa_noise_name(self.summary.noise)
        return {**{name: known(getattr(found, name)) for name in ("eta", "nu", "a0")},
                "b0": [known(v) for v in self.array("b", self.n).tolist()],
                **{name: known(getattr(found, name)) for name in ("sigma", "cb", "kappa")},
                "noise": "given" if found.noise == 0 else noise.decode()}

    def number(self, name: str) -> Any:
        """One of the summary; None when it has no such."""
        if name == "rows_by_stage":
            return {stage: getattr(self.summary, f"rows_{stage}") for stage in STAGES}
        return getattr(self.summary, name) if name in SUMMARY else None

    def curves(self) -> List[s.Marginal]:
        """The distributions, of all inputs or none."""
        found = [library().gpa_explanation_marginal(self.pointer, k) for k in range(self.d)]
        return [at.contents for at in found if at]

    def marginals(self, names: List[str], info: Any) -> List[Marginal]:
        curves, sure = self.curves(), self.spread_known
        said = self.record(info)["marginals"] if any(m.levels for m in curves) else [{}] * self.d
        return [marginal_of(name, m, levels_in(one), sure or m.sd == 0)  # 0: it is held
                for name, m, one in zip(names, curves, said)]

    def interval(self, end: int) -> np.ndarray:
        """An end of the 90 % intervals; NaN where there is no distribution, or none that is
        known."""
        curves = self.curves() if self.spread_known else []
        return np.array([m.interval90[end] for m in curves] or [np.nan] * self.d)

    @property
    def spread_known(self) -> bool:
        """Whether distributions, where there are any, rest on enough draws."""
        return library().gpa_explanation_spread_known(self.pointer)

    @property
    def asked(self) -> bool:
        """Whether it says who is responsible."""
        return bool(library().gpa_explanation_culprit(self.pointer))

    @property
    def responsible(self) -> np.ndarray:
        at = library().gpa_explanation_culprit(self.pointer)
        return copy_from(at.contents.responsible, self.d) if at else np.full(self.d, np.nan)

    def culprit(self, info: Any) -> Optional[Culprit]:
        at = library().gpa_explanation_culprit(self.pointer)
        if not at:
            return None
        c, said = at.contents, self.record(info)["culprit"]
        outcome = said.get("output_alone") or {}
        idea = said.get("likeliest", {"inputs": []})  # all inputs held: there is none
        return Culprit(copy_from(c.probability, self.d), copy_from(c.single, self.d),
                       self.responsible, c.output, said["set90"],
                       [alone_in(one) for one in said["alone"]],
                       library().gpa_plausible_name(c.plausible).decode(), c.plausible_rows,
                       idea["inputs"], bool(c.exchanged), c.p_likeliest,
                       OutputAlone(outcome.get("value"), outcome.get("value_interval90")))

    def profile(self, k: int) -> Optional[Tuple[np.ndarray, np.ndarray]]:
        """(change or level, f) along input k, or None; known until it is saved."""
        at = library().gpa_explanation_axis(self.pointer, k)
        if not at or not at.contents.points:
            return None
        a, n = at.contents, at.contents.points
        return copy_from(a.level or a.change, n), copy_from(a.f, n, self.n)

    def answer(self, info: Any) -> Dict[str, Any]:
        """The answer in words, as the command's table and pages have it."""
        if self._answer is None:
            self._answer = json.loads(written(
                lambda t: call("gpa_report_answer", t, info, self.pointer)))
        return self._answer

    def record(self, info: Any) -> Dict[str, Any]:
        """Everything, as it stands in the JSON: words, too."""
        if self._record is None:
            self._record = json.loads(self.text or written(
                lambda t: call("gpa_report_explanation", t, JSON, info, self.pointer, 0)))
        return self._record


def split(text: str) -> Tuple[str, List[str]]:
    """The text before the explanations, and each of them, as they are written."""
    if LIST not in text:  # written by somebody else: the same with other spaces
        whole = json.loads(text)
        found = whole.pop("explanations")
        text = json.dumps({**whole, "explanations": found}, separators=(",", ":"))
    at = text.index(LIST) + len(LIST)
    decoder, items, end = json.JSONDecoder(), [], at
    while True:
        while text[end] in " \n\r\t,":
            end += 1
        if text[end] == "]":
            return text[:at], items
        start, (_, end) = end, decoder.raw_decode(text, end)
        items.append(text[start:end])
