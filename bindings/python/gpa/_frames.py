"""Columns of data frames: as the library takes them, and back as the model knows them.

The library asks for rows of numbers. A column of text went to it as text, and comes back as
the codes of its levels; one of dates as days or seconds. A column here turns such numbers into
the caller's own values, of his own type, without a loop over rows.
"""
from __future__ import annotations

import ctypes
import datetime
import decimal
import math
import numbers
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _structs as s
from ._arrays import address
from ._library import decoded, encoded

KINDS = ("number", "whole", "flag", "choice", "held")  # gpa_kind
NUMBER, LEVEL, DATE, TIME = range(4)  # gpa_writing
EXACT = 2 ** 53  # whole numbers beyond are no doubles
FEW = 24  # numbers as text that are no more than so many are levels, each seen
OFTEN = 3  # times
A_NUMBER = re.compile(r"\s*[+-]?(?!0\d)(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
A_DATE = re.compile(rb"\d{4}-\d{1,2}-\d{1,2}")

Back = Callable[[np.ndarray], Any]


class Texts:
    """Cells of text: the text of each code, and the codes; -1 is missing."""

    def __init__(self, names: Sequence[bytes], codes: np.ndarray) -> None:
        self.names, self.codes = list(names), codes

    def cells(self) -> Tuple[Any, Any]:
        """The address of as many C strings, and what must live as long."""
        pool = (ctypes.c_char_p * (len(self.names) + 1))(*self.names, None)
        cells = np.frombuffer(pool, dtype=np.uintp)[self.codes]
        return ctypes.cast(address(cells), s.TEXTS), (pool, cells)


Cells = Union[np.ndarray, Texts]


class Kind:
    """What the library takes an input to be."""

    def __init__(self, of: s.Input) -> None:
        self.kind, self.writing = KINDS[of.kind], of.writing
        self.names = [of.level_name[i] for i in range(of.levels)] if of.level_name else []

    def texts(self) -> List[str]:
        return [decoded(name) or "" for name in self.names]


def copied(start: Any, d: int) -> Any:
    """An array of gpa_input with all that it points to."""
    out = (s.Input * d).from_buffer_copy(ctypes.string_at(start, ctypes.sizeof(s.Input) * d))
    out.kept = []
    for one in out:
        if one.level:
            out.kept.append(ctypes.create_string_buffer(
                ctypes.string_at(one.level, 8 * one.levels), 8 * one.levels))
            one.level = ctypes.addressof(out.kept[-1])
        if one.level_name:
            one.level_name = (ctypes.c_char_p * one.levels)(*one.level_name[:one.levels])
        if one.rare:
            out.kept.append(ctypes.create_string_buffer(
                ctypes.string_at(one.rare, one.levels), one.levels))
            one.rare = ctypes.addressof(out.kept[-1])
        if one.name:
            one.name = bytes(one.name)
        if one.label:
            one.label = bytes(one.label)
    return out


# Numbers that stand for texts and dates, as objects -----------------------------------------

def places(codes: np.ndarray, n: int) -> np.ndarray:
    """Codes as indices; n where there is none."""
    return np.where(np.isnan(codes), n, codes).astype(np.intp)


def stamps(values: np.ndarray, writing: int) -> np.ndarray:
    """Days or seconds since 1970 as datetime64[ns], whole days or to the microsecond."""
    gaps = np.isnan(values)
    known = np.where(gaps, 0, values)
    whole = (np.floor(known).astype(np.int64) * 86_400_000_000 if writing == DATE
             else np.rint(known * 1e6).astype(np.int64))
    return np.where(gaps, np.datetime64("NaT", "ns"),
                    whole.astype("datetime64[us]").astype("datetime64[ns]"))


def date_texts(values: np.ndarray, writing: int, between: str, na: Any) -> np.ndarray:
    found = stamps(values, writing)
    whole = found.astype("datetime64[s]")
    unit = "D" if writing == DATE else "s" if (whole == found).all() else "us"
    out = np.datetime_as_string(found.astype(f"datetime64[{unit}]"), unit=unit).astype(object)
    if between != "T":
        out = np.array([text.replace("T", between) for text in out], dtype=object)
    out[np.isnat(found)] = na
    return out


def by_names(kind: Kind) -> Optional[Back]:
    """What the library itself would write; None: numbers are what they are."""
    if kind.writing == NUMBER:
        return None
    if kind.writing != LEVEL:
        return lambda v: date_texts(v, kind.writing, " ", np.nan)
    table = np.array([*kind.texts(), np.nan], dtype=object)
    return lambda v: table[places(v, len(table) - 1)]


def as_objects(values: Any) -> np.ndarray:
    """An array of any type as what pandas gives for each of its cells."""
    if isinstance(values, np.ndarray) and values.dtype == object:
        return values
    from pandas import Series
    out = np.empty(len(values), dtype=object)
    out[:] = list(Series(values))
    return out


# Columns ------------------------------------------------------------------------------------

class Column:
    """A column of a frame, and of the reference's: `cells` of each for the library."""

    cells: List[Cells]
    plain = False  # its numbers are the model's
    truths = False  # they are False and True

    def back(self, kind: Kind, x: Callable[[], np.ndarray]) -> Optional[Back]:
        """From numbers to values; `x` gives the numbers of the frame's own rows. None: they
        are what they are."""
        raise NotImplementedError

    def said(self) -> Optional[str]:
        """The kind that the library must be told; None: it may find it."""
        return None

    def word(self, value: Any) -> str:
        """A value as an option of the command says it."""
        if isinstance(value, (bool, np.bool_)):
            return str(int(value))
        return value.isoformat() if isinstance(value, datetime.date) else str(value)


class Numbers(Column):
    """Numbers, in the frame's type where only whole ones can be asked for."""

    def __init__(self, dtype: Any, cells: List[Cells]) -> None:
        self.dtype, self.cells = dtype, cells
        self.plain = dtype == np.float64
        self.truths = getattr(dtype, "kind", "") == "b"

    def back(self, kind: Kind, x: Callable[[], np.ndarray]) -> Optional[Back]:
        dtype, free = self.dtype, kind.kind == "number"
        if kind.writing != NUMBER:
            return by_names(kind)
        if not isinstance(dtype, np.dtype):
            return nullable(dtype, free)
        if dtype.kind == "f":
            return None if self.plain else lambda v: v.astype(dtype)
        if dtype.kind == "m":
            return lambda v: np.where(np.isnan(v), np.timedelta64("NaT", "ns"), np.rint(
                np.nan_to_num(v) * 1e6).astype("timedelta64[us]")).astype(dtype)
        return None if free else lambda v: exact(v, dtype)


def exact(values: np.ndarray, dtype: Any) -> np.ndarray:
    """In another type, if that holds them."""
    with np.errstate(invalid="ignore"):
        found = values.astype(dtype)
    return found if (found == values).all() else values


def nullable(dtype: Any, free: bool) -> Back:
    """Numbers of pandas's own types, with gaps."""
    from pandas import array

    def back(v: np.ndarray) -> Any:
        whole = not free and (np.isnan(v) | (np.rint(v) == v)).all()
        return array(v, dtype=dtype if whole or dtype.kind == "f" else "Float64")
    return back


class Times(Column):
    """Dates and times, in a time zone perhaps."""

    def __init__(self, dtype: Any, parts: Sequence[Any]) -> None:
        self.dtype, self.zone = dtype, getattr(dtype, "tz", None)
        found = [np.asarray(part, dtype="datetime64[ns]") for part in parts]  # UTC
        day = all((a[~np.isnat(a)] == a[~np.isnat(a)].astype("datetime64[D]")).all()
                  for a in found)
        self.unit = "D" if day else "us"
        self.cells = [self.texts(a) for a in found]

    def texts(self, a: np.ndarray) -> Texts:
        gaps = np.isnat(a)
        unique, codes = np.unique(a[~gaps].astype(f"datetime64[{self.unit}]"),
                                  return_inverse=True)
        out = np.full(len(a), -1, dtype=np.intp)
        out[~gaps] = codes
        return Texts([text.encode() for text in np.datetime_as_string(unique)], out)

    def typed(self, stamp: np.ndarray) -> Any:
        from pandas import DatetimeIndex
        if self.zone is None:
            return stamp.astype(self.dtype)
        return DatetimeIndex(stamp, tz="UTC").tz_convert(self.zone).astype(self.dtype).array

    def back(self, kind: Kind, x: Callable[[], np.ndarray]) -> Optional[Back]:
        if kind.writing in (DATE, TIME):
            return lambda v: self.typed(stamps(v, kind.writing))
        table = np.array([*kind.texts(), "NaT"], dtype="datetime64[ns]")
        return lambda v: self.typed(table[places(v, len(table) - 1)])

    def word(self, value: Any) -> str:
        from pandas import Timestamp
        stamp = Timestamp(value)
        if self.zone is not None and stamp.tzinfo is None:
            stamp = stamp.tz_localize(self.zone)
        stamp = stamp.tz_convert(None) if stamp.tzinfo is not None else stamp
        return str(stamp.date()) if self.unit == "D" else stamp.isoformat()


class Levels(Column):
    """Objects, as texts of which no two are alike."""

    def __init__(self, dtype: Any, na: Any = np.nan) -> None:
        self.dtype, self.na = dtype, na
        self.cells, self.objects = [], {}  # type: Dict[bytes, Any]

    def text(self, value: Any, new: bool = True) -> Optional[bytes]:
        """The text that stands for a value, whatever others look like."""
        tries = [value if isinstance(value, str) else str(value), repr(value)]
        for i in range(len(self.objects) + 3):
            text = encoded(tries[i] if i < 2 else f"{tries[0]} ({i})") or b""
            known = self.objects.get(text, self)
            if known is self and not new:
                return None
            if known is self:
                self.objects[text] = value
            elif type(known) is not type(value) or known != value:
                continue
            return text
        return None

    def take(self, unique: Sequence[Any], codes: np.ndarray) -> None:
        """The cells of the frame; then those of the reference, where the same text will do."""
        def same(value: Any) -> Optional[bytes]:
            text = encoded(str(value))
            return text if self.cells and text in self.objects else None
        self.cells.append(Texts([self.text(value, new=False) or same(value) or self.text(value)
                                 or b"" for value in unique], codes))

    def said(self) -> Optional[str]:
        """What is to be said of categories that read like dates: they stay categories."""
        dates = str(self.dtype) == "category" and any(map(A_DATE.match, self.objects))
        return None if not dates else "flag" if len(self.objects) == 2 else "choice"

    def found(self, kind: Kind) -> List[Any]:
        """The objects of a kind's levels; of a text that was none of ours, itself."""
        return [self.objects.get(name, decoded(name)) for name in kind.names]

    def back(self, kind: Kind, x: Callable[[], np.ndarray]) -> Optional[Back]:
        if kind.writing in (DATE, TIME):
            dates = self.dates(kind, x)
            if str(self.dtype) != "category" or kind.kind != "held":
                return dates
            from pandas import Categorical
            return lambda v: Categorical(dates(v), dtype=self.dtype)
        values = self.found(kind)
        n = len(values)
        if str(self.dtype) == "category":
            return self.categories(values)
        if isinstance(self.dtype, np.dtype):
            table = np.empty(n + 1, dtype=self.dtype)
            table[:n], table[n] = values, 0 if self.dtype.kind in "iu" else self.na
            return lambda v: table[places(v, n)]
        from pandas import array
        stored = array(values, dtype=self.dtype)

        def take(v: np.ndarray) -> Any:
            at = places(v, -1)
            return stored.take(at, allow_fill=bool((at < 0).any()))
        return take

    def categories(self, values: Sequence[Any]) -> Back:
        """The frame's categories, in their order; others behind them."""
        from pandas import Categorical, CategoricalDtype
        there = list(self.dtype.categories)
        place = {(type(v), v): i for i, v in enumerate(there)}
        more = [v for v in values if (type(v), v) not in place]
        place.update({(type(v), v): len(there) + i for i, v in enumerate(more)})
        dtype = CategoricalDtype([*there, *more], self.dtype.ordered) if more else self.dtype
        table = np.array([*[place[type(v), v] for v in values], -1], dtype=np.intp)
        return lambda v: Categorical.from_codes(table[places(v, len(table) - 1)], dtype=dtype)

    def dates(self, kind: Kind, x: Callable[[], np.ndarray]) -> Back:
        """Dates that are texts or objects: those that there are as they are, others alike."""
        sample = next(iter(self.objects.values()), "")
        if hasattr(self.dtype, "freq"):  # periods
            from pandas import DatetimeIndex
            return lambda v: DatetimeIndex(stamps(v, kind.writing)).to_period(
                self.dtype.freq).array
        if isinstance(sample, str):
            between = "T" if "T" in sample else " "
            return typed(self.dtype, known(x(), self.originals(), lambda v: date_texts(
                v, kind.writing, between, self.na), self.na))
        from pandas import DatetimeIndex
        zone = getattr(sample, "tzinfo", None)

        def make(v: np.ndarray) -> np.ndarray:
            index = DatetimeIndex(stamps(v, kind.writing), tz="UTC" if zone else None)
            index = index.tz_convert(zone) if zone else index
            return (index.to_pydatetime() if isinstance(sample, datetime.datetime)
                    else index.date)
        return known(x(), self.originals(), make, self.na)

    def originals(self) -> np.ndarray:
        cells = self.cells[0]
        assert isinstance(cells, Texts)
        table = np.empty(len(cells.names) + 1, dtype=object)
        table[:-1], table[-1] = [self.objects[name] for name in cells.names], self.na
        return table[cells.codes]

    def word(self, value: Any) -> str:
        return decoded(self.text(value, new=False)) or super().word(value)


class Objects(Column):
    """Numbers that are objects: truths, decimals, numbers as text."""

    def __init__(self, dtype: Any, parts: Sequence[np.ndarray], gaps: Sequence[np.ndarray],
                 na: Any) -> None:
        self.dtype, self.na, self.parts, self.gaps = dtype, na, parts, gaps
        self.cells = [np.array([np.nan if gap else float(v) for v, gap in zip(part, at)])
                      for part, at in zip(parts, gaps)]
        self.text = any(isinstance(v, str) for v in parts[0])
        self.truths = all(isinstance(v, (bool, np.bool_)) for part, at in zip(parts, gaps)
                          for v, gap in zip(part, at) if not gap)
        self.point = self.text and all("." in v for v, at in zip(parts[0], gaps[0]) if not at)

    def made(self, values: np.ndarray, whole: bool) -> List[Any]:
        """Values that were not there."""
        if not self.text:
            return [int(v) if whole else v for v in values.tolist()]
        return [f"{v:.0f}" if v == math.floor(v) and not self.point else repr(v)
                for v in values.tolist()]

    def back(self, kind: Kind, x: Callable[[], np.ndarray]) -> Optional[Back]:
        if kind.writing != NUMBER:
            return by_names(kind)
        ints = all(isinstance(v, numbers.Integral) for part, gaps in zip(self.parts, self.gaps)
                   for v, gap in zip(part, gaps) if not gap)
        whole = ints and kind.kind != "number"
        values, objects = np.concatenate(self.cells), np.concatenate(self.parts)

        def make(v: np.ndarray) -> np.ndarray:
            out = np.empty(len(v), dtype=object)
            out[:] = self.made(v, whole and bool((np.rint(v) == v).all()))
            return out
        return typed(self.dtype, known(values, objects, make, self.na))


def typed(dtype: Any, back: Back) -> Back:
    """Objects in a type of pandas's, where the frame has one."""
    if isinstance(dtype, np.dtype):
        return back
    from pandas import array
    return lambda v: array(back(v), dtype=dtype)


def known(values: np.ndarray, objects: np.ndarray, make: Back, na: Any) -> Back:
    """Numbers as the objects they came from; others are made."""
    there = ~np.isnan(values)
    numbers_there, first = np.unique(values[there], return_index=True)
    objects = objects[there][first]

    def back(v: np.ndarray) -> np.ndarray:
        out = np.empty(len(v), dtype=object)
        gaps = np.isnan(v)
        at = np.minimum(np.searchsorted(numbers_there, v), max(len(numbers_there) - 1, 0))
        hit = ~gaps & (numbers_there[at] == v) if len(numbers_there) else np.zeros_like(gaps)
        out[hit] = objects[at[hit]] if len(numbers_there) else None
        miss = ~hit & ~gaps
        if miss.any():
            out[miss] = make(v[miss])
        out[gaps] = na
        return out
    return back


# From series to columns ---------------------------------------------------------------------

def split_gaps(part: Any) -> Tuple[np.ndarray, np.ndarray]:
    """A series as objects, and where it has none."""
    from pandas import isna
    values = np.empty(len(part), dtype=object)
    values[:] = np.asarray(part, dtype=object)
    return values, np.asarray(isna(part), dtype=bool)


def factorized(values: np.ndarray, gaps: np.ndarray, kinds: Any) -> Tuple[Any, np.ndarray]:
    """The different objects, and the place of each cell's among them."""
    if len(kinds) == 1:  # as many of one type as there are
        from pandas import factorize
        codes, unique = factorize(np.where(gaps, None, values))
        if np.array_equal(unique[codes][~gaps], values[~gaps]):  # texts with a zero may not be
            return list(unique), np.asarray(codes, dtype=np.intp)
    seen: Dict[Any, int] = {}  # 1, 1.0 and True are equal, but not the same
    codes = np.array([-1 if gap else seen.setdefault((type(v), v), len(seen))
                      for v, gap in zip(values, gaps)], dtype=np.intp)
    return [v for _, v in seen], codes


def few(parts: Sequence[np.ndarray], gaps: Sequence[np.ndarray]) -> bool:
    seen = np.concatenate([part[~at] for part, at in zip(parts, gaps)])
    different = len(set(seen.tolist()))
    return different <= FEW and len(seen) >= OFTEN * different


def object_column(parts: Sequence[Any], what: str, dtype: Any, said: Optional[str]) -> Column:
    """Of anything that is an object: numbers, if all are; else levels."""
    found = [split_gaps(part) for part in parts]
    values, gaps = [v for v, _ in found], [g for _, g in found]
    kinds = {kind for v, g in found for kind in set(map(type, v[~g]))}
    na = next((v[g][0] for v, g in found if g.any()), np.nan)
    if kinds and all(issubclass(k, (numbers.Real, np.bool_, decimal.Decimal)) for k in kinds):
        if all(abs(v) < EXACT for part, at in found for v in part[~at]):
            return Objects(dtype, values, gaps, na)
    if kinds and all(issubclass(k, complex) for k in kinds):
        raise TypeError(f"{what} holds complex numbers, and real ones are needed")
    if kinds == {str} and said not in ("choice", "flag") and all(
            A_NUMBER.fullmatch(v) for part, at in found for v in part[~at]):
        if said in ("number", "whole") or not few(values, gaps):
            return Objects(dtype, values, gaps, na)
    column = Levels(dtype, na)
    try:
        for part, at in found:
            column.take(*factorized(part, at, kinds))
    except TypeError:
        example = next(v for part, at in found for v in part[~at] if not hashable(v))
        raise TypeError(f"{what} holds {type(example).__name__}, which is neither a number nor "
                        "text: encode it, or leave it out") from None
    return column


def hashable(value: Any) -> bool:
    try:
        hash(value)
        return True
    except TypeError:
        return False


def joined_category(first: Any, second: Any) -> Any:
    """One type of categories for both: that which holds the other's, if one does."""
    if second is None or first == second:
        return first
    a, b = list(first.categories), list(second.categories)
    if set(a) <= set(b):
        return second
    from pandas import CategoricalDtype
    more = [v for v in b if v not in set(a)]
    return CategoricalDtype([*a, *more], first.ordered) if more else first


def like_category(series: Any, dtype: Any) -> Any:
    """With the reference's categories: one row, or text, has none. Others behind them."""
    from pandas import CategoricalDtype
    named = {str(v): v for v in dtype.categories}
    values = series.astype(object).map(lambda v: named.get(str(v), v), na_action="ignore")
    more = [v for v in values.dropna().unique() if v not in set(dtype.categories)]
    return values.astype(CategoricalDtype([*dtype.categories, *more], dtype.ordered))


def category_column(parts: Sequence[Any], dtype: Any) -> Column:
    column = Levels(dtype)
    for part in parts:
        codes, there = part.cat.codes.to_numpy(), list(part.cat.categories)
        used = np.unique(codes[codes >= 0])
        place = np.full(len(there) + 1, -1, dtype=np.intp)  # -1 finds the last
        place[used] = np.arange(len(used))
        column.take([there[c] for c in used], place[codes])
    return column


def is_category(series: Any) -> bool:
    return str(getattr(series, "dtype", "")) == "category"


def column_of(series: Any, other: Any, what: str, said: Optional[str] = None) -> Column:
    """A column of pandas's, and the same of the reference (or None). `said`: what the caller
    takes it to be."""
    if other is None and series.dtype == np.float64:
        return Numbers(np.dtype(np.float64), [series.to_numpy()])
    parts = [series] if other is None else [series, other]
    if other is not None and is_category(other) and not is_category(series):
        series = parts[0] = like_category(series, other.dtype)
    if is_category(series):
        there = other if other is None or is_category(other) else like_category(
            other, series.dtype)
        parts = [series] if there is None else [series, there]
        return category_column(parts, joined_category(
            series.dtype, None if there is None else there.dtype))
    dtype = series.dtype
    kinds = {getattr(part.dtype, "kind", "O") for part in parts}
    if kinds <= set("biuf"):
        if all(part.dtype.kind not in "iu" or not len(part) or part.isna().all()
               or max(-int(part.min()), int(part.max())) < EXACT for part in parts):
            return Numbers(dtype, [np.ascontiguousarray(part.to_numpy(
                dtype=np.float64, na_value=np.nan)) for part in parts])
    if kinds == {"M"}:
        return Times(dtype, [part.dt.tz_convert(None) if getattr(part.dtype, "tz", None)
                             else part for part in parts])
    if kinds == {"m"}:
        return Numbers(dtype, [part.dt.total_seconds().to_numpy() for part in parts])
    if kinds == {"c"}:
        raise TypeError(f"{what} holds complex numbers, and real ones are needed")
    own = kinds == {dtype.kind} and (dtype.kind in "iu" or not isinstance(dtype, np.dtype))
    return object_column(parts, what, dtype if own else np.dtype("O"), said)


def frame_of(labels: Sequence[Any], backs: Sequence[Optional[Back]]) -> Callable[[Any], Any]:
    """Rows of numbers as the data frame that the model knows."""
    from pandas import DataFrame, Index
    columns = Index(list(labels)) if not isinstance(labels, Index) else labels

    def wrap(x: np.ndarray) -> Any:
        frame = DataFrame({k: x[:, k] if back is None else back(x[:, k])
                           for k, back in enumerate(backs)}, copy=False)
        frame.columns = columns
        return frame
    return wrap
