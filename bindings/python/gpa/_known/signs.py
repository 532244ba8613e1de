"""Whether a model is still what it was when its trees were read.

All that its predictions come from is looked at: the numbers of its trees and scalers, by their
checksums, and who predicts. What that finds costs a fraction of reading the trees again.
"""
from __future__ import annotations

import zlib
from typing import Any, Iterator, Optional, Tuple

import numpy as np

from ..export import TREES, Steps, initial, name_of, taken_apart
from .quick import is_known

Sign = Tuple[Any, ...]  # equal to another one: the same predictions


def own(kind: type, method: str) -> Any:
    """A method as its class has it. Asked for by its name, one that is there on a condition
    (`available_if`) is another object every time."""
    return next((vars(base)[method] for base in kind.__mro__ if method in vars(base)), None)


def asked_of(model: Any) -> Iterator[Tuple[Any, str]]:
    """Whoever has a part in a prediction, and by which method."""
    yield model, "predict"
    inner = getattr(model, "best_estimator_", None)
    if inner is not None:
        yield inner, "predict"
        model = inner
    if name_of(model) == "Pipeline":
        *before, (_, last) = model.steps
        for _, step in before:
            if step is not None and step != "passthrough":
                yield step, "transform"
        yield last, "predict"
        model = last
    for one in np.ravel(getattr(model, "estimators_", [])):
        yield one, "predict"


def methods(model: Any) -> Optional[Sign]:
    """The methods of all of them; None where one is not scikit-learn's own."""
    found = {}
    for part, method in asked_of(model):
        if method in vars(part) or not is_known(part):
            return None
        found[type(part), method] = own(type(part), method)
    return tuple(found.items())


def checksum(array: np.ndarray) -> Tuple[int, int]:
    return array.size, zlib.crc32(np.ascontiguousarray(array).view(np.uint8).reshape(-1))


def tree_numbers(model: Any) -> Sign:
    """Those of a model whose name is one of TREES."""
    if name_of(model) == "HistGradientBoostingRegressor":
        return (name_of(model._loss.link), np.ravel(model._baseline_prediction).tolist(),
                getattr(model, "_preprocessor", None) is None,
                *(checksum(one.nodes) for stage in model._predictors for one in stage))
    boosted = name_of(model) == "GradientBoostingRegressor"
    trees = [one.tree_.__getstate__() for one in np.ravel(getattr(model, "estimators_", model))]
    return (*((model.learning_rate, initial(model)) if boosted else ()),
            *((checksum(one["nodes"]), checksum(one["values"])) for one in trees))


def step_numbers(steps: Steps) -> Sign:
    return tuple((op, v.tobytes()) for op, v in steps)


def nodes_of(model: Any) -> int:
    """How many there are in all trees of a model whose name is one of TREES."""
    if name_of(model) == "HistGradientBoostingRegressor":
        return sum(len(one.nodes) for stage in model._predictors for one in stage)
    return sum(one.tree_.node_count for one in np.ravel(getattr(model, "estimators_", model)))


def sign_of(model: Any, most: Optional[int] = None) -> Optional[Sign]:
    """Of a model that may be read: scikit-learn's own trees, behind scalers or in a search
    perhaps, of so many nodes at most. None of others; what is not fitted raises."""
    who = methods(model) if is_known(model) else None
    if who is None:
        return None
    last, steps, _ = taken_apart(getattr(model, "best_estimator_", model))
    if name_of(last) not in TREES or most is not None and nodes_of(last) > most:
        return None
    return who, name_of(last), step_numbers(steps), tree_numbers(last)
