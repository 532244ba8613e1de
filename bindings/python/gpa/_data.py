"""Arrays, data frames and files as tables of the library."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from . import _structs as s
from ._arrays import address, copy_from, matrix, vector
from ._library import Handle, call, encoded, library, options, pointer_of, texts


def is_path(x: Any) -> bool:
    return isinstance(x, (str, os.PathLike))


def is_frame(x: Any) -> bool:
    """A data frame: named columns, whoever made it."""
    return hasattr(x, "columns") and hasattr(x, "to_numpy") and hasattr(x, "__getitem__")


def is_pandas(x: Any) -> bool:
    return type(x).__module__.split(".")[0] == "pandas"


class Rows:
    """Named columns: numbers, or text where they are none. `labels` are the names as a
    pandas frame has them; `ids` what its index calls the rows; `refused` says why a column
    of text is no input."""

    def __init__(self, names: Sequence[Any], columns: List[Any], n: int,
                 labels: Optional[Sequence[Any]] = None) -> None:
        self.names, self.columns, self.n = [str(name) for name in names], columns, n
        self.labels = labels
        self.named, self.single = True, False
        self.ids: Optional[List[str]] = None
        self.refused: Dict[str, TypeError] = {}

    def without(self, name: Optional[str]) -> "Rows":
        kept = [k for k, other in enumerate(self.names) if other != name]
        found = Rows([self.names[k] for k in kept], [self.columns[k] for k in kept], self.n,
                     self.labels and [self.labels[k] for k in kept])
        found.single, found.ids, found.refused = self.single, self.ids, self.refused
        return found

    def numbers(self, name: str, what: str) -> np.ndarray:
        if name not in self.names:
            raise ValueError(f"{what}: no column '{name}'; there are "
                             f"{', '.join(self.names[:10])}")
        if name in self.refused:
            raise self.refused[name]
        return self.columns[self.names.index(name)]

    def as_text(self, name: Optional[str]) -> None:
        """The column that names rows is text, whatever is in it."""
        if name in self.names:
            k = self.names.index(name)
            self.columns[k] = self.words(k)
            self.refused.pop(self.names[k], None)

    def words(self, k: int) -> List[Optional[str]]:
        cells = self.columns[k]
        return cells if isinstance(cells, list) else [f"{v:g}" for v in cells]


class FrameRows(Rows):
    """Those of a data frame."""

    def __init__(self, x: Any, what: str) -> None:
        labels = list(x.columns)
        super().__init__(labels, [], len(x), labels if is_pandas(x) else None)
        self.frame, self.what = x, what
        for k in range(len(labels)):
            try:
                self.columns.append(self.column(k))
            except TypeError as error:
                self.refused[self.names[k]] = error
                self.columns.append(["text"] + [None] * (self.n - 1))
        index = getattr(x, "index", None)
        if index is not None and not (getattr(index, "start", None) == 0
                                      and getattr(index, "step", None) == 1):
            self.ids = [str(v) for v in index]

    def series(self, k: int) -> Any:
        by_position = getattr(self.frame, "iloc", None)
        return (by_position[:, k] if by_position is not None
                else self.frame[self.frame.columns[k]])

    def column(self, k: int) -> np.ndarray:
        series, what = self.series(k), f"{self.what}: column '{self.names[k]}'"
        kind = getattr(getattr(series, "dtype", None), "kind", "O")
        if is_pandas(self.frame) and kind in "biuf":  # also its own types with gaps
            return np.ascontiguousarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
        if str(getattr(series, "dtype", "")) == "category":
            raise TypeError(f"{what} is categorical, and numbers are needed: encode it as "
                            "numbers or leave it out")
        return vector(np.asarray(series), what)

    def words(self, k: int) -> List[Optional[str]]:
        return [str(v) for v in self.series(k)]


def array_rows(x: Any, what: str, names: Optional[Sequence[str]] = None) -> Rows:
    """Those of a plain array, or of one row of a data frame."""
    labels = None
    if hasattr(x, "index") and hasattr(x, "to_numpy"):
        if names is None:
            names = list(x.index)
            labels = names if is_pandas(x) else None
        x = x.to_numpy()
    array = np.asarray(x)
    table = matrix(x if array.dtype == object else array, what)
    n, d = table.shape
    given = [f"x{k + 1}" for k in range(d)] if names is None else list(names)
    if len(given) != d:
        raise ValueError(f"{len(given)} feature_names for {d} columns of {what}")
    found = Rows(given, [table[:, k] for k in range(d)], n, labels)
    found.named, found.single = names is not None, array.ndim == 1
    return found


def file_rows(path: Any, text_column: Optional[str], no_header: bool) -> Rows:
    """Those of a file, where something is to be added to them."""
    lib, how = library(), options(s.TableOptions, "table_options")
    how.text_column, how.no_header = encoded(text_column), no_header
    table = Handle("gpa_table_free", pointer_of("gpa_table_read", os.fsencode(path), how))
    n, names, columns = lib.gpa_table_rows(table.pointer), [], []  # type: ignore
    for k in range(lib.gpa_table_columns(table.pointer)):
        names.append(lib.gpa_table_name(table.pointer, k).decode("utf-8", "replace"))
        numbers = lib.gpa_table_numbers(table.pointer, k, None)
        columns.append(copy_from(numbers, n) if numbers else
                       [(lib.gpa_table_text(table.pointer, i, k) or b"").decode(
                           "utf-8", "replace") for i in range(n)])
    return Rows(names, columns, n)


def rows_of(x: Any, what: str, names: Optional[Sequence[str]] = None,
            text_column: Optional[str] = None, no_header: bool = False) -> Rows:
    if is_path(x):
        return file_rows(x, text_column, no_header)
    if not is_frame(x):
        return array_rows(x, what, names)
    if names is not None:
        raise ValueError(f"{what} has column names of its own; choose among them with "
                         "features= instead of feature_names=")
    return FrameRows(x, what)


def table_of(rows: Rows, what: str) -> Handle:
    """The library's copy of them."""
    columns, keep = (s.Column * len(rows.names))(), []  # type: ignore[var-annotated]
    for column, name, cells in zip(columns, rows.names, rows.columns):
        column.name = encoded(name)
        if isinstance(cells, list):
            keep.append(texts(cells))
            column.text = keep[-1]
            continue
        if cells.strides[0] < 8 or cells.strides[0] % 8:
            cells = np.ascontiguousarray(cells)
        keep.append(cells)
        column.numbers, column.stride = address(cells), cells.strides[0] // 8
    return Handle("gpa_table_free", pointer_of("gpa_table_from_columns", rows.n, columns,
                                               len(columns), what.encode()))


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
