"""The options, named like the command's: into the library's structs, and into the result."""
from __future__ import annotations

import math
import operator
import os
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _structs as s
from ._arrays import address, vector
from ._data import fit_scale, hint, name_list, take_numbers
from ._library import call, library, options, texts

# Everything that shapes a result and is therefore written into it, in the command's order.
KEPT = ("model", "target", "features", "drop", "id", "no_header", "reference", "sigma",
        "model_config", "rows", "top", "threshold", "all", "collective", "methods", "scale",
        "freeze", "bounds", "integer", "onehot", "solver", "marginals", "marginal_rows",
        "culprit", "plausible", "eta", "nu", "a0", "b0", "cb", "kappa", "noise", "slope_sd",
        "slope_nodes", "delta_init", "max_iter", "tol", "baseline", "intervals", "eig_rows",
        "lime_samples", "lime_l1", "lime_sd", "sv", "sv_configurations", "sv_antithetic",
        "sv_draws", "flip", "seed", "budget")
REALS = ("eta", "nu", "a0", "b0", "cb", "kappa", "slope_sd", "tol")
COUNTS = ("max_iter", "budget", "marginal_rows")
WORDS = {"solver": "solver", "marginals": "marginals", "noise": "noise",
         "culprit": "culprit_mode", "plausible": "plausible"}
MOST_SEED = 2 ** 64 - 1


def count(name: str, value: Any, least: int = 1, most: int = 2 ** 63 - 1) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is not a whole number") from None
    if not least <= number <= most:
        raise ValueError(f"{name}: {number} is not within {least} to {most}")
    return number


def real(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: {value!r} is not a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{name}: {number} is not a finite number")
    return number


def positive(name: str, value: Any) -> float:
    number = real(name, value)
    if number <= 0:
        raise ValueError(f"{name}: {number:g} is out of range, must be above 0")
    return number


def words_of(option: str) -> List[str]:
    """The choices of an option, by their numbers in the library."""
    name_at = getattr(library(), f"gpa_{WORDS[option]}_name")
    found: List[str] = []
    while name_at(len(found)) is not None:
        found.append(name_at(len(found)).decode())
    return found


_words: Dict[str, List[str]] = {}


def word(option: str, value: Any) -> int:
    if value is False or value is True:  # culprit=False reads well
        value = "on" if value else "off"
    words = _words.get(option) or _words.setdefault(option, words_of(option))
    if value not in words:
        raise ValueError(f"{option}: '{value}' is none of {', '.join(words[1:])}")
    return words.index(value)


# What is kept in the result --------------------------------------------------------------

def shortest(value: float) -> str:
    for digits in (15, 16, 17):
        text = f"{value:.{digits}g}"
        if float(text) == value:
            break
    return text


def json_text(value: str) -> str:
    out = []
    for c in value.encode("utf-8", "surrogateescape").decode("utf-8", "replace"):
        if c in '"\\':
            out.append("\\" + c)
        elif ord(c) < 0x20 or ord(c) == 0x7f:
            out.append(f"\\u{ord(c):04x}")
        else:
            out.append("\\ufffd" if c == "\ufffd" else c)
    return '"' + "".join(out) + '"'


def limit_texts(option: str, value: Any) -> List[str]:
    """As they would be written on the command line, one per repetition."""
    if isinstance(value, str):
        return [value]
    if option == "bounds":
        if isinstance(value, dict):
            return [f"{name}={bound(low)}:{bound(high)}"
                    for name, (low, high) in value.items()]
        return [str(v) for v in value]
    if option == "onehot":
        return [",".join(group) for group in groups(value)]
    return [",".join(str(v) for v in value)]


def bound(value: Any) -> str:
    return "" if value is None or not math.isfinite(value) else shortest(float(value))


def json_value(option: str, value: Any) -> str:
    """The way the command writes it."""
    if option in ("freeze", "bounds", "integer", "onehot"):
        return "[" + ",".join(json_text(t) for t in limit_texts(option, value)) + "]"
    if option in ("features", "drop", "methods"):
        return json_text(",".join(name_list(value)))
    if option in ("culprit", "flip") and isinstance(value, (bool, np.bool_)):
        return '"on"' if value else '"off"'
    if option == "slope_nodes" and isinstance(value, (int, np.integer)):
        return f'"{value}"'
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)) and option not in REALS + ("sigma", "threshold"):
        return str(int(value))
    if isinstance(value, (int, float, np.number)):
        return shortest(float(value))
    if isinstance(value, (str, os.PathLike)):
        return json_text(os.fspath(value))
    if option in ("slope_nodes", "delta_init", "baseline"):
        return "[" + ",".join(shortest(v) for v in vector(value, option)) + "]"
    if option == "reference":
        rows = value[0] if isinstance(value, tuple) else value
        return json_text(f"{len(rows)} rows" if hasattr(rows, "__len__") else "rows")
    return '"given"'


