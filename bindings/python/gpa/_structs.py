"""The structs of include/gpa/*.h, field by field. Those that begin with struct_size may be
shorter than the library's: it fills in what it knows beyond them."""
from __future__ import annotations

import ctypes
import re
from ctypes import POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, \
    c_uint64, c_void_p
from typing import Any, List, Tuple

DOUBLES = SIZES = c_void_p  # the address of an array; its owner keeps it alive
TEXTS = POINTER(c_char_p)

PREDICT = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_size_t, c_void_p)
PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64)


def each(kind: Any, names: str) -> List[Tuple[str, Any]]:
    return [(name, kind) for name in names.split()]


class ErrorText(Structure):  # gpa_error
    _fields_ = [("status", c_int), ("message", c_char * 480)]


class Sample(Structure):
    _fields_ = [*each(DOUBLES, "x y f"), *each(c_size_t, "n d")]


class TableOptions(Structure):
    _fields_ = [("struct_size", c_size_t), ("text_column", c_char_p),
                ("max_bytes", c_size_t), ("no_header", c_bool)]


class ModelOptions(Structure):
    _fields_ = [("struct_size", c_size_t), ("config", c_char_p), ("batch_rows", c_size_t),
                ("timeout", c_double), ("workers", c_size_t), ("auth", c_char_p)]


class Trees(Structure):
    _fields_ = [*each(c_size_t, "struct_size inputs n"), ("start", SIZES),
                *each(c_void_p, "input left right"), *each(DOUBLES, "threshold value"),
                ("missing_left", c_void_p), *each(c_int, "arithmetic output"),
                *each(c_double, "base divide"), ("names", TEXTS)]


class Column(Structure):
    _fields_ = [("name", c_char_p), ("numbers", DOUBLES), ("stride", c_size_t),
                ("text", TEXTS)]


class Summary(Structure):
    _fields_ = [
        *each(c_int, "solver marginals noise"),
        *each(c_double, "eta nu a0 cb sigma kappa objective objective_zero stationarity"),
        *each(c_bool, "converged budget_hit"), ("iterations", c_size_t),
        *each(c_uint64, "model_rows model_calls rows_map rows_check rows_marginals"),
        ("nonfinite_rows", c_uint64), *each(c_double, "ess surrogate_error"),
        ("rows_culprit", c_uint64), ("marginal_change", c_double),
        ("marginals_still", c_bool)]


class Marginal(Structure):
    _fields_ = [*each(c_double, "map mean sd"), *each(c_double * 2, "interval50 interval90"),
                *each(c_double, "p_positive information"), ("points", c_size_t),
                *each(DOUBLES, "grid density"), ("levels", c_size_t),
                *each(DOUBLES, "level mass")]


class Culprit(Structure):
    _fields_ = [*each(DOUBLES, "probability single median low high"), ("output", c_double),
                ("set90", POINTER(c_size_t)), *each(c_size_t, "n_set90 first"),
                *each(c_int, "verdict plausible"), ("plausible_rows", c_size_t),
                ("likeliest", c_size_t * 3), ("n_likeliest", c_size_t),
                ("exchanged", c_bool), ("p_likeliest", c_double),
                ("evidence", DOUBLES * 4), ("output_evidence", c_double),
                ("responsible", DOUBLES)]


class Axis(Structure):
    _fields_ = [("points", c_size_t), *each(DOUBLES, "change f level"), ("gap", c_bool)]


class Input(Structure):
    _fields_ = [*each(c_int, "kind writing"), *each(c_bool, "inferred whole"),
                *each(c_double, "low high missing"), ("levels", c_size_t),
                ("level", DOUBLES), ("level_name", TEXTS), ("rare", c_void_p),
                ("group", c_size_t), ("dropped", c_bool), *each(c_char_p, "name label")]


class Spread(Structure):
    _fields_ = [*each(c_double, "mean sd"), ("n", c_size_t)]


class Consistency(Structure):
    _fields_ = each(Spread, "tau rho smr hit25")


class Agreement(Structure):
    _fields_ = each(c_double, "tau rho smr hit25")


class Method(Structure):
    _fields_ = [*each(c_char_p, "name title"),
                *each(c_bool, "training_data_free baseline_free sees_y distribution"),
                *each(c_char_p, "gives label reference_point positive")]


