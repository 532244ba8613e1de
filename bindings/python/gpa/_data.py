"""Arrays, data frames, Arrow streams and files as tables of the library."""
from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass, field, replace
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from . import _structs as s
from ._arrays import address, copy_from, look_at, matrix, vector
from ._errors import DataError
from ._frames import Column, Texts, column_of
from ._library import Handle, call, decoded, encoded, library, options, pointer_of, texts


def is_path(x: Any) -> bool:
    return isinstance(x, (str, os.PathLike))


def is_frame(x: Any) -> bool:
    """A data frame: named columns, whoever made it."""
    return hasattr(x, "columns") and hasattr(x, "to_numpy") and hasattr(x, "__getitem__")


def is_stream(x: Any) -> bool:
    """Columns that are handed over in memory: polars, pyarrow, DuckDB, ..."""
    return not is_pandas(x) and hasattr(x, "__arrow_c_stream__")


def is_exchanged(x: Any) -> bool:
    """A data frame of somebody's that others can read."""
    return not is_pandas(x) and not is_stream(x) and hasattr(x, "__dataframe__")


def is_pandas(x: Any) -> bool:
    return type(x).__module__.split(".")[0] == "pandas"


@dataclass
class Rows:
    """Named columns: numbers, or text where they are none."""

    names: List[str]
    columns: List[Any]
    n: int
    labels: Optional[List[Any]] = None  # the names as a pandas frame has them
    named: bool = True
    single: bool = False  # one row, given without brackets
    ids: Optional[List[str]] = None  # what the index of a frame calls the rows
    index: Any = None  # that index, unless it only counts
    refused: Dict[str, TypeError] = field(default_factory=dict)  # why a column is no input
    types: Dict[str, Column] = field(default_factory=dict)  # of a pandas frame
    floats: Any = None  # of an array of such: their type
    table: Optional[Handle] = None  # the library's, of which the columns are a view

    def place(self, name: str, column: np.ndarray) -> "Rows":
        """With this column at the end, in place of one that is called so."""
        kept = [k for k, other in enumerate(self.names) if other != name]
        return replace(self, names=[self.names[k] for k in kept] + [name],
                       columns=[self.columns[k] for k in kept] + [column],
                       labels=self.labels and [self.labels[k] for k in kept],
                       types={k: v for k, v in self.types.items() if k != name}, table=None)

    def check(self, inputs: Sequence[str], what: str) -> None:
        """Refuses inputs that are neither numbers nor text."""
        for name in inputs:
            if name in self.refused:
                raise self.refused[name]
            cells = self.columns[self.names.index(name)] if name in self.names else None
            if isinstance(cells, np.ndarray) and np.isinf(cells).any():
                row = int(np.flatnonzero(np.isinf(cells))[0])
                raise DataError(f"{what}: row {row}, column '{name}': {cells[row]} is no "
                                "number that a model could be asked about; NaN is missing")

    def numbers(self, name: str, what: str) -> np.ndarray:
        if name not in self.names:
            raise ValueError(f"{what}: no column '{name}' among {', '.join(self.names)}")
        if name in self.refused:
            raise self.refused[name]
        found = self.columns[self.names.index(name)]
        if not isinstance(found, np.ndarray):
            raise TypeError(f"{what}: column '{name}' is text, and numbers are needed")
        return found


def frame_column(series: Any, what: str, other: Any, said: Optional[str]) -> Any:
    """Cells for the library; of pandas's a column that knows the way back."""
    if is_pandas(series):
        return column_of(series, other, what, said)
    try:
        return vector(np.asarray(series), what)
    except TypeError as error:
        raise TypeError(f"{error}; of pandas's data frames text is taken, too: "
                        ".to_pandas()") from None


def column_at(x: Any, k: int) -> Any:
    return x.iloc[:, k] if hasattr(x, "iloc") else x[list(x.columns)[k]]


