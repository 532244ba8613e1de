"""Rows and their names from arrays, data frames and files; which columns are which."""
from __future__ import annotations

import ctypes
import difflib
import os
from typing import Any, List, NamedTuple, Optional, Sequence

import numpy as np

from . import _structs as s
from ._arrays import address, copy_from, matrix, vector
from ._library import call, encoded, library, options, raise_for


def is_frame(x: Any) -> bool:
    """A data frame: named columns, whoever made it."""
    return hasattr(x, "columns") and hasattr(x, "to_numpy") and hasattr(x, "__getitem__")


def is_pandas(x: Any) -> bool:
    return type(x).__module__.split(".")[0] == "pandas"


class ArrayTable:
    """A plain array: columns without names, unless the caller gives them."""

    file: Optional[str] = None
    digest: Optional[str] = None
    frame: Any = None

    def __init__(self, x: Any, feature_names: Optional[Sequence[str]], what: str) -> None:
        labels = None
        if hasattr(x, "index") and hasattr(x, "to_numpy"):  # a row of a data frame
            if feature_names is None:
                self.frame, labels = x, list(x.index)
                feature_names = [str(name) for name in labels]
            x = x.to_numpy()
        array = np.asarray(x)
        self.single = array.ndim == 1
        self.x = matrix(x if array.dtype == object else array, what)
        self.named = feature_names is not None
        self.n, d = self.x.shape
        self.names = ([str(name) for name in feature_names] if feature_names is not None
                      else [f"x{k + 1}" for k in range(d)])
        if len(self.names) != d:
            raise ValueError(f"{len(self.names)} feature_names for {d} columns of {what}")
        self.labels: Sequence[Any] = labels if labels is not None else self.names

    def matrix(self, columns: Sequence[int]) -> np.ndarray:
        if list(columns) == list(range(self.x.shape[1])):
            return self.x
        return np.ascontiguousarray(self.x[:, columns])

    def numbers(self, column: int) -> np.ndarray:
        return np.ascontiguousarray(self.x[:, column])

    def ids(self, column: Optional[int]) -> Optional[List[str]]:
        return None if column is None else [f"{v:g}" for v in self.x[:, column]]


class FrameTable:
    """A data frame."""

    file: Optional[str] = None
    digest: Optional[str] = None
    named, single = True, False

    def __init__(self, x: Any, what: str) -> None:
        self.frame, self.what = x, what
        self.labels = list(x.columns)
        self.names = [str(label) for label in self.labels]
        self.n = len(x)

    def series(self, column: int) -> Any:
        by_position = getattr(self.frame, "iloc", None)
        return (by_position[:, column] if by_position is not None
                else self.frame[self.labels[column]])

    def numbers(self, column: int) -> np.ndarray:
        series, what = self.series(column), f"{self.what}: column '{self.names[column]}'"
        kind = getattr(getattr(series, "dtype", None), "kind", "O")
        if is_pandas(self.frame) and kind in "biuf":  # also its own types with gaps
            return np.ascontiguousarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
        if str(getattr(series, "dtype", "")) == "category":
            raise TypeError(f"{what} is categorical, and numbers are needed: encode it as "
                            "numbers or leave it out")
        return vector(np.asarray(series), what)

    def matrix(self, columns: Sequence[int]) -> np.ndarray:
        x = np.empty((self.n, len(columns)))
        for i, column in enumerate(columns):
            x[:, i] = self.numbers(column)
        return x

    def ids(self, column: Optional[int]) -> Optional[List[str]]:
        if column is not None:
            return [str(v) for v in self.series(column)]
        index = getattr(self.frame, "index", None)
        if index is None or (getattr(index, "start", None) == 0
                             and getattr(index, "step", None) == 1):
            return None
        return [str(v) for v in index]