def options_json(command: str, file: Optional[str], given: Dict[str, Any]) -> str:
    """The options that were given, as a JSON object in the command's order."""
    parts = [f'"command":"{command}"']
    if file is not None:
        parts.append('"file":' + json_text(file))
    for option in KEPT:
        value = given.get(option)
        if value is not None and value is not False or (
                value is False and option in ("culprit", "flip")):
            parts.append(f'"{option.replace("_", "-")}":{json_value(option, value)}')
    return "{" + ",".join(parts) + "}"


# Rows ------------------------------------------------------------------------------------

def row_ranges(text: str) -> List[int]:
    """"63,68,70-75" """
    found: List[int] = []
    for piece in text.split(","):
        first, dash, last = piece.partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise ValueError(f"rows: '{piece}' is no row or range like 70-75")
        found += range(int(first), int(last or first) + 1)
    return sorted(set(found))


def row_numbers(rows: Any, n: int) -> List[int]:
    """Rows as people name them: a number, several, a mask, or the command's text."""
    if isinstance(rows, str):
        chosen = row_ranges(rows)
    else:
        array = np.asarray(rows)
        if array.dtype == np.bool_:
            if array.shape != (n,):
                raise ValueError(f"rows: a mask of shape {array.shape} for {n} rows")
            array = np.flatnonzero(array)
        if array.size and array.dtype.kind not in "iu":
            raise TypeError(f"rows: {rows!r} are no row numbers")
        chosen = [int(r) for r in np.atleast_1d(array)]
    for r in chosen:
        if not -n <= r < n:
            raise IndexError(f"rows: there is no row {r}, only 0 to {n - 1}")
    chosen = [r + n if r < 0 else r for r in chosen]
    if len(set(chosen)) != len(chosen):
        raise ValueError("rows: a row is named twice")
    return chosen


def rows_text(rows: Sequence[int]) -> str:
    """Ascending, neighbours joined: as the command writes them down."""
    rows, parts, i = sorted(rows), [], 0
    while i < len(rows):
        last = i
        while last + 1 < len(rows) and rows[last + 1] == rows[last] + 1:
            last += 1
        parts.append(str(rows[i]) if last == i else f"{rows[i]}-{rows[last]}")
        i = last + 1
    return ",".join(parts)


def worst_first(score: np.ndarray) -> np.ndarray:
    return np.lexsort((np.arange(len(score)), -score))


def select(given: Dict[str, Any], score: np.ndarray, every: bool) -> List[int]:
    """Which rows; `every` when nothing was said, else the one of highest score."""
    ways = [name for name in ("rows", "top", "threshold") if given.get(name) is not None]
    ways += ["all"] if given.get("all") else []
    if len(ways) > 1:
        raise ValueError(f"only one of rows, top, threshold and all, not {' and '.join(ways)}")
    if given.get("rows") is not None:
        return row_numbers(given["rows"], len(score))
    if given.get("threshold") is not None:
        return [int(i) for i in np.flatnonzero(score > real("threshold",
                                                            given["threshold"]))]
    if given.get("all") or (every and not ways) or len(score) == 1:
        return list(range(len(score)))
    if not ways:
        return [int(np.argmax(score))]
    top = count("top", given["top"], 1, MOST_SEED)
    return [int(i) for i in worst_first(score)[:top]]


# Limits ----------------------------------------------------------------------------------

def input_number(option: str, name: Any, names: Sequence[str]) -> int:
    if isinstance(name, (int, np.integer)) and not isinstance(name, bool):
        if not -len(names) <= name < len(names):
            raise ValueError(f"{option}: no input {name} of {len(names)}")
        return int(name) % len(names)
    if name in names:
        return list(names).index(str(name))
    raise ValueError(f"{option}: no input is called '{name}'; {hint(str(name), names)}")


def groups(value: Any) -> List[List[str]]:
    """[["a", "b"], ["c", "d"]], ["a,b", "c,d"], or one group of names."""
    if isinstance(value, str):
        return [value.split(",")]
    items = list(value)
    if items and all(isinstance(v, str) and "," not in v for v in items):
        return [items]
    return [v.split(",") if isinstance(v, str) else [str(w) for w in v] for v in items]


