"""Finds libgpa.so, declares its functions, turns statuses into exceptions."""
from __future__ import annotations

import ctypes
import ctypes.util
import functools
import itertools
import os
import pathlib
import re
import sys
import threading
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p
from typing import Any, Callable, Iterator, List, Optional, Tuple

from . import _structs as s
from ._errors import BY_STATUS, Error, LibraryError

SONAME = "libgpa.so.0"
ERR = POINTER(s.ErrorText)
OUT = POINTER(c_void_p)
INFO = POINTER(s.ReportInfo)

# A handle of the library is a void pointer here. Functions that give a status: arguments.
STATUS = {
    "gpa_table_read": [OUT, c_char_p, POINTER(s.TableOptions)],
    "gpa_table_from_arrow_stream": [OUT, c_void_p, c_char_p, POINTER(s.TableOptions)],
    "gpa_table_from_columns": [OUT, c_size_t, POINTER(s.Column), c_size_t, c_char_p],
    "gpa_table_set_boolean": [c_void_p, c_size_t],
    "gpa_model_open": [OUT, c_char_p, POINTER(s.ModelOptions)],
    "gpa_model_from_trees": [OUT, POINTER(s.Trees)],
    "gpa_model_clone": [OUT, c_void_p],
    "gpa_model_predict": [c_void_p, c_void_p, c_size_t, c_void_p],
    "gpa_model_set_inputs": [c_void_p, c_size_t, s.TEXTS],
    "gpa_study_new": [OUT, c_char_p],
    "gpa_study_set": [c_void_p, c_char_p, c_char_p],
    "gpa_study_set_numbers": [c_void_p, c_char_p, s.DOUBLES, c_size_t],
    "gpa_study_set_file": [c_void_p, c_char_p],
    "gpa_study_open_rows": [c_void_p],
    "gpa_study_open": [c_void_p],
    "gpa_study_explanations": [c_void_p, s.SIZES, c_size_t, c_bool, OUT],
    "gpa_study_compare": [c_void_p, s.SIZES, c_size_t, OUT],
    "gpa_saved_parse": [OUT, c_char_p, c_size_t, c_char_p],
    "gpa_saved_explanation": [OUT, c_void_p, c_size_t],
    "gpa_explanation_pack": [c_void_p, c_void_p],
    "gpa_explanation_unpack": [OUT, c_char_p, c_size_t],
    "gpa_saved_comparison": [OUT, c_void_p],
    "gpa_agree": [c_void_p, c_void_p, c_size_t, POINTER(s.Agreement)],
    "gpa_text_new": [OUT],
    "gpa_report_begin": [c_void_p, c_int, INFO, c_void_p],
    "gpa_report_explanation": [c_void_p, c_int, INFO, c_void_p, c_size_t],
    "gpa_report_answer": [c_void_p, INFO, c_void_p],
    "gpa_report_end": [c_void_p, c_int, INFO],
    "gpa_report_scores": [c_void_p, c_int, INFO, POINTER(s.ScoreList)],
    "gpa_report_comparison": [c_void_p, c_int, INFO, c_void_p],
}
# The others: (result, arguments, names).
PLAIN: List[Tuple[Any, List[Any], str]] = [
    (None, [c_void_p], "table_free model_free study_free saved_free explanation_free "
                       "comparison_free text_free"),
    (None, [c_void_p, c_void_p], "study_set_table study_set_model"),
    (None, [c_void_p, s.PREDICT, c_void_p, c_size_t, s.TEXTS], "study_set_predict"),
    (None, [c_void_p, c_void_p, c_bool], "study_set_reference"),
    (None, [c_void_p, s.PROGRESS, c_void_p], "study_set_progress"),
    (c_bool, [c_void_p], "model_in_process model_refuses_missing"),
    (c_int, [c_void_p], "saved_type"),
    (c_size_t, [], "method_count"),
    (c_size_t, [c_void_p], "table_rows table_columns model_dim study_rows study_dim "
                           "explanation_rows explanation_dim comparison_rows comparison_dim "
                           "comparison_methods text_length"),
    (c_size_t, [c_void_p, c_size_t], "explanation_row comparison_row"),
    (c_uint64, [c_void_p], "model_rows attribution_model_rows"),
    (c_bool, [c_void_p], "explanation_spread_known"),
    (c_double, [c_void_p], "study_sigma study_collective attribution_output"),
    (c_char_p, [], "version"),
    (c_char_p, [c_int], "solver_name noise_name plausible_name"),
    (c_char_p, [c_char_p, c_size_t], "study_option"),
    (c_char_p, [c_void_p], "model_spec study_target"),
    (c_char_p, [c_void_p, c_size_t], "table_name model_variable study_note study_input "
                                     "explanation_note"),
    (c_char_p, [c_void_p, c_size_t, c_size_t], "table_text comparison_skipped"),
    (c_void_p, [c_void_p], "study_model text_data"),
    (c_void_p, [c_void_p, c_size_t, c_size_t], "comparison_at"),
    (s.SIZES, [c_void_p, POINTER(c_size_t)], "study_chosen"),
    (s.DOUBLES, [c_void_p], "study_x study_y study_f study_score explanation_x explanation_y "
                            "explanation_f explanation_score explanation_f_moved "
                            "explanation_b explanation_delta explanation_delta_raw "
                            "explanation_unit attribution_score attribution_responsible"),
    (s.DOUBLES, [c_void_p, c_size_t, ERR], "table_numbers"),
    (INFO, [c_void_p], "study_info saved_info"),
    (POINTER(s.Input), [c_void_p, c_size_t], "study_kind"),
    (POINTER(s.Summary), [c_void_p], "explanation_summary"),
    (POINTER(s.Marginal), [c_void_p, c_size_t], "explanation_marginal"),
    (POINTER(s.Culprit), [c_void_p], "explanation_culprit"),
    (POINTER(s.Axis), [c_void_p, c_size_t], "explanation_axis"),
    (POINTER(s.Consistency), [c_void_p, c_size_t], "comparison_consistency"),
    (POINTER(s.Method), [c_size_t], "method_at"),
    (POINTER(s.Method), [c_void_p, c_size_t], "comparison_method"),
]
# Structs with defaults; those of pictures by the functions that draw them.
DEFAULTS = {"table_options": s.TableOptions, "model_options": s.ModelOptions,
            "trees": s.Trees, "background": s.Background, "report_info": s.ReportInfo,
            "score_list": s.ScoreList}
