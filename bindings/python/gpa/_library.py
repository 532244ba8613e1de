"""Finds libgpa.so, declares its functions, turns statuses into exceptions."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import pathlib
import sys
import threading
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p
from typing import Any, Callable, Iterator, List, Optional

from . import _structs as s
from ._errors import BY_STATUS, Error, LibraryError

SONAME = "libgpa.so.0"
ERR = POINTER(s.ErrorText)
OUT = POINTER(c_void_p)

# name: (result, arguments). A handle of the library is a void pointer here.
STATUS = {
    "gpa_table_read": [OUT, c_char_p, POINTER(s.TableOptions), ERR],
    "gpa_table_matrix": [c_void_p, s.SIZES, c_size_t, c_bool, s.DOUBLES, ERR],
    "gpa_scale_fit": [c_void_p, c_size_t, c_size_t, s.DOUBLES, s.DOUBLES, c_void_p, ERR],
    "gpa_scale_read": [c_char_p, s.TEXTS, c_size_t, s.DOUBLES, s.DOUBLES, ERR],
    "gpa_numbers_read": [c_char_p, OUT, POINTER(c_size_t), ERR],
    "gpa_model_from_callback": [OUT, s.PREDICT, c_void_p, c_size_t, ERR],
    "gpa_model_open": [OUT, c_char_p, POINTER(s.ModelOptions), ERR],
    "gpa_model_clone": [OUT, c_void_p, ERR],
    "gpa_model_predict": [c_void_p, c_void_p, c_size_t, c_void_p, ERR],
    "gpa_model_set_inputs": [c_void_p, c_size_t, s.TEXTS, ERR],
    "gpa_predict_observed": [c_void_p, POINTER(s.Sample), c_void_p, ERR],
    "gpa_residual_sigma": [POINTER(s.Sample), POINTER(c_double), ERR],
    "gpa_score": [POINTER(s.Sample), c_double, c_void_p, POINTER(c_double), ERR],
    "gpa_explain": [OUT, c_void_p, POINTER(s.Sample), POINTER(s.ExplainOptions), ERR],
    "gpa_compare": [OUT, c_void_p, POINTER(s.Sample), s.SIZES, c_size_t,
                    POINTER(s.CompareOptions), ERR],
    "gpa_agree": [c_void_p, c_void_p, c_size_t, POINTER(s.Agreement), ERR],
    "gpa_text_new": [OUT, ERR],
    "gpa_report_begin": [c_void_p, c_int, POINTER(s.ReportInfo), c_void_p, ERR],
    "gpa_report_explanation": [c_void_p, c_int, POINTER(s.ReportInfo), c_void_p, c_size_t,
                               ERR],
    "gpa_report_end": [c_void_p, c_int, POINTER(s.ReportInfo), ERR],
    "gpa_report_scores": [c_void_p, c_int, POINTER(s.ReportInfo), POINTER(s.ScoreList), ERR],
    "gpa_report_comparison": [c_void_p, c_int, POINTER(s.ReportInfo), c_void_p, ERR],
    "gpa_plot_litmus": [c_void_p, POINTER(s.LitmusPlot), ERR],
    "gpa_plot_ridges": [c_void_p, POINTER(s.RidgePlot), ERR],
    "gpa_plot_forest": [c_void_p, POINTER(s.ForestPlot), ERR],
    "gpa_plot_scatter": [c_void_p, POINTER(s.ScatterPlot), ERR],
    "gpa_plot_scores": [c_void_p, POINTER(s.ScorePlot), ERR],
    "gpa_plot_profiles": [c_void_p, POINTER(s.ProfilePlot), ERR],
}
PLAIN = {
    "gpa_version": (c_char_p, []),
    "gpa_digest": (None, [c_void_p, c_size_t, c_char_p]),
    "gpa_table_free": (None, [c_void_p]),
    "gpa_table_rows": (c_size_t, [c_void_p]),
    "gpa_table_columns": (c_size_t, [c_void_p]),
    "gpa_table_name": (c_char_p, [c_void_p, c_size_t]),
    "gpa_table_numbers": (s.DOUBLES, [c_void_p, c_size_t, ERR]),
    "gpa_table_text": (c_char_p, [c_void_p, c_size_t, c_size_t]),
    "gpa_table_line": (c_size_t, [c_void_p, c_size_t]),
    "gpa_table_digest": (c_char_p, [c_void_p]),
    "gpa_numbers_free": (None, [s.DOUBLES]),
    "gpa_model_free": (None, [c_void_p]),
    "gpa_model_dim": (c_size_t, [c_void_p]),
    "gpa_model_variable": (c_char_p, [c_void_p, c_size_t]),
    "gpa_model_spec": (c_char_p, [c_void_p]),
    "gpa_model_in_process": (c_bool, [c_void_p]),
    "gpa_model_refuses_missing": (c_bool, [c_void_p]),
    "gpa_model_rows": (c_uint64, [c_void_p]),
    "gpa_model_calls": (c_uint64, [c_void_p]),
    "gpa_model_batch": (c_size_t, [c_void_p]),
    "gpa_model_set_batch": (None, [c_void_p, c_size_t]),
    "gpa_explanation_free": (None, [c_void_p]),
    "gpa_explanation_axis": (POINTER(s.Axis), [c_void_p, c_size_t]),
    "gpa_explanation_rows": (c_size_t, [c_void_p]),
    "gpa_comparison_free": (None, [c_void_p]),
    "gpa_text_free": (None, [c_void_p]),
    "gpa_text_data": (c_void_p, [c_void_p]),
    "gpa_text_length": (c_size_t, [c_void_p]),
    "gpa_text_clear": (None, [c_void_p]),
    "gpa_method_count": (c_size_t, []),
    "gpa_method_at": (POINTER(s.Method), [c_size_t]),
}
for _name, _struct in {
        "table_options": s.TableOptions, "model_options": s.ModelOptions,
        "explain_options": s.ExplainOptions, "attribute_options": s.AttributeOptions,
        "compare_options": s.CompareOptions, "report_info": s.ReportInfo,
        "litmus_plot": s.LitmusPlot, "ridge_plot": s.RidgePlot,
        "forest_plot": s.ForestPlot, "scatter_plot": s.ScatterPlot,
        "score_plot": s.ScorePlot, "profile_plot": s.ProfilePlot}.items():
    PLAIN[f"gpa_{_name}_init_sized"] = (None, [POINTER(_struct), c_size_t])
for _name in ("solver", "marginals", "noise", "culprit_mode", "plausible"):
    PLAIN[f"gpa_{_name}_name"] = (c_char_p, [c_int])


def tree_build() -> List[str]:
    """The build directory of the source tree this file lies in, if it does."""
    root = pathlib.Path(__file__).resolve().parents[3]
    return [str(root / "build")] if (root / "include" / "gpa" / "gpa.h").exists() else []


def remembered_build() -> List[str]:
    """The build directory of the tree that this package was installed from."""
    try:
        from ._built_from import BUILD
    except ImportError:
        return []
    return [BUILD]


def candidates() -> Iterator[str]:
    """Where the library may be, best first."""
    given = os.environ.get("GPA_LIBRARY")
    if given:
        yield given  # nothing else: who names a library wants that one
        return
    for build in [os.environ.get("GPA_BUILD_ROOT"), *tree_build()]:
        if build:
            yield os.path.join(build, "libgpa.so")
    yield os.path.join(sys.prefix, "lib", SONAME)
    yield SONAME  # wherever the dynamic linker looks
    yield f"/usr/local/lib/{SONAME}"  # before anybody ran ldconfig
    found = ctypes.util.find_library("gpa")
    if found:
        yield found
    for build in remembered_build():
        yield os.path.join(build, "libgpa.so")


def declare(lib: ctypes.CDLL) -> None:
    for name, arguments in STATUS.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = c_int, arguments
    for name, (result, arguments) in PLAIN.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments


def open_library() -> ctypes.CDLL:
    tried = []
    for path in candidates():
        try:
            lib = ctypes.CDLL(path)
            declare(lib)
            return lib
        except OSError as error:
            tried.append(f"  {path}: {error}")
        except AttributeError as error:
            tried.append(f"  {path}: another version of the library ({error})")
    raise LibraryError("libgpa.so was not found. Build it (make build), install it (make "
                       "install), or set GPA_LIBRARY to its path. Tried:\n"
                       + "\n".join(tried))


_lock = threading.Lock()
_library: Optional[ctypes.CDLL] = None


def library() -> ctypes.CDLL:
    """The library, loaded when it is first needed."""
    global _library
    if _library is None:
        with _lock:
            if _library is None:
                _library = open_library()
    return _library


def raise_for(status: int, err: s.ErrorText) -> None:
    """The exception of a status that is not GPA_OK."""
    message = err.message.decode("utf-8", "replace")
    raise BY_STATUS.get(status, Error)(message or f"status {status}")


def call(name: str, *arguments: Any) -> None:
    """Calls a function that gives a status; raises when that is not GPA_OK."""
    err = s.ErrorText()
    status = getattr(library(), name)(*arguments, err)
    if status != 0:
        raise_for(status, err)


def options(struct: Any, name: str) -> Any:
    """A struct with the library's defaults."""
    filled = struct()
    getattr(library(), f"gpa_{name}_init_sized")(filled, ctypes.sizeof(struct))
    return filled


def written(write: Callable[[Any], None]) -> str:
    """The text that `write` appends to a gpa_text."""
    lib, text = library(), c_void_p()
    call("gpa_text_new", text)
    try:
        write(text)
        return ctypes.string_at(lib.gpa_text_data(text), lib.gpa_text_length(text)).decode()
    finally:
        lib.gpa_text_free(text)


def encoded(text: Optional[str]) -> Optional[bytes]:
    """Text as the library takes it: UTF-8, and nothing behind a zero."""
    return None if text is None else text.encode("utf-8", "replace").replace(b"\0", b"?")


def texts(values: Any) -> Any:
    """An array of C strings; None stays NULL."""
    return (c_char_p * len(values))(*[encoded(v) for v in values])


def version() -> str:
    """The version of libgpa.

    >>> import gpa
    >>> gpa.library_version().split(".")[0].isdigit()
    True
    """
    return library().gpa_version().decode()