def bounds_of(value: Any) -> List[Tuple[str, Any, Any]]:
    if isinstance(value, dict):
        return [(name, low, high) for name, (low, high) in value.items()]
    found = []
    for text in [value] if isinstance(value, str) else value:
        for piece in text.split(","):
            name, equals, span = piece.rpartition("=")
            low, colon, high = span.partition(":")
            if not equals or not colon:
                raise ValueError(f"bounds: '{piece}' is not COL=LO:HI")
            found.append((name, float(low) if low else None, float(high) if high else None))
    return found


def flags(option: str, value: Any, names: Sequence[str]) -> np.ndarray:
    chosen = np.zeros(len(names), dtype=np.uint8)
    for name in value.split(",") if isinstance(value, str) else value:
        chosen[input_number(option, name, names)] = 1
    return chosen


def set_limits(o: s.ExplainOptions, keep: List[Any], given: Dict[str, Any],
               names: Sequence[str]) -> None:
    """What may not move, or only so far."""
    d = len(names)
    for option, field in (("freeze", "frozen"), ("integer", "integer")):
        if given.get(option) is not None:
            keep.append(flags(option, given[option], names))
            setattr(o, field, address(keep[-1]))
    if given.get("bounds") is not None:
        lower, upper = np.full(d, np.nan), np.full(d, np.nan)
        for name, low, high in bounds_of(given["bounds"]):
            k = input_number("bounds", name, names)
            lower[k] = np.nan if low is None else low
            upper[k] = np.nan if high is None else high
            if lower[k] > upper[k]:
                raise ValueError(f"bounds: '{name}' from {low} to {high}")
        lower[np.isinf(lower)] = upper[np.isinf(upper)] = np.nan
        keep += [lower, upper]
        o.lower, o.upper = address(lower), address(upper)
    if given.get("onehot") is not None:
        group = np.zeros(d, dtype=np.uintp)
        for number, members in enumerate(groups(given["onehot"]), 1):
            for name in members:
                k = input_number("onehot", name, names)
                if group[k]:
                    raise ValueError(f"onehot: '{names[k]}' is named twice")
                group[k] = number
        keep.append(group)
        o.onehot = address(group)


# Everything else of an explanation ---------------------------------------------------------

def set_slopes(o: s.ExplainOptions, keep: List[Any], value: Any) -> None:
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    if isinstance(value, (int, np.integer)):
        o.slope_nodes = count("slope_nodes", value, 1, 10 ** 6)
        return
    keep.append(take_numbers(value, "slope_nodes"))
    o.slope_list, o.slope_list_length = address(keep[-1]), len(keep[-1])


def explain_options(given: Dict[str, Any], names: Sequence[str],
                    keep: List[Any]) -> s.ExplainOptions:
    """The struct, but for what comes from the data: sigma, unit, context, reference."""
    o = options(s.ExplainOptions, "explain_options")
    for option, value in given.items():
        if value is None:
            continue
        if option in WORDS:
            setattr(o, option, word(option, value))
        elif option in REALS:
            setattr(o, option, real(option, value))
        elif option in COUNTS:
            setattr(o, option, count(option, value))
    if given.get("seed") is not None:
        o.seed = count("seed", given["seed"], 0, MOST_SEED)
    if given.get("slope_nodes") is not None:
        set_slopes(o, keep, given["slope_nodes"])
    if given.get("delta_init") is not None:
        start = take_numbers(given["delta_init"], "delta_init")
        if len(start) != len(names):
            raise ValueError(f"delta_init: {len(start)} numbers, {len(names)} inputs")
        keep.append(start)
        o.delta_init = address(start)
    set_limits(o, keep, given, names)
    return o


def scale_of(given: Any, x: np.ndarray, reference: Optional[np.ndarray],
             names: Sequence[str]) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(center, unit, which inputs got unit 1 for lack of spread)"""
    d = len(names)
    flat = np.zeros(d, dtype=np.bool_)
    if given is None or (isinstance(given, str) and given == "data"):
        return fit_scale(x)
    if isinstance(given, str) and given == "reference":
        if reference is None:
            raise ValueError("scale='reference' needs reference=")
        return fit_scale(reference)
    if isinstance(given, str) and given == "none":
        return np.zeros(d), np.ones(d), flat
    if isinstance(given, (str, os.PathLike)):
        center, unit = np.empty(d), np.empty(d)
        call("gpa_scale_read", os.fsencode(given), texts(names), d, address(center),
             address(unit))
        return center, unit, flat
    if isinstance(given, dict):
        given = (given["center"], given["unit"])
    center, unit = (vector([v[name] for name in names] if isinstance(v, dict) else v,
                           "scale", d).copy() for v in given)
    if not (np.isfinite(unit).all() and (unit > 0).all() and np.isfinite(center).all()):
        raise ValueError("scale: units must be finite and above 0, centres finite")
    return center, unit, flat
