"""Generative perturbation analysis: which inputs are responsible for a deviation between
what a regression model predicts and what was observed.

    import gpa
    e = gpa.explain(model, X, y)      # anything with .predict, or callable
    print(e)                          # who did it, and what would look normal
    e                                 # in a notebook: pictures

:func:`explain`, :func:`score`, :func:`compare`, :func:`consistency`, :func:`load_model`,
:func:`methods`, :func:`explain_batches`, ``gpa.dask.explain`` and
``gpa.sklearn.GPAExplainer``. Everything is computed by libgpa.so, which
is loaded when it is first needed: ``python3 -m gpa.worker`` does without it.
"""
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from ._compare import Agreement, Comparison, Method, compare, consistency, methods
    from ._errors import (DataError, Error, FileError, InvalidError, LibraryError,
                          MemoryFailure, ModelError, NumericError, UnsupportedError)
    from ._explain import explain
    from ._explanation import Explanation, ShapView
    from ._jobs import explain_batches
    from ._library import version as library_version
    from ._model import Model, load_model
    from ._plots import SVG
    from ._record import Alone, Culprit, Input, Level, Marginal, Verdict
    from ._score import Scores, score

__version__ = "0.1.0"

_WHERE = {
    "_compare": "Agreement Comparison Method compare consistency methods",
    "_errors": "DataError Error FileError InvalidError LibraryError MemoryFailure "
               "ModelError NumericError UnsupportedError",
    "_explain": "explain",
    "_explanation": "Explanation ShapView",
    "_jobs": "explain_batches",
    "_model": "Model load_model",
    "_plots": "SVG",
    "_record": "Alone Culprit Input Level Marginal Verdict",
    "_score": "Scores score",
}
_HOME = {name: module for module, names in _WHERE.items() for name in names.split()}

__all__ = sorted([*_HOME, "library_version", "__version__"])


def __getattr__(name: str) -> Any:
    if name == "library_version":
        found = import_module("._library", __name__).version
    elif name in _HOME:
        found = getattr(import_module("." + _HOME[name], __name__), name)
    elif name in ("dask", "sklearn"):
        return import_module("." + name, __name__)
    else:
        raise AttributeError(f"module 'gpa' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> List[str]:
    return sorted([*__all__, "dask", "sklearn"])