class FileTable:
    """A CSV, .jsonl or .npy file, read as the command reads it."""

    frame: Any = None
    named, single = True, False

    def __init__(self, path: Any, text_column: Optional[str], no_header: bool) -> None:
        lib, self.handle = library(), ctypes.c_void_p()
        self.free = lib.gpa_table_free
        self.file = os.fspath(path)
        how = options(s.TableOptions, "table_options")
        how.text_column, how.no_header = encoded(text_column), no_header
        call("gpa_table_read", self.handle, os.fsencode(self.file), how)
        self.n = lib.gpa_table_rows(self.handle)
        self.names = [lib.gpa_table_name(self.handle, k).decode("utf-8", "replace")
                      for k in range(lib.gpa_table_columns(self.handle))]
        self.labels: Sequence[Any] = self.names
        self.digest: Optional[str] = lib.gpa_table_digest(self.handle).decode()

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.free(self.handle)

    def numbers(self, column: int) -> np.ndarray:
        err = s.ErrorText()
        start = library().gpa_table_numbers(self.handle, column, err)
        if not start:
            raise_for(3, err)
        return copy_from(start, self.n)

    def matrix(self, columns: Sequence[int]) -> np.ndarray:
        x = np.empty((self.n, len(columns)))
        for i, column in enumerate(columns):
            x[:, i] = self.numbers(column)
        return x

    def ids(self, column: Optional[int]) -> Optional[List[str]]:
        if column is None:
            return None
        found = [library().gpa_table_text(self.handle, i, column) for i in range(self.n)]
        return [(t or b"").decode("utf-8", "replace") for t in found]


def table_of(x: Any, what: str, feature_names: Optional[Sequence[str]] = None,
             text_column: Optional[str] = None, no_header: bool = False) -> Any:
    if isinstance(x, (str, os.PathLike)):
        return FileTable(x, text_column, no_header)
    if is_frame(x):
        if feature_names is not None:
            raise ValueError(f"{what} has column names of its own; choose among them with "
                             "features= instead of feature_names=")
        return FrameTable(x, what)
    return ArrayTable(x, feature_names, what)


def name_list(given: Any) -> List[str]:
    """["a", "b"] or "a,b"."""
    return given.split(",") if isinstance(given, str) else [str(name) for name in given]


def hint(name: str, names: Sequence[str]) -> str:
    near = difflib.get_close_matches(str(name), list(names), n=1)
    if near:
        return f"did you mean '{near[0]}'?"
    shown = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
    return f"there are {shown}"


def find(table: Any, name: Any, option: str) -> int:
    if name in table.names:
        return table.names.index(name)
    raise ValueError(f"{option}: no column '{name}'; {hint(name, table.names)}")


def find_all(table: Any, given: Any, option: str) -> List[int]:
    found = [find(table, name, option) for name in name_list(given)]
    for k in found:
        if found.count(k) > 1:
            raise ValueError(f"{option}: '{table.names[k]}' twice")
    return found


def by_model(table: Any, known: Sequence[str], taken: Sequence[Optional[int]]) -> List[int]:
    """The inputs by the names the model knows; none when the table has none of them."""
    free = {name: k for k, name in enumerate(table.names) if k not in taken}
    missing = [name for name in known if name not in free]
    if not known or len(missing) == len(known):
        return []
    if missing:
        raise ValueError(
            f"the model's input '{missing[0]}' is no input column of the data, but "
            f"{len(known) - len(missing)} of its {len(known)} inputs are; rename the "
            "column, or give features= in the model's order")
    return [free[name] for name in known]


def choose(table: Any, model: Any, target: Optional[int], name: Optional[int],
           features: Any, drop: Any) -> List[int]:
    """The model's inputs, in its order, as the command chooses them."""
    dropped = find_all(table, drop, "drop") if drop is not None else []
    inputs: List[int] = []
    if features is not None:
        inputs = find_all(table, features, "features")
    elif drop is None and table.named:
        inputs = by_model(table, model.names, [target, name])
    if not inputs:
        inputs = [k for k in range(len(table.names)) if k not in (target, name, *dropped)]
    for k in inputs:
        if k in (target, name):
            role = "target" if k == target else "id"
            raise ValueError(f"features: '{table.names[k]}' is the {role}")
        if k in dropped:
            raise ValueError(f"'{table.names[k]}' is both in features and in drop")
    if not inputs or model.inputs not in (0, len(inputs)):
        raise ValueError(f"the model has {model.inputs or 'some'} inputs, the data gives "
                         f"{len(inputs)}: {', '.join(table.names[k] for k in inputs[:9])}")
    return inputs


class Rows(NamedTuple):
    """Rows of inputs, ready for the library."""

    x: np.ndarray
    y: Optional[np.ndarray]
    names: List[str]
    target: Optional[str]
    ids: Optional[List[str]]
    single: bool  # one row, given without brackets
    file: Optional[str]
    digest: Optional[str]
    labels: Optional[List[Any]]  # of a pandas frame: models fitted with one want one


