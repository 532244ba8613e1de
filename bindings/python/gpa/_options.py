"""The options, named like the command's, as the texts and numbers that it takes."""
from __future__ import annotations

import datetime
import math
import operator
import os
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._arrays import vector

# Arguments that are none of the command's options, or are dealt with elsewhere.
APART = ("self", "model", "X", "y", "feature_names", "threads", "n_jobs", "batch", "progress")
REPEATED = ("kind", "levels", "units", "set", "freeze", "bounds", "integer", "onehot")


def whole(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is not a whole number") from None


def real(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: {value!r} is not a number") from None


def given_options(arguments: Dict[str, Any], kinds: Dict[str, Any]) -> Dict[str, Any]:
    """The options among a function's arguments that the caller has given; numbers are what
    the function's annotations say."""
    convert = {"Optional[int]": whole, "Optional[float]": real}
    return {name: convert[kinds[name]](name, value) if kinds.get(name) in convert else value
            for name, value in arguments.items() if value is not None and name not in APART}


def shortest(value: Any) -> str:
    return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))


def input_name(option: str, name: Any, inputs: Sequence[str]) -> str:
    """An input by its name, or by its number."""
    if not isinstance(name, (int, np.integer)) or isinstance(name, bool):
        return str(name)
    if not -len(inputs) <= name < len(inputs):
        raise ValueError(f"{option}: no input {name} of {len(inputs)}")
    return inputs[name]


def groups(value: Any) -> List[List[Any]]:
    """[["a", "b"], ["c", "d"]], ["a,b", "c,d"], or one group of names."""
    items = list(value)
    if items and all(isinstance(v, str) and "," not in v for v in items):
        return [items]
    return [v.split(",") if isinstance(v, str) else list(v) for v in items]


def bound(value: Any) -> str:
    if isinstance(value, (str, datetime.date, np.datetime64)) and value == value:
        return str(value)  # of a column of dates
    return "" if value is None or not math.isfinite(value) else shortest(value)


def bounds_text(limits: Any) -> str:
    """Two bounds, or the words of the command."""
    if isinstance(limits, str):
        return limits
    low, high = limits
    return f"{bound(low)}:{bound(high)}"


def limit_texts(option: str, value: Any, inputs: Sequence[str]) -> List[str]:
    """Options that may be repeated: as on the command line, one text per repetition."""
    if isinstance(value, str):
        return [value]
    if option in ("kind", "levels", "units", "set"):
        if not isinstance(value, dict):
            return [str(v) for v in value]
        return [f"{input_name(option, name, inputs)}={quoted(v) if option == 'levels' else v}"
                for name, v in value.items()]
    if option == "bounds":
        if not isinstance(value, dict):
            return [str(v) for v in value]
        return [f"{input_name(option, name, inputs)}={bounds_text(limits)}"
                for name, limits in value.items()]
    sets = groups(value) if option == "onehot" else [list(value)]
    return [",".join(input_name(option, v, inputs) for v in one) for one in sets if one]


def quoted(names: Any) -> str:
    """The names of levels: "a,b", with quotes around those that need them."""
    if isinstance(names, str):
        return names
    return ",".join('"' + text.replace('"', '""') + '"' if set(text) & set(',"') else text
                    for text in map(str, names))


def draws(value: Any) -> np.ndarray:
    """The draws of sv, (reference rows, orders), as lines of the command's file."""
    rows, orders = (np.asarray(v, dtype=np.float64) for v in value)
    if orders.ndim != 2 or rows.shape != orders.shape[:1]:
        raise ValueError("sv_draws: each line is a row of the reference, then an order of "
                         "the inputs, each once and from 0")
    return np.column_stack([rows, orders]).ravel()


def scale(value: Any, inputs: Sequence[str]) -> np.ndarray:
    """All centres, then all units."""
    if isinstance(value, dict):
        value = (value["center"], value["unit"])
    return np.concatenate([vector([v[name] for name in inputs] if isinstance(v, dict) else v,
                                  "scale", len(inputs)) for v in value])


def values_of(option: str, value: Any,
              inputs: Sequence[str]) -> Union[np.ndarray, List[Optional[str]]]:
    """Numbers, or the texts to set one after the other; None is a flag."""
    if option in REPEATED:
        return list(limit_texts(option, value, inputs))
    if isinstance(value, (bool, np.bool_)):
        if option in ("culprit", "flip"):
            return ["on" if value else "off"]
        return [None] if value else []
    if isinstance(value, (str, os.PathLike)):
        return [os.fspath(value)]
    if option in ("features", "drop", "methods"):
        return [",".join(str(name) for name in value)]
    if isinstance(value, (int, np.integer)):
        return [str(value)]
    if isinstance(value, (float, np.floating)):
        return [repr(float(value))]
    if option == "scale":
        return scale(value, inputs)
    return draws(value) if option == "sv_draws" else vector(value, option)


class Row(int):
    """The number of a row, whatever an index calls others."""


def by_label(rows: Any, index: Any) -> Optional[List[int]]:
    """Rows by the names that a frame's index has for them; None: these are no such names."""
    several = isinstance(rows, (list, set, frozenset, np.ndarray, range)) or (
        isinstance(rows, tuple) and index.nlevels == 1) or hasattr(rows, "to_numpy")
    wanted = list(rows) if several and np.ndim(rows) != 0 else [rows]
    if not wanted or any(isinstance(row, (Row, bool, np.bool_)) for row in wanted):
        return None
    try:
        found = [index.get_loc(row) if row in index else None for row in wanted]
    except (TypeError, ValueError):  # unhashable: no name of anything
        return None
    if any(at is None for at in found):
        return None
    for row, at in zip(wanted, found):
        if not isinstance(at, (int, np.integer)):
            raise ValueError(f"rows: the index has {row!r} more than once")
    return [int(at) for at in found]


def row_numbers(rows: Any, n: int, index: Any = None) -> Optional[Tuple[int, ...]]:
    """Rows as people name them: a number, several, a mask, or what the index of a frame calls
    them; None: the library reads them."""
    named = by_label(rows, index) if index is not None else None
    if named is None and isinstance(rows, str):
        return None
    array = np.asarray(rows if named is None else named)
    if array.dtype == np.bool_:
        if array.shape != (n,):
            raise ValueError(f"rows: a mask of shape {array.shape} for {n} rows")
        array = np.flatnonzero(array)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"rows: {rows!r} are no row numbers"
                        + ("" if index is None else ", and not in the index"))
    chosen = [int(r) for r in np.atleast_1d(array)]
    for r in chosen:
        if not -n <= r < n:
            raise IndexError(f"rows: there is no row {r}, only 0 to {n - 1}")
    if len({r % n for r in chosen}) != len(chosen):
        raise ValueError("rows: a row is named twice")
    return tuple(r % n for r in chosen)
