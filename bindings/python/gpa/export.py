#!/usr/bin/env python3
"""Writes a scikit-learn regressor as a model file that gpa reads by itself.

    python3 -m gpa.export MODEL.joblib OUT.json

MODEL is what joblib.dump or pickle.dump wrote; load only files you trust, for a pickle
can run anything. It may be

    RandomForestRegressor, ExtraTreesRegressor, GradientBoostingRegressor,
    HistGradientBoostingRegressor, DecisionTreeRegressor, ExtraTreeRegressor
                                                            ("type": "trees")
    any linear model with coef_ and intercept_: LinearRegression, Ridge, Lasso, ...
                                                            ("type": "linear")
    MLPRegressor                                            ("type": "mlp")

or a Pipeline that ends in one of them after StandardScaler, MinMaxScaler, MaxAbsScaler or
RobustScaler, which are folded into the model. Anything else is refused by name. The file
gives the predictions of MODEL.predict: docs/connect/scikit-learn-files.md.

This file needs nothing of the package but NumPy: it is also installed by itself.
"""
from __future__ import annotations

import json
import os
import sys
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402

LARGEST = np.finfo(np.float64).max
Steps = List[Tuple[str, np.ndarray]]  # (operation, one number per input), in their order


class Refused(Exception):
    """What the model has and the file format has not."""


def not_supported(what: str) -> Refused:
    """Of what the worker can ask all the same."""
    return Refused(f"{what} is not supported; say 'exec:python3 -m gpa.worker FILE' for it")


def name_of(thing: Any) -> str:
    return type(thing).__name__


# Scalers

def scaler_steps(scaler: Any) -> Steps:
    kind = name_of(scaler)
    if kind == "StandardScaler":
        steps = [("-", scaler.mean_ if scaler.with_mean else None),
                 ("/", scaler.scale_ if scaler.with_std else None)]
    elif kind == "RobustScaler":
        steps = [("-", scaler.center_ if scaler.with_centering else None),
                 ("/", scaler.scale_ if scaler.with_scaling else None)]
    elif kind == "MaxAbsScaler":
        steps = [("/", scaler.scale_)]
    elif kind == "MinMaxScaler":
        steps = [("*", scaler.scale_), ("+", scaler.min_)]
        if scaler.clip:
            low, high = scaler.feature_range
            steps += [("max", np.full(scaler.scale_.shape, float(low))),
                      ("min", np.full(scaler.scale_.shape, float(high)))]
    else:
        raise not_supported(f"{kind} before the model")
    return [(op, np.asarray(v, dtype=np.float64)) for op, v in steps if v is not None]


OPERATIONS = {"-": np.subtract, "/": np.divide, "*": np.multiply, "+": np.add,
              "max": np.maximum, "min": np.minimum}