def outcomes(y: Any, n: int, what: str = "y") -> np.ndarray:
    y = vector(y, what)
    if len(y) != n:
        raise ValueError(f"{what} has {len(y)} numbers for {n} rows of X")
    bad = ~np.isfinite(y)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise ValueError(f"{what} is {y[row]} in row {row}; an observed outcome is needed in "
                         "every row")
    return y


def check_missing(x: np.ndarray, names: Sequence[str]) -> None:
    missing = np.argwhere(np.isnan(x))
    if len(missing):
        row, k = (int(v) for v in missing[0])
        raise ValueError(f"X has no value in row {row}, column '{names[k]}', and this model "
                         "needs all: fill it in, or drop the row")


def take_rows(model: Any, X: Any, y: Any = None, feature_names: Any = None,
              target: Any = None, features: Any = None, drop: Any = None, id: Any = None,
              no_header: bool = False) -> Rows:
    """What the caller gave as X and y."""
    if isinstance(y, str):  # a column of X
        if target is not None:
            raise TypeError("y is a column's name, and target= names one, too")
        y, target = None, y
    known = feature_names if feature_names is not None or is_frame(X) else None
    if known is None and not isinstance(X, (str, os.PathLike)) and not is_frame(X):
        known = default_names(model, X, target if y is None else None, id)
    table = table_of(X, "X", known, id, no_header)
    if table.n == 0:
        raise ValueError("X has no rows")
    name = find(table, id, "id") if id is not None else None
    column: Optional[int] = None
    if target is not None and (y is None or target in table.names):
        column = find(table, target, "target")
    elif y is None and table.file is not None:
        column = len(table.names) - 1 - (name == len(table.names) - 1)
    elif y is None:
        raise TypeError("y is missing: the observed outcomes, one per row of X, or the name "
                        "of their column (y='outcome')")
    inputs = choose(table, model, column, name, features, drop)
    x = table.matrix(inputs)
    names = [table.names[k] for k in inputs]
    if y is None:
        y, target = table.numbers(column), table.names[column]
    elif target is None:
        target = getattr(y, "name", None)
    y = outcomes(y, table.n)
    if model.refuses_missing:
        check_missing(x, names)
    labels = [table.labels[k] for k in inputs] if is_pandas(table.frame) else None
    return Rows(x, y, names, None if target is None else str(target), table.ids(name),
                table.single, table.file, table.digest, labels)


def default_names(model: Any, X: Any, target: Any, id: Any) -> Optional[List[str]]:
    """The names that the model knows, for an array that has none."""
    if target is not None or id is not None or hasattr(X, "to_numpy") or not model.names:
        return None
    shape = np.shape(X)
    return list(model.names) if shape and shape[-1] == len(model.names) else None


def take_reference(model: Any, given: Any, names: List[str], no_header: bool = False) -> Any:
    """(x, y or None) of the reference rows: the same inputs by name, or by order."""
    y = None
    if isinstance(given, tuple):
        if len(given) != 2:
            raise TypeError("reference is rows X, or a pair (X, y)")
        given, y = given
    table = table_of(given, "reference", None, None, no_header)
    if table.named:
        columns = [find(table, name, "reference") for name in names]
    else:
        columns = list(range(len(table.names)))
        if len(columns) != len(names):
            raise ValueError(f"the reference has {len(columns)} columns, X has "
                             f"{len(names)} inputs")
    if isinstance(y, str):
        y = table.numbers(find(table, y, "reference"))
    return table.matrix(columns), None if y is None else outcomes(y, table.n, "reference y")


def take_numbers(given: Any, what: str) -> np.ndarray:
    """Numbers, or the file that has them, one per line."""
    if not isinstance(given, (str, os.PathLike)):
        return vector(given, what)
    found, n = ctypes.c_void_p(), ctypes.c_size_t()
    call("gpa_numbers_read", os.fsencode(given), found, n)
    try:
        return copy_from(found.value or 0, n.value)
    finally:
        library().gpa_numbers_free(found)


def fit_scale(x: np.ndarray) -> Any:
    """(center, unit, which columns have no spread)"""
    n, d = x.shape
    center, unit, flat = np.empty(d), np.empty(d), np.zeros(d, dtype=np.bool_)
    call("gpa_scale_fit", address(x), n, d, address(center), address(unit), address(flat))
    return center, unit, flat
