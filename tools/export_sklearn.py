#!/usr/bin/env python3
"""Writes a scikit-learn regressor as a model file that gpa reads by itself.

    python3 tools/export_sklearn.py MODEL.joblib OUT.json

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
"""
import argparse
import json
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402

LARGEST = np.finfo(np.float64).max


class Refused(Exception):
    """What the model has and the file format has not."""


def name_of(thing):
    return type(thing).__name__


# Scalers: (operation, one number per input) in scikit-learn's order

def scaler_steps(scaler):
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
        raise Refused(f"{kind} before the model is not supported")
    return [(op, np.asarray(v, dtype=np.float64)) for op, v in steps if v is not None]


OPERATIONS = {"-": np.subtract, "/": np.divide, "*": np.multiply, "+": np.add,
              "max": np.maximum, "min": np.minimum}


def scaled(steps, x, inputs):
    """Numbers x of the inputs with these indices, as the scalers leave them."""
    for op, v in steps:
        x = OPERATIONS[op](x, v[inputs])
    return x


def affine(steps, inputs):
    """(a, c) with scaled x = a x + c."""
    a, c = np.ones(inputs), np.zeros(inputs)
    for op, v in steps:
        if op in ("max", "min"):
            raise Refused("MinMaxScaler with clip before this model is not supported")
        if op in "*/":
            a = OPERATIONS[op](a, v)
        c = OPERATIONS[op](c, v)
    return a, c


def ordered(bits):
    """Doubles as integers in the same order, and back."""
    return bits ^ ((bits >> 63) & np.int64(0x7FFFFFFFFFFFFFFF))


def as_bits(x):
    return ordered(np.asarray(x, dtype=np.float64).view(np.int64))


def as_double(bits):
    return ordered(bits).view(np.float64)


def unscaled(steps, thresholds, inputs, to_float):
    """The largest x that is <= the threshold once it is scaled: what goes left does not
    change by a bit, for scaling keeps the order."""
    low = as_bits(np.full(len(thresholds), -np.inf))
    high = as_bits(np.full(len(thresholds), np.inf))

    def left(bits):
        with np.errstate(over="ignore", invalid="ignore"):
            x = scaled(steps, as_double(bits), inputs)
            return (x.astype(np.float32) if to_float else x) <= thresholds

    always = left(high)
    while np.any(low + 1 < high):
        middle = low // 2 + high // 2 + (low % 2 + high % 2) // 2
        goes = left(middle)
        low, high = np.where(goes, middle, low), np.where(goes, high, middle)
    found = as_double(low)
    return np.where(always, np.inf, np.maximum(found, -LARGEST))


# Trees

def tree_lists(feature, threshold, left, right, value, missing_left=None):
    """Lists of one tree; what a node does not use is 0 or -1, an infinite threshold
    (all numbers go left) null."""
    leaf = np.asarray(left) < 0
    lists = {
        "feature": np.where(leaf, -1, feature).tolist(),
        "threshold": [None if t == np.inf else t
                      for t in np.where(leaf, 0, threshold).tolist()],
        "left": np.where(leaf, -1, left).tolist(),
        "right": np.where(leaf, -1, right).tolist(),
        "value": np.where(leaf, value, 0).tolist(),
    }
    if missing_left is not None:
        lists["missing_left"] = np.where(leaf, 0, missing_left).astype(int).tolist()
    return lists


def plain_tree(estimator, steps, rate=None):
    tree = estimator.tree_
    if tree.n_outputs != 1:
        raise Refused("a model with several outputs is not supported")
    value = tree.value[:, 0, 0]
    if rate is not None:
        value = rate * value
    split = tree.children_left >= 0
    threshold = tree.threshold.copy()
    if steps:
        threshold[split] = unscaled(steps, threshold[split], tree.feature[split], True)
    return tree_lists(tree.feature, threshold, tree.children_left, tree.children_right,
                      value)


def hist_tree(predictor, steps):
    nodes = predictor.nodes
    leaf = nodes["is_leaf"].astype(bool)
    if np.any(nodes["is_categorical"][~leaf]):
        raise Refused("categorical features of HistGradientBoostingRegressor are not "
                      "supported")
    feature = nodes["feature_idx"].astype(np.int64)
    threshold = nodes["num_threshold"].copy()
    if steps:
        threshold[~leaf] = unscaled(steps, threshold[~leaf], feature[~leaf], False)
    left = np.where(leaf, -1, nodes["left"].astype(np.int64))
    right = np.where(leaf, -1, nodes["right"].astype(np.int64))
    return tree_lists(feature, threshold, left, right, nodes["value"],
                      nodes["missing_go_to_left"])