def frame_rows(x: Any, what: str, id: Optional[str] = None, other: Any = None,
               said: Optional[Dict[str, str]] = None,
               types: Optional[Dict[str, Column]] = None) -> Rows:
    """Those of a data frame. `other` is a frame of reference rows, whose columns are to be
    taken like these; it then comes with the `types` that this one was given."""
    labels = list(x.columns)
    rows = Rows([str(label) for label in labels], [], len(x),
                labels if is_pandas(x) else None)
    beside = {} if other is None else {
        str(label): column_at(other, k) for k, label in enumerate(other.columns)}
    for k, name in enumerate(rows.names):
        if types is not None and name in types and len(types[name].cells) == 2:
            rows.columns.append(types[name].cells[1])
            continue
        try:
            found = ([str(v) for v in column_at(x, k)] if name == id else
                     frame_column(column_at(x, k), f"{what}: column '{name}'",
                                  beside.get(name), (said or {}).get(name)))
        except TypeError as error:
            rows.refused[name] = error
            found = ["text"] + [None] * (rows.n - 1)
        if isinstance(found, Column):
            rows.types[name], found = found, found.cells[0]
        rows.columns.append(found)
    index = getattr(x, "index", None)
    if index is not None and not (getattr(index, "start", None) == 0
                                  and getattr(index, "step", None) == 1):
        rows.ids, rows.index = labels_of(index), index
    return rows


def labels_of(index: Any) -> List[str]:
    """What an index calls its rows; days without the midnight that pandas sees in them."""
    found = [str(v) for v in index]
    if hasattr(index, "normalize") and all(name.endswith(" 00:00:00") for name in found):
        return [name[:-len(" 00:00:00")] for name in found]
    return found


def row_frame(row: Any, other: Any) -> Any:
    """One row of a data frame as a frame; it lost its types, and a reference has them."""
    frame = row.to_frame().T.infer_objects().reset_index(drop=True)
    for label in frame.columns if other is not None else ():
        dtype = other[label].dtype if label in other.columns else None
        if dtype is not None and dtype != frame[label].dtype and str(dtype) != "category":
            try:
                typed = frame[label].astype(dtype)
                frame[label] = typed if (typed == frame[label]).all() else frame[label]
            except (TypeError, ValueError):
                pass
    return frame


def array_rows(x: Any, what: str, names: Optional[Sequence[Any]], id: Optional[str]) -> Rows:
    """Those of a plain array, or of one row of a data frame that is not pandas's."""
    labels = None
    if hasattr(x, "index") and hasattr(x, "to_numpy"):
        names = list(x.index) if names is None else names
        x = x.to_numpy()
    array = np.asarray(x)
    table = matrix(x if array.dtype == object else array, what)
    n, d = table.shape
    given = [f"x{k + 1}" for k in range(d)] if names is None else [str(v) for v in names]
    if len(given) != d:
        raise ValueError(f"{len(given)} feature_names for {d} columns of {what}")
    columns = [[f"{v:g}" for v in column] if name == id else column
               for name, column in zip(given, table.T)]
    return Rows(given, columns, n, labels, names is not None, array.ndim == 1,
                floats=array.dtype if array.dtype.kind == "f" else None)


def file_rows(path: Any, id: Optional[str], no_header: bool) -> Rows:
    """Those of a file, where something is to be added to them."""
    lib, how = library(), options(s.TableOptions, "table_options")
    how.text_column, how.no_header = encoded(id), no_header
    handle = Handle("gpa_table_free", pointer_of("gpa_table_read", os.fsencode(path), how))
    return table_rows(handle, id, copy_from)


def table_rows(handle: Handle, id: Optional[str], numbers: Any) -> Rows:
    """Those of a table of the library's, whose numbers are copied or looked at."""
    lib, table = library(), handle.pointer
    rows = Rows([], [], lib.gpa_table_rows(table))
    for k in range(lib.gpa_table_columns(table)):
        rows.names.append(decoded(lib.gpa_table_name(table, k)) or "")
        at = None if rows.names[k] == id else lib.gpa_table_numbers(table, k, None)
        rows.columns.append(numbers(at, rows.n) if at else [
            decoded(lib.gpa_table_text(table, i, k)) or None for i in range(rows.n)])
    return rows


