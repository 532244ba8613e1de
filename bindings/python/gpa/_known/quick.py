"""scikit-learn's models, asked without what takes longer than their answers.

joblib starts threads for every call of a forest, and takes every tree as a task of its own:
some ten milliseconds for what the trees themselves do in one. Models that are scikit-learn's
own get a shallow copy with one job, in which a forest adds up its trees; the caller's stays as
it is. Whatever is not known here is asked as it is.
"""
from __future__ import annotations

import weakref
from typing import Any, Callable, Dict, Tuple

import numpy as np

FORESTS = ("RandomForestRegressor", "ExtraTreesRegressor")
INSIDE = ("best_estimator_", "regressor_", "final_estimator_")
TRIED = 16  # rows that must come out the same
# Forests whose trees were added up before and gave that.
_tried: "weakref.WeakKeyDictionary[Any, Tuple[Any, ...]]" = weakref.WeakKeyDictionary()


def is_known(model: Any) -> bool:
    return type(model).__module__.split(".")[0] == "sklearn"


def twin(model: Any, **other: Any) -> Any:
    """A copy that shares all parts but these."""
    found = object.__new__(type(model))
    found.__dict__.update(model.__dict__, **other)
    return found


class Checked:
    """Rows as a forest takes them. What it looks at besides the numbers, and what does not
    change from call to call, it looks at once."""

    def __init__(self, check: Callable[[Any], np.ndarray]) -> None:
        self.check, self.width, self.columns = check, -1, None

    def known(self, X: Any) -> Any:
        """The numbers of rows like those before; None of others."""
        if type(X) is np.ndarray:
            return X if self.columns is None else None
        columns = getattr(X, "columns", None)
        if self.columns is None or columns is None or not self.columns.equals(columns):
            return None
        return X.to_numpy()

    def __call__(self, X: Any) -> np.ndarray:
        x = self.known(X) if self.width >= 0 else None
        if x is not None and x.dtype == np.float64 and x.shape[1:] == (self.width,):
            with np.errstate(over="ignore"):
                x = x.astype(np.float32)
                if np.isfinite(x.sum()):
                    return x
        x = self.check(X)
        self.width, self.columns = x.shape[1], getattr(X, "columns", None)
        return x


def added_up(model: Any, forest: Any) -> Callable[[Any], np.ndarray]:
    """predict of a model that is a forest, tree after tree; its own where the two differ."""
    trees = [(one.tree_, one.tree_.value[:, 0, 0].copy()) for one in forest.estimators_]
    these = (type(model).predict, *(id(tree) for tree, _ in trees))
    same = True if _tried.get(model) == these else None
    checked = Checked(forest._validate_X_predict)

    def fast(X: Any) -> np.ndarray:
        x = checked(X)
        total = np.zeros(len(x))
        for tree, value in trees:
            total += value.take(tree.apply(x))
        return total / len(trees)

    def predict(X: Any) -> np.ndarray:
        nonlocal same
        if same is None:
            try:
                same = np.array_equal(fast(X[:TRIED]), forest.predict(X[:TRIED]))
            except Exception:  # of another version, or rows that are refused
                same = False
            if same:
                _tried[model] = these
        return fast(X) if same else forest.predict(X)
    return predict


def quick(model: Any) -> Any:
    """A model that gives the same answers sooner, or the model itself."""
    if not is_known(model):
        return model
    other: Dict[str, Any] = {}
    if getattr(model, "n_jobs", None) not in (None, 1):
        other["n_jobs"] = 1
    for name in INSIDE:
        part = getattr(model, name, None)
        if part is not None and quick(part) is not part:
            other[name] = quick(part)
    steps = getattr(model, "steps", None)
    if isinstance(steps, list):
        found = [(name, quick(step)) for name, step in steps]
        if any(new is not old for (_, new), (_, old) in zip(found, steps)):
            other["steps"] = found
    if type(model).__name__ in FORESTS and getattr(model, "n_outputs_", 0) == 1:
        try:
            other["predict"] = added_up(model, twin(model, n_jobs=1))
        except Exception:  # not as expected
            pass
    return twin(model, **other) if other else model


def quick_function(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same of a model's own predict."""
    owner = getattr(function, "__self__", None)
    if owner is None or getattr(function, "__name__", "") != "predict":
        return function
    found = quick(owner)
    return function if found is owner else found.predict