def trees_file(model, steps):
    """The keys of the file but type, variables and inputs; trees last."""
    kind = name_of(model)
    arithmetic = "float64-le" if steps else "float32-le"
    if kind in ("DecisionTreeRegressor", "ExtraTreeRegressor"):
        return {"arithmetic": arithmetic, "trees": [plain_tree(model, steps)]}
    if kind in ("RandomForestRegressor", "ExtraTreesRegressor"):
        return {"arithmetic": arithmetic, "divide": len(model.estimators_),
                "trees": [plain_tree(t, steps) for t in model.estimators_]}
    if kind == "GradientBoostingRegressor":
        return {"arithmetic": arithmetic, "base": initial(model),
                "trees": [plain_tree(t, steps, model.learning_rate)
                          for t in model.estimators_[:, 0]]}
    links = {"IdentityLink": "identity", "LogLink": "exp"}
    link = name_of(model._loss.link)
    if link not in links:
        raise Refused(f"HistGradientBoostingRegressor with {link} is not supported")
    return {"arithmetic": "float64-le", "output": links[link],
            "base": float(np.ravel(model._baseline_prediction)[0]),
            "trees": [hist_tree(p[0], steps) for p in model._predictors]}


def initial(model):
    """What boosting starts from: a constant, or the model is refused."""
    if isinstance(model.init_, str) and model.init_ == "zero":
        return 0.0
    if name_of(model.init_) != "DummyRegressor":
        raise Refused(f"GradientBoostingRegressor that starts from "
                      f"{name_of(model.init_)} is not supported")
    return float(np.ravel(model.init_.constant_)[0])


# Other models

def linear_file(model, steps):
    w = np.asarray(model.coef_, dtype=np.float64)
    if w.ndim == 2 and len(w) == 1:
        w = w[0]
    if w.ndim != 1:
        raise Refused("a model with several outputs is not supported")
    a, c = affine(steps, len(w))
    b = float(np.ravel(model.intercept_)[0]) + float(w @ c)
    return {"w": (w * a).tolist(), "b": b}


def mlp_file(model, steps):
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


def is_linear(model):
    """Linear in its inputs, and predict gives just that."""
    from sklearn.base import is_regressor
    module = type(model).__module__
    glm = hasattr(model, "_get_loss")  # PoissonRegressor and others with a link
    return (hasattr(model, "coef_") and is_regressor(model) and not glm
            and (module.startswith("sklearn.linear_model")
                 or name_of(model) == "LinearSVR"))


def export(model):
    """The model file as a dictionary; raises Refused."""
    first, steps = model, []
    if name_of(model) == "Pipeline":
        *before, model = [step for _, step in model.steps
                          if step is not None and step != "passthrough"]
        steps = [s for scaler in before for s in scaler_steps(scaler)]
        first = before[0] if before else model
    kind = name_of(model)
    if kind in TREES:
        content = {"type": "trees", **trees_file(model, steps)}
    elif kind == "MLPRegressor":
        content = {"type": "mlp", **mlp_file(model, steps)}
    elif is_linear(model):
        content = {"type": "linear", **linear_file(model, steps)}
    else:
        raise Refused(f"{kind} is not supported; say 'exec:python3 -m gpa.worker FILE' "
                      "for it")
    names = getattr(first, "feature_names_in_", None)
    head = {"type": content.pop("type")}
    if names is not None:
        head["variables"] = [str(name) for name in names]
    if head["type"] == "trees":
        head["inputs"] = int(model.n_features_in_)
    return {**head, **content}


def write(content, path):
    """One line for each tree or layer, so that the file can be looked at."""
    long = [key for key in ("trees", "layers") if key in content]
    short = {key: value for key, value in content.items() if key not in long}
    text = json.dumps(short, allow_nan=False)[:-1]
    for key in long:
        lines = [json.dumps(item, allow_nan=False) for item in content[key]]
        text += f', "{key}": [\n' + ",\n".join(lines) + "\n]"
    with open(path, "w", encoding="ascii", newline="\n") as out:
        out.write(text + "}\n")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("out", metavar="OUT")
    options = parser.parse_args()
    import joblib
    try:
        write(export(joblib.load(options.model)), options.out)
    except (Refused, OSError) as problem:
        sys.exit(f"export_sklearn.py: {options.model}: {problem}")


if __name__ == "__main__":
    main()