def stream_rows(x: Any, what: str, id: Optional[str]) -> Rows:
    """Those of an Arrow stream, copied once: into the library's table."""
    how = options(s.TableOptions, "table_options")
    how.text_column = encoded(id)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = x.__arrow_c_stream__()  # to be kept while the stream is read
    handle = Handle("gpa_table_free", pointer_of(
        "gpa_table_from_arrow_stream", pointer(capsule, b"arrow_array_stream"), what.encode(), how))
    del capsule
    rows = table_rows(handle, id, look_at)
    rows.table = handle
    return rows


def exchanged(x: Any, what: str) -> Any:
    """A data frame of somebody's as one of pandas's, without a copy where that can be."""
    try:
        from pandas.api.interchange import from_dataframe
    except ImportError:
        raise TypeError(f"{what}: a data frame with __dataframe__ only needs pandas 1.5") from None
    return from_dataframe(x)


def rows_of(x: Any, what: str, names: Optional[Sequence[str]] = None,
            id: Optional[str] = None, no_header: bool = False, **how: Any) -> Rows:
    """`id` names the column that is text, whatever is in it; `how` goes to frame_rows."""
    if is_path(x):
        return file_rows(x, id, no_header)
    if is_stream(x) and names is None:
        return stream_rows(x, what, id)
    if is_exchanged(x):
        x = exchanged(x, what)
    if is_pandas(x) and not is_frame(x) and names is None:
        return replace(frame_rows(row_frame(x, how.get("other")), what, id, **how),
                       single=True)
    if not is_frame(x):
        return array_rows(x, what, names, id)
    if names is not None:
        raise ValueError(f"{what} has column names of its own; choose among them with "
                         "features= instead of feature_names=")
    return frame_rows(x, what, id, **how)


def table_of(rows: Rows, what: str) -> Handle:
    """The library's copy of them."""
    if rows.table is not None:
        return rows.table
    columns, keep = (s.Column * len(rows.names))(), []  # type: ignore[var-annotated]
    for column, name, cells in zip(columns, rows.names, rows.columns):
        column.name = encoded(name)
        if isinstance(cells, list):
            keep.append(texts(cells))
            column.text = keep[-1]
            continue
        if isinstance(cells, Texts):
            column.text, kept = cells.cells()
            keep.append(kept)
            continue
        if cells.strides[0] < 8 or cells.strides[0] % 8:
            cells = np.ascontiguousarray(cells)
        keep.append(cells)
        column.numbers, column.stride = address(cells), cells.strides[0] // 8
    table = Handle("gpa_table_free", pointer_of("gpa_table_from_columns", rows.n, columns,
                                                len(columns), what.encode()))
    for k, name in enumerate(rows.names):
        if name in rows.types and rows.types[name].truths:
            call("gpa_table_set_boolean", table.pointer, k)
    return table


def check_labels(y: Any, x: Any, what: str, beside: str) -> None:
    """A Series beside a frame whose rows have other labels, or stand in another order: by
    label or by place, either may be meant."""
    if not (is_pandas(y) and is_pandas(x) and hasattr(x, "columns") and hasattr(y, "index")):
        return
    if len(y) != len(x) or y.index.equals(x.index):
        return
    at = next((i for i, (a, b) in enumerate(zip(y.index, x.index)) if a != b), 0)
    raise ValueError(f"{what} and {beside} have different indexes: row {at} is called "
                     f"{y.index[at]!r} in {what} and {x.index[at]!r} in {beside}; "
                     "y.reindex(X.index) puts them together by label, y.to_numpy() takes them "
                     "as they stand")


def outcomes(y: Any, n: int, what: str = "y") -> np.ndarray:
    """One number per row; NaN where it is not known."""
    if is_pandas(y) and hasattr(y, "to_numpy") and hasattr(y, "dtype"):
        y = (y.to_numpy(dtype=np.float64, na_value=np.nan) if y.dtype.kind in "biuf"
             else y.to_numpy())
    y = vector(y, what)
    if len(y) != n:
        raise ValueError(f"{what} has {len(y)} numbers for {n} rows of X")
    if np.isinf(y).any():
        row = int(np.flatnonzero(np.isinf(y))[0])
        raise ValueError(f"{what} is {y[row]} in row {row}; a finite number is needed, or "
                         "none (NaN)")
    return y
