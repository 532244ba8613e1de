"""Models that are known from inside, and asked faster than by calling them.

Trees that scikit-learn fitted are read and asked by the library: no Python in the loop, the
same predictions. That is tried, at the trees' own thresholds, before anything is explained;
whatever is not known, or comes out otherwise, is called as every model is (`quick`).
"""
from __future__ import annotations

import weakref
from typing import Any, Callable, List, NamedTuple, Optional

import numpy as np

from .. import _structs as s, _threads
from .._arrays import address
from .._library import Handle, library, options, pointer_of, texts
from ..export import Refused, Trees, taken_apart, trees_of
from .quick import twin
from .signs import Sign, sign_of

ARITHMETIC = {"float32-lt": 0, "float64-le": 1, "float32-le": 2}
OUTPUT = {"identity": 0, "exp": 1, "logistic": 2}
TRIED = 64  # rows
# Reading a node takes about a microsecond: so many, what one explanation saves by it.
MOST_NODES = 250_000
ROUNDING = 1e-12  # of the largest prediction


class Read(NamedTuple):
    """The library's handle on the trees of a model, and what the model was then."""

    sign: Sign
    names: List[str]
    handle: Optional[Handle]  # None: the predictions differ, or it cannot be read
    trees: int
    scaled: bool  # scalers come first
    floats: bool  # predict makes floats of all numbers, and refuses larger ones


_read: "weakref.WeakKeyDictionary[Any, Read]" = weakref.WeakKeyDictionary()


def owner_of(model: Any) -> Any:
    """The model behind a model's own predict."""
    if getattr(model, "__name__", "") == "predict":
        return getattr(model, "__self__", model)
    return model


def signed(model: Any, most: Optional[int]) -> Optional[Sign]:
    """What a model is now, if it is one whose trees are all that it does."""
    try:
        return sign_of(model, most)
    except (Refused, AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None  # not fitted, or of a version that keeps them elsewhere


def handle_of(trees: Trees, inputs: int, names: List[str]) -> Handle:
    """The library's copy of trees that are plain."""
    plain, head = trees, trees.head
    arrays = {"start": plain.start, "input": plain.feature.astype(np.int32),
              "left": plain.left.astype(np.int32), "right": plain.right.astype(np.int32),
              "threshold": plain.threshold, "value": plain.value}
    if plain.missing_left is not None:
        arrays["missing_left"] = plain.missing_left.astype(np.uint8)
    struct = options(s.Trees, "trees")
    struct.inputs, struct.n = inputs, len(plain.start) - 1
    if len(names) == inputs:
        struct.names = texts(names)
    for name, array in arrays.items():
        arrays[name] = np.ascontiguousarray(array)
        setattr(struct, name, address(arrays[name]))
    struct.arithmetic = ARITHMETIC[head["arithmetic"]]
    struct.output = OUTPUT[head.get("output", "identity")]
    struct.base, struct.divide = head.get("base", 0.0), head.get("divide", 1.0)
    return Handle("gpa_model_free", pointer_of("gpa_model_from_trees", struct))


def rows_to_try(trees: Trees, inputs: int) -> np.ndarray:
    """Each input at or just above one of the thresholds it is compared with; some are
    missing where trees say what becomes of those."""
    rng = np.random.default_rng(1)
    x = np.zeros((TRIED, inputs))
    for k in range(inputs):
        found = trees.threshold[(trees.feature == k) & np.isfinite(trees.threshold)]
        if len(found):
            x[:, k] = rng.choice(found, TRIED)
    x = np.where(rng.random(x.shape) < .5, x, np.nextafter(x.astype(np.float32),
                                                           np.float32(np.inf)))
    if trees.missing_left is not None:
        x[rng.random(x.shape) < .1] = np.nan
    return x


def asked(model: Any, x: np.ndarray, wrap: Optional[Callable[[Any], Any]]) -> np.ndarray:
    """What the model itself says, with one thread: starting more takes longer."""
    if getattr(model, "n_jobs", None) not in (None, 1):
        model = twin(model, n_jobs=1)
    _threads.hold()
    try:
        return np.asarray(model.predict(x if wrap is None else wrap(x)))
    finally:
        _threads.give_back()


def agree(handle: Handle, model: Any, trees: Trees, inputs: int,
          wrap: Optional[Callable[[Any], Any]]) -> bool:
    x = rows_to_try(trees, inputs)
    got = np.empty(len(x))
    err = s.ErrorText()
    if library().gpa_model_predict(handle.pointer, address(x), len(x), address(got), err) != 0:
        return False
    want = asked(model, x, wrap)
    return (want.shape == got.shape
            and bool(np.max(np.abs(got - want)) <= ROUNDING * np.max(np.abs(want))))


def read_now(model: Any, inputs: int, names: List[str], sign: Sign,
             wrap: Optional[Callable[[Any], Any]]) -> Read:
    last, steps, _ = taken_apart(getattr(model, "best_estimator_", model))
    try:
        trees = trees_of(last, steps).plain()
        handle: Optional[Handle] = handle_of(trees, inputs, names)
        if not agree(handle, model, trees, inputs, wrap):
            handle = None
        return Read(sign, names, handle, len(trees.start) - 1, bool(steps), trees.to_float)
    except Exception:  # whatever it is, the model can still be called
        return Read(sign, names, None, 0, bool(steps), False)


def read(model: Any, inputs: int, names: List[str], wrap: Optional[Callable[[Any], Any]],
         most: Optional[int] = MOST_NODES) -> Optional[Read]:
    """The trees of a model in the library, once for a model that stays as it is. `wrap` makes
    its rows what it was fitted with. None where they have more than `most` nodes."""
    sign = signed(model, most) if inputs else None
    if sign is None:
        return None
    known = _read.get(model)
    if known is None or known.sign != sign or known.names != names:
        known = _read[model] = read_now(model, inputs, names, sign, wrap)
    return known if known.handle is not None else None