PICTURES = {"litmus": s.LitmusPlot, "ridges": s.RidgePlot, "forest": s.ForestPlot,
            "scatter": s.ScatterPlot, "scores": s.ScorePlot, "profiles": s.ProfilePlot}


def tree_build() -> List[str]:
    """The build directory of the source tree this file lies in, if it does."""
    root = pathlib.Path(__file__).resolve().parents[3]
    return [str(root / "build")] if (root / "include" / "gpa" / "gpa.h").exists() else []


def candidates() -> Iterator[str]:
    """Where the library may be, best first."""
    given = os.environ.get("GPA_LIBRARY")
    if given:
        yield given  # nothing else: who names a library wants that one
        return
    if os.environ.get("GPA_BUILD_ROOT"):
        yield os.path.join(os.environ["GPA_BUILD_ROOT"], "libgpa.so")
    carried = pathlib.Path(__file__).resolve().with_name(SONAME)
    if carried.exists():  # a wheel's own, which fits it
        yield str(carried)
        return
    for build in tree_build():
        yield os.path.join(build, "libgpa.so")
    yield os.path.join(sys.prefix, "lib", SONAME)
    yield SONAME  # wherever the dynamic linker looks
    yield f"/usr/local/lib/{SONAME}"  # before anybody ran ldconfig
    found = ctypes.util.find_library("gpa")
    if found:
        yield found


def plot_name(picture: str) -> str:
    """gpa_plot_ridges draws a gpa_ridge_plot."""
    return (picture if picture == "litmus" else picture.rstrip("s")) + "_plot"


