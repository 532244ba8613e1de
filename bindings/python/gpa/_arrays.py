"""NumPy arrays to addresses and back, and numbers out of whatever people hand over."""
from __future__ import annotations

import ctypes
import math
from typing import Any, Optional

import numpy as np

READ, WRITE = 0x100, 0x200

# A view of memory that Python does not own. numpy.ctypeslib makes a type for each length
# and keeps it for ever; this makes nothing that lasts.
view = ctypes.pythonapi.PyMemoryView_FromMemory
view.restype = ctypes.py_object
view.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int]


def address(a: Optional[np.ndarray]) -> Optional[int]:
    return None if a is None else a.__array_interface__["data"][0]


def look_at(start: int, *shape: int) -> np.ndarray:
    """Doubles at an address of the library, as long as they are there."""
    size = 8 * math.prod(shape)
    if size == 0:
        return np.empty(shape)
    return np.frombuffer(view(start, size, READ)).reshape(shape)


def copy_from(start: int, *shape: int) -> np.ndarray:
    """The same, copied."""
    return look_at(start, *shape).copy()


def first_text(column: np.ndarray) -> Optional[Any]:
    """The first cell that is no number."""
    for cell in column:
        try:
            float(cell)
        except (TypeError, ValueError):
            return cell
    return None


def no_numbers(what: str, values: Any) -> TypeError:
    array = np.asarray(values)
    cell = first_text(array.ravel()) if array.dtype.kind in "OSU" else None
    detail = f" such as {cell!r}" if cell is not None else ""
    return TypeError(f"{what} holds {array.dtype}{detail}, and numbers are needed: encode "
                     "it as numbers, or give a data frame, which may hold text")


def numbers(values: Any, what: str) -> np.ndarray:
    """Any array of numbers as doubles of any shape, in one block."""
    if hasattr(values, "toarray") and hasattr(values, "nnz"):
        raise TypeError(f"{what} is a sparse matrix; a dense one is needed: .toarray()")
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float64), np.nan)
    try:
        array = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"{what}: {error}") from None
    if array.dtype == np.float64 and array.flags.c_contiguous and array.flags.aligned:
        return array
    if array.dtype.kind in "biuf":
        return np.ascontiguousarray(array, dtype=np.float64)
    if array.dtype.kind == "O":
        try:
            return np.ascontiguousarray(array, dtype=np.float64)
        except (TypeError, ValueError):
            pass
    raise no_numbers(what, array)


def matrix(values: Any, what: str) -> np.ndarray:
    """Rows of numbers; a single row may be given without its brackets."""
    array = values if isinstance(values, np.ndarray) else np.asarray(values)
    if array.dtype.kind in "OSU" and array.ndim == 2:  # say which column it is
        for k in range(array.shape[1]):
            if first_text(array[:, k]) is not None:
                raise no_numbers(f"{what}: column {k}", array[:, k])
    array = numbers(values, what)
    if array.ndim not in (1, 2):
        raise ValueError(f"{what} has shape {array.shape}: rows of inputs are needed, shape "
                         "(rows, inputs), or one row")
    return array.reshape(1, -1) if array.ndim == 1 else array


def vector(values: Any, what: str, n: Optional[int] = None) -> np.ndarray:
    """One number per row; a column of them, shape (n, 1), is fine."""
    array = numbers(values, what)
    if array.ndim == 2 and array.shape[1] == 1 or array.ndim == 0:
        array = array.reshape(-1)
    if array.ndim != 1:
        raise ValueError(f"{what} has shape {array.shape}: one number per row is needed")
    if n is not None and len(array) != n:
        raise ValueError(f"{what} has {len(array)} numbers, but {n} are needed")
    return array


def frame(lines: Any, labels: Any = None, name: Any = None) -> Any:
    """A data frame, if there is pandas; with an index of these labels."""
    try:
        from pandas import DataFrame, Index
    except ImportError:
        raise ImportError("to_frame needs pandas") from None
    found = DataFrame(lines)
    if labels is not None:
        found.index = Index(labels, tupleize_cols=False,
                            name=None if name in found.columns else name)
    return found
