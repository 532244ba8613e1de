"""The structs of include/gpa/*.h, field by field. Those that begin with struct_size may be
shorter than the library's: it fills in what it knows beyond them."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, \
    c_uint64, c_void_p

DOUBLES = SIZES = BYTES = c_void_p  # the address of an array; its owner keeps it alive
TEXTS = POINTER(c_char_p)

PREDICT = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_size_t, c_void_p)
PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64)


class ErrorText(Structure):  # gpa_error
    _fields_ = [("status", c_int), ("message", c_char * 480)]


class Sample(Structure):  # gpa_sample
    _fields_ = [("x", DOUBLES), ("y", DOUBLES), ("f", DOUBLES), ("n", c_size_t),
                ("d", c_size_t)]


class TableOptions(Structure):
    _fields_ = [("struct_size", c_size_t), ("text_column", c_char_p),
                ("max_bytes", c_size_t), ("no_header", c_bool)]


class ModelOptions(Structure):
    _fields_ = [("struct_size", c_size_t), ("config", c_char_p), ("batch_rows", c_size_t),
                ("timeout", c_double), ("workers", c_size_t), ("auth", c_char_p)]


class Column(Structure):  # gpa_column
    _fields_ = [("name", c_char_p), ("numbers", DOUBLES), ("stride", c_size_t),
                ("text", TEXTS)]


class Summary(Structure):  # gpa_summary
    _fields_ = [
        ("solver", c_int), ("marginals", c_int), ("noise", c_int), ("eta", c_double),
        ("nu", c_double), ("a0", c_double), ("cb", c_double), ("sigma", c_double),
        ("kappa", c_double), ("objective", c_double), ("objective_zero", c_double),
        ("stationarity", c_double), ("converged", c_bool), ("budget_hit", c_bool),
        ("iterations", c_size_t), ("model_rows", c_uint64), ("model_calls", c_uint64),
        ("rows_map", c_uint64), ("rows_check", c_uint64), ("rows_marginals", c_uint64),
        ("nonfinite_rows", c_uint64), ("ess", c_double), ("surrogate_error", c_double),
        ("rows_culprit", c_uint64)]


class Marginal(Structure):  # gpa_marginal
    _fields_ = [("map", c_double), ("mean", c_double), ("sd", c_double),
                ("interval50", c_double * 2), ("interval90", c_double * 2),
                ("p_positive", c_double), ("information", c_double), ("points", c_size_t),
                ("grid", DOUBLES), ("density", DOUBLES)]


class Culprit(Structure):  # gpa_culprit
    _fields_ = [("probability", DOUBLES), ("single", DOUBLES), ("median", DOUBLES),
                ("low", DOUBLES), ("high", DOUBLES), ("output", c_double),
                ("set90", POINTER(c_size_t)), ("n_set90", c_size_t), ("first", c_size_t),
                ("verdict", c_int), ("plausible", c_int), ("plausible_rows", c_size_t)]


class Spread(Structure):  # gpa_spread
    _fields_ = [("mean", c_double), ("sd", c_double), ("n", c_size_t)]


class Consistency(Structure):  # gpa_consistency
    _fields_ = [("tau", Spread), ("rho", Spread), ("smr", Spread), ("hit25", Spread)]


class Agreement(Structure):
    _fields_ = [("tau", c_double), ("rho", c_double), ("smr", c_double),
                ("hit25", c_double)]


class ReportInfo(Structure):
    _fields_ = [("struct_size", c_size_t), ("model_spec", c_char_p), ("target", c_char_p),
                ("features", TEXTS), ("ids", TEXTS), ("center", DOUBLES),
                ("input_digest", c_char_p), ("model_digest", c_char_p),
                ("options_json", c_char_p), ("seed", c_uint64), ("colour", c_bool),
                ("ascii", c_bool), ("id_rows", POINTER(c_size_t)), ("n_ids", c_size_t)]


class ScoreList(Structure):
    _fields_ = [("struct_size", c_size_t), ("sample", POINTER(Sample)), ("score", DOUBLES),
                ("order", SIZES), ("n_shown", c_size_t), ("sigma", c_double),
                ("collective", c_double)]


class Method(Structure):  # gpa_method
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("training_data_free", c_bool),
                ("baseline_free", c_bool), ("sees_y", c_bool), ("distribution", c_bool),
                ("gives", c_char_p), ("label", c_char_p), ("reference_point", c_char_p)]


class Axis(Structure):  # gpa_axis
    _fields_ = [("points", c_size_t), ("change", DOUBLES), ("f", DOUBLES)]


class Curve(Structure):  # gpa_plot_curve
    _fields_ = [("x", DOUBLES), ("y", DOUBLES), ("points", c_size_t)]


class Mark(Structure):  # gpa_plot_mark
    _fields_ = [("x", c_double), ("y", c_double), ("label", c_char_p)]


HEAD = [("struct_size", c_size_t), ("width", c_double), ("title", c_char_p),
        ("note", c_char_p)]


class LitmusPlot(Structure):
    _fields_ = [*HEAD, ("n_inputs", c_size_t), ("n_columns", c_size_t), ("inputs", TEXTS),
                ("columns", TEXTS), ("score", DOUBLES), ("reasons", TEXTS)]


class Ridge(Structure):  # gpa_ridge
    _fields_ = [("density", Curve), ("prior", Curve), ("map", c_double),
                ("mean", c_double), ("interval50", c_double * 2),
                ("interval90", c_double * 2)]


class RidgePlot(Structure):
    _fields_ = [*HEAD, ("n", c_size_t), ("names", TEXTS), ("ridges", POINTER(Ridge)),
                ("beside", POINTER(Ridge)), ("heads", c_char_p * 2),
                ("x_labels", c_char_p * 2), ("values", TEXTS), ("common_height", c_bool)]


class ForestPlot(Structure):
    _fields_ = [*HEAD, ("n", c_size_t), ("names", TEXTS), ("point", DOUBLES),
                ("low50", DOUBLES), ("high50", DOUBLES), ("low90", DOUBLES),
                ("high90", DOUBLES), ("weight", DOUBLES), ("x_label", c_char_p)]


class ScatterPlot(Structure):
    _fields_ = [*HEAD, ("n", c_size_t), ("d", c_size_t), ("x", DOUBLES), ("y", DOUBLES),
                ("names", TEXTS), ("y_label", c_char_p), ("inputs", SIZES),
                ("n_inputs", c_size_t), ("marked", SIZES), ("n_marked", c_size_t),
                ("delta", DOUBLES)]


class ScorePlot(Structure):
    _fields_ = [*HEAD, ("n", c_size_t), ("score", DOUBLES), ("marked", SIZES),
                ("n_marked", c_size_t), ("labels", TEXTS), ("threshold", c_double),
                ("y_label", c_char_p)]


class Profile(Structure):  # gpa_profile
    _fields_ = [("name", c_char_p), ("f", Curve), ("map", c_double),
                ("marks", POINTER(Mark)), ("n_marks", c_size_t)]


class ProfilePlot(Structure):
    _fields_ = [*HEAD, ("n", c_size_t), ("profiles", POINTER(Profile)), ("y", c_double),
                ("noise", c_double), ("here", c_double), ("x_label", c_char_p),
                ("y_label", c_char_p)]


# By their names in the headers, for whoever compares the two.
NAMES = {
    "gpa_error": ErrorText, "gpa_sample": Sample, "gpa_table_options": TableOptions,
    "gpa_model_options": ModelOptions, "gpa_column": Column, "gpa_summary": Summary,
    "gpa_marginal": Marginal, "gpa_culprit": Culprit, "gpa_spread": Spread,
    "gpa_consistency": Consistency, "gpa_agreement": Agreement,
    "gpa_report_info": ReportInfo, "gpa_score_list": ScoreList,
    "gpa_method": Method, "gpa_axis": Axis, "gpa_plot_curve": Curve, "gpa_plot_mark": Mark,
    "gpa_litmus_plot": LitmusPlot, "gpa_ridge": Ridge, "gpa_ridge_plot": RidgePlot,
    "gpa_forest_plot": ForestPlot, "gpa_scatter_plot": ScatterPlot,
    "gpa_score_plot": ScorePlot, "gpa_profile": Profile, "gpa_profile_plot": ProfilePlot,
}