def declare(lib: ctypes.CDLL) -> None:
    plain = [(result, arguments, f"gpa_{name}") for result, arguments, names in PLAIN
             for name in names.split()]
    plain += [(c_int, [*arguments, ERR], name) for name, arguments in STATUS.items()]
    plain += [(c_int, [c_void_p, POINTER(struct), ERR], f"gpa_plot_{name}")
              for name, struct in PICTURES.items()]
    structs = {**DEFAULTS, **{plot_name(name): struct for name, struct in PICTURES.items()}}
    plain += [(None, [POINTER(struct), c_size_t], f"gpa_{name}_init_sized")
              for name, struct in structs.items()]
    for result, arguments, name in plain:
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


def texts_of(function: Any, of: Any) -> List[bytes]:
    """function(of, i) for i = 0, 1, ... until it gives none."""
    found = (function(of, i) for i in itertools.count())
    return list(itertools.takewhile(lambda text: text is not None, found))


@functools.lru_cache(None)
def option_names(command: str) -> List[str]:
    """The options of a command, as arguments."""
    return [name.decode().replace("-", "_")
            for name in texts_of(library().gpa_study_option, command.encode())]


def spoken(message: bytes) -> str:
    """What the library says, with the command's options as arguments: "give --sigma" is
    "give sigma=", "--top: ..." is "top: ...", "--scale reference" is "scale='reference'",
    "--marginal-rows N" is "marginal_rows=N"."""
    known = {*option_names("explain"), *option_names("compare")}

    def argument(found: Any) -> str:
        name, value = found[1].replace("-", "_"), found[2]
        if name not in known:
            return found[0]
        if value and value != "FILE":
            return f"{name}={value}" if value == "N" else f"{name}='{value}'"
        return name if found.start() == 0 else f"{name}="
    text = message.decode("utf-8", "replace").replace("warning: ", "", 1)
    text = re.sub(r"(mean|or) --(id|drop) ([^\s?]+)", r"\1 \2='\3'", text)
    words = "exec: " in text and text.rpartition(": ")[0] or ""  # not ours
    text = words + re.sub(r"--([a-z][a-z0-9-]*)(?: (reference|thorough|exact|all|N|FILE)\b)?",
                          argument, text[len(words):])
    return text + ", or reference=(X, y) with observed rows" * text.endswith("give sigma=")


def raise_for(status: int, err: s.ErrorText) -> None:
    """The exception of a status that is not GPA_OK."""
    raise BY_STATUS.get(status, Error)(spoken(err.message) or f"status {status}")


def call(name: str, *arguments: Any) -> None:
    """Calls a function that gives a status; raises when that is not GPA_OK."""
    err = s.ErrorText()
    status = getattr(library(), name)(*arguments, err)
    if status != 0:
        raise_for(status, err)


def pointer_of(name: str, *arguments: Any) -> c_void_p:
    """What a function puts into its first argument."""
    out = c_void_p()
    call(name, out, *arguments)
    return out


class Handle:
    """Something of the library's, freed at the end."""

    def __init__(self, free: str, pointer: c_void_p) -> None:
        self.free, self.pointer = getattr(library(), free), pointer

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            self.free(self.pointer)


def options(struct: Any, name: str) -> Any:
    """A struct with the library's defaults."""
    filled = struct()
    getattr(library(), f"gpa_{name}_init_sized")(filled, ctypes.sizeof(struct))
    return filled


def written_bytes(write: Callable[[Any], None]) -> bytes:
    """What `write` appends to a gpa_text."""
    lib, text = library(), Handle("gpa_text_free", pointer_of("gpa_text_new"))
    write(text.pointer)
    return ctypes.string_at(lib.gpa_text_data(text.pointer),
                            lib.gpa_text_length(text.pointer))


def written(write: Callable[[Any], None]) -> str:
    """The same as text."""
    return written_bytes(write).decode()


def encoded(text: Optional[str]) -> Optional[bytes]:
    """Text as the library takes it: UTF-8, and nothing behind a zero."""
    return None if text is None else text.encode("utf-8", "replace").replace(b"\0", b"?")


def decoded(text: Optional[bytes]) -> Optional[str]:
    return None if text is None else text.decode("utf-8", "replace")


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