def scaled(steps: Steps, x: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """Numbers x of the inputs with these indices, as the scalers leave them."""
    for op, v in steps:
        x = OPERATIONS[op](x, v[inputs])
    return x


def affine(steps: Steps, inputs: int) -> Tuple[np.ndarray, np.ndarray]:
    """(a, c) with scaled x = a x + c."""
    a, c = np.ones(inputs), np.zeros(inputs)
    for op, v in steps:
        if op in ("max", "min"):
            raise not_supported("MinMaxScaler with clip before this model")
        if op in "*/":
            a = OPERATIONS[op](a, v)
        c = OPERATIONS[op](c, v)
    return a, c


def ordered(bits: np.ndarray) -> np.ndarray:
    """Doubles as integers in the same order, and back."""
    return bits ^ ((bits >> 63) & np.int64(0x7FFFFFFFFFFFFFFF))


def as_bits(x: np.ndarray) -> np.ndarray:
    return ordered(np.asarray(x, dtype=np.float64).view(np.int64))


def as_double(bits: np.ndarray) -> np.ndarray:
    return ordered(bits).view(np.float64)


INVERSE = {"-": np.add, "/": np.multiply, "*": np.divide, "+": np.subtract}
FLOATS = np.float32([-np.inf, np.inf])


def nearly_unscaled(steps: Steps, thresholds: np.ndarray, inputs: np.ndarray,
                    to_float: bool) -> np.ndarray:
    """The same as unscaled but for rounding, and where scalers clip."""
    x = thresholds
    if to_float:  # half way to the next float is the last that is rounded down
        below = x.astype(np.float32)
        below = np.where(below > x, np.nextafter(below, FLOATS[0]), below)
        x = .5 * (below + np.nextafter(below, FLOATS[1]).astype(np.float64))
    for op, v in reversed(steps):
        x = INVERSE[op](x, v[inputs]) if op in INVERSE else x
    return np.where(np.isfinite(x), x, 0)


def unscaled(steps: Steps, thresholds: np.ndarray, inputs: np.ndarray,
             to_float: bool) -> np.ndarray:
    """The largest x that is <= the threshold once it is scaled: what goes left does not
    change by a bit, for scaling keeps the order. Bits are halved between two ends, which are
    found first: in strides that grow, from where it nearly is."""
    ends = as_bits(np.array([-np.inf, np.inf]))
    low, high = (np.full(len(thresholds), end) for end in ends)

    def left(bits: np.ndarray, at: Any) -> np.ndarray:
        x = scaled(steps, as_double(bits), inputs[at])
        return (x.astype(np.float32) if to_float else x) <= thresholds[at]

    with np.errstate(all="ignore"):
        always = left(high, slice(None))
        trial = as_bits(nearly_unscaled(steps, thresholds, inputs, to_float))
        at, stride = np.arange(len(thresholds)), 1
        while len(at):
            goes = left(trial, at)
            low[at] = np.where(goes, trial, low[at])
            high[at] = np.where(goes, high[at], trial)
            at = at[low[at] + 1 < high[at]]
            a, b = low[at], high[at]
            trial = a // 2 + b // 2 + (a % 2 + b % 2) // 2
            for end, start, way in ((a == ends[0], b, -1), (b == ends[1], a, 1)):
                end &= (start > ends[0] + stride) & (start < ends[1] - stride)
                trial = np.where(end, start + way * stride, trial)
            stride = min(4 * stride, 2 ** 60)
    found = as_double(low)
    return np.where(always, np.inf, np.maximum(found, -LARGEST))


# Trees

class Trees(NamedTuple):
    """Fitted trees, one after the other: an entry of each array for each node."""

    head: Dict[str, Any]  # what else the file says of them
    steps: Steps  # scalers before them
    to_float: bool  # scaled numbers are rounded to floats before they are compared
    start: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray
    missing_left: Optional[np.ndarray] = None

    def plain(self) -> "Trees":
        """Without scalers; what a node does not use is 0 or -1. An infinite threshold: all
        numbers go left."""
        leaf = self.left < 0
        threshold = np.where(leaf, 0, self.threshold)
        if self.steps:
            split = ~leaf
            threshold[split] = unscaled(self.steps, threshold[split], self.feature[split],
                                        self.to_float)
        missing = self.missing_left
        return self._replace(
            steps=[], feature=np.where(leaf, -1, self.feature), threshold=threshold,
            left=np.where(leaf, -1, self.left), right=np.where(leaf, -1, self.right),
            value=np.where(leaf, self.value, 0),
            missing_left=None if missing is None else np.where(leaf, 0, missing))

    def lists(self) -> List[Dict[str, List[Any]]]:
        """Tree by tree, as the file has them."""
        arrays = {"feature": self.feature.tolist(),
                  "threshold": [None if t == np.inf else t for t in self.threshold.tolist()],
                  "left": self.left.tolist(), "right": self.right.tolist(),
                  "value": self.value.tolist()}
        if self.missing_left is not None:
            arrays["missing_left"] = self.missing_left.tolist()
        return [{key: values[low:high] for key, values in arrays.items()}
                for low, high in zip(self.start[:-1], self.start[1:])]


def starts(sizes: Sequence[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.uintp)


def plain_trees(estimators: Sequence[Any], steps: Steps, rate: Optional[float] = None,
                **head: Any) -> Trees:
    """Those of scikit-learn's tree_."""
    if any(getattr(one, "missing_values_in_feature_mask_", None) is not None
           for one in estimators):
        raise not_supported("a model of trees that were fitted with missing values")
    trees = [one.tree_ for one in estimators]
    if any(tree.n_outputs != 1 for tree in trees):
        raise Refused("a model with several outputs is not supported")

    def all_of(name: str) -> np.ndarray:
        return np.concatenate([getattr(tree, name) for tree in trees])
    value = np.concatenate([tree.value[:, 0, 0] for tree in trees])
    return Trees({"arithmetic": "float64-le" if steps else "float32-le", **head}, steps, True,
                 starts([tree.node_count for tree in trees]), all_of("feature"),
                 all_of("threshold"), all_of("children_left"), all_of("children_right"),
                 value if rate is None else rate * value)


def hist_trees(model: Any, steps: Steps) -> Trees:
    links = {"IdentityLink": "identity", "LogLink": "exp"}
    link = name_of(model._loss.link)
    if link not in links:
        raise not_supported(f"HistGradientBoostingRegressor with {link}")
    each = [one[0].nodes for one in model._predictors]
    start = starts([len(one) for one in each])
    nodes = np.frombuffer(b"".join(each), each[0].dtype)  # np.concatenate goes field by field
    leaf = nodes["is_leaf"].astype(bool)
    if (np.any(nodes["is_categorical"][~leaf])
            or getattr(model, "_preprocessor", None) is not None):
        raise not_supported("HistGradientBoostingRegressor with categorical features")
    left, right = (np.where(leaf, -1, nodes[side].astype(np.int64))
                   for side in ("left", "right"))
    return Trees({"arithmetic": "float64-le", "output": links[link],
                  "base": float(np.ravel(model._baseline_prediction)[0])}, steps, False,
                 start, nodes["feature_idx"].astype(np.int64),
                 nodes["num_threshold"], left, right, nodes["value"],
                 nodes["missing_go_to_left"].astype(int))


def trees_of(model: Any, steps: Steps) -> Trees:
    """The trees of a model whose name is one of TREES."""
    kind = name_of(model)
    if kind in ("DecisionTreeRegressor", "ExtraTreeRegressor"):
        return plain_trees([model], steps)
    if kind in ("RandomForestRegressor", "ExtraTreesRegressor"):
        return plain_trees(model.estimators_, steps, divide=len(model.estimators_))
    if kind == "GradientBoostingRegressor":
        return plain_trees(model.estimators_[:, 0], steps, model.learning_rate,
                           base=initial(model))
    return hist_trees(model, steps)


def initial(model: Any) -> float:
    """What boosting starts from: a constant, or the model is refused."""
    if isinstance(model.init_, str) and model.init_ == "zero":
        return 0.0
    if name_of(model.init_) != "DummyRegressor":
        raise not_supported(f"GradientBoostingRegressor that starts from "
                            f"{name_of(model.init_)}")
    return float(np.ravel(model.init_.constant_)[0])


# Other models

def linear_file(model: Any, steps: Steps) -> Dict[str, Any]:
    w = np.asarray(model.coef_, dtype=np.float64)
    if w.ndim == 2 and len(w) == 1:
        w = w[0]
    if w.ndim != 1:
        raise Refused("a model with several outputs is not supported")
    a, c = affine(steps, len(w))
    b = float(np.ravel(model.intercept_)[0]) + float(w @ c)
    return {"w": (w * a).tolist(), "b": b}


def mlp_file(model: Any, steps: Steps) -> Dict[str, Any]:
    if model.out_activation_ != "identity" or model.coefs_[-1].shape[1] != 1:
        raise Refused("a network with several outputs is not supported")
    weights = [np.asarray(w, dtype=np.float64) for w in model.coefs_]
    biases = [np.asarray(b, dtype=np.float64) for b in model.intercepts_]
    a, c = affine(steps, len(weights[0]))
    biases[0] = biases[0] + c @ weights[0]
    weights[0] = weights[0] * a[:, None]
    return {"activation": model.activation,
            "layers": [{"W": w.tolist(), "b": b.tolist()}
                       for w, b in zip(weights, biases)]}


TREES = ("RandomForestRegressor", "ExtraTreesRegressor", "GradientBoostingRegressor",
         "HistGradientBoostingRegressor", "DecisionTreeRegressor", "ExtraTreeRegressor")


def is_linear(model: Any) -> bool:
    """Linear in its inputs, and predict gives just that."""
    from sklearn.base import is_regressor
    module = type(model).__module__
    glm = hasattr(model, "_get_loss")  # PoissonRegressor and others with a link
    return (hasattr(model, "coef_") and is_regressor(model) and not glm
            and (module.startswith("sklearn.linear_model")
                 or name_of(model) == "LinearSVR"))


def taken_apart(model: Any) -> Tuple[Any, Steps, Any]:
    """What predicts, the scalers before it, and what sees the rows first."""
    if name_of(model) != "Pipeline":
        return model, [], model
    *before, last = [step for _, step in model.steps
                     if step is not None and step != "passthrough"]
    return last, [s for scaler in before for s in scaler_steps(scaler)], [*before, last][0]


def export(model: Any) -> Dict[str, Any]:
    """The model file as a dictionary; raises Refused."""
    model, steps, first = taken_apart(model)
    kind = name_of(model)
    if kind in TREES:
        trees = trees_of(model, steps)
        content = {"type": "trees", **trees.head, "trees": trees.plain().lists()}
    elif kind == "MLPRegressor":
        content = {"type": "mlp", **mlp_file(model, steps)}
    elif is_linear(model):
        content = {"type": "linear", **linear_file(model, steps)}
    else:
        raise not_supported(kind)
    names = getattr(first, "feature_names_in_", None)
    head = {"type": content.pop("type")}
    if names is not None:
        head["variables"] = [str(name) for name in names]
    if head["type"] == "trees":
        head["inputs"] = int(model.n_features_in_)
    return {**head, **content}


def write(content: Dict[str, Any], path: Any) -> None:
    """One line for each tree or layer, so that the file can be looked at."""
    long = [key for key in ("trees", "layers") if key in content]
    short = {key: value for key, value in content.items() if key not in long}
    text = json.dumps(short, allow_nan=False)[:-1]
    for key in long:
        lines = [json.dumps(item, allow_nan=False) for item in content[key]]
        text += f', "{key}": [\n' + ",\n".join(lines) + "\n]"
    with open(path, "w", encoding="ascii", newline="\n") as out:
        out.write(text + "}\n")


def main() -> None:
    import argparse
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("out", metavar="OUT")
    options = parser.parse_args()
    import joblib
    try:
        write(export(joblib.load(options.model)), options.out)
    except (Refused, OSError) as problem:
        sys.exit(f"gpa.export: {options.model}: {problem}")


if __name__ == "__main__":
    main()