class ReportInfo(Structure):
    _fields_ = [("struct_size", c_size_t), *each(c_char_p, "model_spec target"),
                *each(TEXTS, "features ids"), ("center", DOUBLES),
                *each(c_char_p, "input_digest model_digest options_json"),
                ("seed", c_uint64), *each(c_bool, "colour ascii"),
                ("id_rows", POINTER(c_size_t)), ("n_ids", c_size_t),
                ("version", c_char_p), ("full", c_bool), ("background", c_void_p),
                *each(c_size_t, "width explanations"), ("marked", SIZES),
                ("n_marked", c_size_t), ("inputs", POINTER(Input)), ("notes", TEXTS),
                ("n_notes", c_size_t), ("verbose", c_bool), ("units", TEXTS),
                ("target_unit", c_char_p), ("paths", c_bool)]


class Background(Structure):
    _fields_ = [*each(c_size_t, "struct_size n d total"), ("rows", SIZES),
                *each(DOUBLES, "x y f score")]


class ScoreList(Structure):
    _fields_ = [("struct_size", c_size_t), ("sample", POINTER(Sample)), ("score", DOUBLES),
                ("order", SIZES), ("n_shown", c_size_t), *each(c_double, "sigma collective")]


# Pictures

HEAD = [("struct_size", c_size_t), ("width", c_double), *each(c_char_p, "title note")]


class Curve(Structure):  # gpa_plot_curve
    _fields_ = [*each(DOUBLES, "x y"), ("points", c_size_t)]


class LitmusPlot(Structure):
    _fields_ = [*HEAD, *each(c_size_t, "n_inputs n_columns"), *each(TEXTS, "inputs columns"),
                ("score", DOUBLES), ("reasons", TEXTS), ("full", DOUBLES),
                ("legend", c_char_p)]


class Ridge(Structure):
    _fields_ = [*each(Curve, "density prior"), *each(c_double, "map mean"),
                *each(c_double * 2, "interval50 interval90")]


class RidgePlot(Structure):
    _fields_ = [*HEAD, ("n", c_size_t), ("names", TEXTS),
                *each(POINTER(Ridge), "ridges beside"), *each(c_char_p * 2, "heads x_labels"),
                ("values", TEXTS), ("common_height", c_bool), ("kinds", POINTER(Input)),
                ("now", DOUBLES)]


class ForestPlot(Structure):
    _fields_ = [*HEAD, ("n", c_size_t), ("names", TEXTS),
                *each(DOUBLES, "point low50 high50 low90 high90 weight"),
                ("x_label", c_char_p), ("words", TEXTS)]


class ScatterPlot(Structure):
    _fields_ = [*HEAD, *each(c_size_t, "n d"), *each(DOUBLES, "x y"), ("names", TEXTS),
                ("y_label", c_char_p), ("inputs", SIZES), ("n_inputs", c_size_t),
                ("marked", SIZES), ("n_marked", c_size_t), ("delta", DOUBLES),
                ("rows", SIZES), ("kinds", POINTER(Input))]


class ScorePlot(Structure):
    _fields_ = [*HEAD, ("n", c_size_t), ("score", DOUBLES), ("marked", SIZES),
                ("n_marked", c_size_t), ("labels", TEXTS), ("threshold", c_double),
                ("y_label", c_char_p)]


class Profile(Structure):
    _fields_ = [("name", c_char_p), ("f", Curve), ("map", c_double),
                ("marks", c_void_p), ("n_marks", c_size_t)]


class ProfilePlot(Structure):
    _fields_ = [*HEAD, ("n", c_size_t), ("profiles", POINTER(Profile)),
                *each(c_double, "y noise here"), *each(c_char_p, "x_label y_label"),
                ("kinds", POINTER(Input)), ("now", DOUBLES), ("seen", POINTER(Curve)),
                ("interval90", DOUBLES)]


# By their names in the headers, for whoever compares the two: SPELLED or the class's own.
SPELLED = {"ErrorText": "error", "Curve": "plot_curve"}
NAMES = {"gpa_" + SPELLED.get(name, re.sub("(?<!^)(?=[A-Z])", "_", name).lower()): struct
         for name, struct in list(globals().items())
         if isinstance(struct, type) and issubclass(struct, Structure)
         and struct is not Structure}
