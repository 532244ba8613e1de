#!/usr/bin/env python3
"""Writes the models and inputs in this folder; expect.js then adds what ONNX Runtime
says about them.

    make.py [FOLDER]

Needs numpy, scikit-learn, onnx and torch (Debian: python3-sklearn python3-onnx
python3-torch). The tree ensembles are scikit-learn's, written node by node in the lists
that skl2onnx uses; the networks are written by torch.onnx.export; the rest is made by
hand, to meet every operator. Each model has a table NAME.csv beside it: a column per
input, with values at random, on and around thresholds, and special ones.
"""
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
FOLDER = FOLDER if FOLDER.is_dir() else FOLDER.parent
FLOAT, DOUBLE = TensorProto.FLOAT, TensorProto.DOUBLE
SPECIAL = [0.0, -0.0, 1e-30, -1e30, 3.5e38, np.inf, -np.inf]


def grid(rng, n, d, width=3.0):
    """Short numbers that float holds exactly."""
    return np.round(rng.uniform(-width, width, (n, d)) * 64) / 64


def text(v):
    """The shortest text of a number; of a float where it is one."""
    if np.isnan(v):
        return "nan"
    with np.errstate(over="ignore"):
        return repr(float(v)) if float(np.float32(v)) != v else \
            str(np.float32(v)) if float(str(np.float32(v))) == v else repr(float(v))


def write_table(name, x):
    lines = [",".join(f"x{k}" for k in range(x.shape[1]))]
    lines += [",".join(text(v) for v in row) for row in x]
    (FOLDER / f"{name}.csv").write_text("\n".join(lines) + "\n")


def save(name, nodes, x, inputs=None, outputs=("y",), constants=(), opset=15, ml=3,
         kind=FLOAT, batch="N"):
    """A graph made by hand, and its table."""
    inputs = inputs or {"X": x.shape[1]}
    graph = helper.make_graph(
        nodes, name,
        [helper.make_tensor_value_info(n, kind, [batch, k] if k else [batch])
         for n, k in inputs.items()],
        [helper.make_tensor_value_info(n, kind if "Tree" not in nodes[-1].op_type
                                       else FLOAT, None) for n in outputs],
        [numpy_helper.from_array(np.asarray(v), n) for n, v in dict(constants).items()])
    model = helper.make_model(graph, producer_name="libgpa tests", opset_imports=[
        helper.make_opsetid("", opset), helper.make_opsetid("ai.onnx.ml", ml)])
    model.ir_version = 8
    onnx.save(model, FOLDER / f"{name}.onnx")
    write_table(name, x)


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs, outputs, **attributes)


def ml(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs, outputs, domain="ai.onnx.ml", **attributes)


# Trees -------------------------------------------------------------------------------

def not_above(t):
    """The largest float that is not above a double: x <= t stays what it was."""
    f = np.float32(t)
    return float(np.nextafter(f, np.float32(-np.inf)) if f > t else f)


class Ensemble:
    """Collects trees in the operator's lists."""

    def __init__(self):
        self.a = {k: [] for k in (
            "nodes_treeids nodes_nodeids nodes_featureids nodes_modes nodes_values "
            "nodes_hitrates nodes_truenodeids nodes_falsenodeids "
            "nodes_missing_value_tracks_true target_treeids target_nodeids target_ids "
            "target_weights").split()}

    def node(self, tree, at, feature=0, value=0.0, yes=0, no=0, mode="LEAF", tracks=0):
        for key, v in (("treeids", tree), ("nodeids", at), ("featureids", feature),
                       ("modes", mode), ("values", float(value)), ("hitrates", 1.0),
                       ("truenodeids", yes), ("falsenodeids", no),
                       ("missing_value_tracks_true", tracks)):
            self.a["nodes_" + key].append(v)

    def leaf(self, tree, at, weight):
        self.node(tree, at)
        for key, v in (("treeids", tree), ("nodeids", at), ("ids", 0),
                       ("weights", float(weight))):
            self.a["target_" + key].append(v)

    def add_sklearn(self, tree, t, factor):
        for i in range(t.node_count):
            if t.children_left[i] < 0:
                self.leaf(tree, i, np.float32(t.value[i, 0, 0] * factor))
            else:
                self.node(tree, i, t.feature[i], not_above(t.threshold[i]),
                          t.children_left[i], t.children_right[i], "BRANCH_LEQ")

    def thresholds(self):
        return [(f, v) for f, v, m in zip(self.a["nodes_featureids"],
                                          self.a["nodes_values"],
                                          self.a["nodes_modes"]) if m != "LEAF"]

    def rows(self, rng, d, n=12, per=8, nan=True):
        """Random rows; rows on thresholds and just beside them; special rows."""
        x = [grid(rng, n, d)]
        t = self.thresholds()
        for k in rng.permutation(len(t))[:per]:
            for v in (t[k][1], np.nextafter(np.float32(t[k][1]), np.float32(np.inf)),
                      np.nextafter(np.float32(t[k][1]), np.float32(-np.inf))):
                row = grid(rng, 1, d)
                row[0, t[k][0]] = v
                x.append(row)
        for v in SPECIAL[:-3] + [np.inf, -np.inf] + [np.nan] * nan:
            row = grid(rng, 1, d)
            row[0, rng.integers(d)] = v
            x += [row, np.full((1, d), v)]
        return np.vstack(x)

    def op(self, inputs=("X",), outputs=("y",), **extra):
        lists = {k: v for k, v in self.a.items() if len(v)}
        return ml("TreeEnsembleRegressor", list(inputs), list(outputs), n_targets=1,
                  **lists, **extra)


def trees():
    from sklearn.ensemble import (GradientBoostingRegressor,
                                  HistGradientBoostingRegressor, RandomForestRegressor)
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300, 5))
    y = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.1 * rng.normal(size=300) + 20

    forest = RandomForestRegressor(3, max_depth=4, random_state=1).fit(x, y)
    e = Ensemble()
    for i, t in enumerate(forest.estimators_):
        e.add_sklearn(i, t.tree_, 1 / 3)
    save("forest", [e.op()], e.rows(rng, 5))

    boosted = GradientBoostingRegressor(n_estimators=5, max_depth=3,
                                        random_state=1).fit(x, y)
    e = Ensemble()
    for i, t in enumerate(boosted.estimators_[:, 0]):
        e.add_sklearn(i, t.tree_, boosted.learning_rate)
    save("boosted", [e.op(base_values=[float(boosted.init_.constant_[0, 0])])],
         e.rows(rng, 5))

    x[rng.random(x.shape) < 0.1] = np.nan
    hist = HistGradientBoostingRegressor(max_iter=4, max_leaf_nodes=9,
                                         random_state=1).fit(x, y)
    e = Ensemble()
    for i, (p,) in enumerate(hist._predictors):
        for k, n in enumerate(p.nodes):
            if n["is_leaf"]:
                e.leaf(i, k, n["value"])
            else:
                e.node(i, k, n["feature_idx"], not_above(n["num_threshold"]), n["left"],
                       n["right"], "BRANCH_LEQ", int(n["missing_go_to_left"]))
    save("missing", [e.op(base_values=[float(hist._baseline_prediction.ravel()[0])])],
         e.rows(rng, 5))


def modes():
    """Every kind of comparison, with and without missing values on the way of yes; ids
    that do not start at 0 and nodes in disorder; the mean of the trees."""
    rng = np.random.default_rng(2)
    e = Ensemble()
    for tree, mode in enumerate(["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT"]):
        for tracks in (0, 1):
            t = 10 * tree + tracks
            first, second = sorted(np.round(rng.uniform(-1, 1, 2), 3))
            e.node(t, 3, tree % 3, first, 7, 5, mode, tracks)
            e.node(t, 5, (tree + 1) % 3, second, 9, 8, mode, 1 - tracks)
            for at, w in zip((7, 8, 9), rng.uniform(-5, 5, 3)):
                e.leaf(t, at, np.float32(w))
    x = e.rows(rng, 3, per=99)
    save("modes", [e.op(aggregate_function="AVERAGE", base_values=[0.25])], x)

    # Two kinds of comparison in one tree, over zero; a tree that is a leaf; a root that
    # comes first but whose number does not.
    e = Ensemble()
    e.node(0, 0, 0, 0.0, 1, 2, "BRANCH_LT")
    e.node(0, 1, 1, 0.5, 3, 4, "BRANCH_GT", 1)
    e.node(0, 2, 1, -0.5, 5, 6, "BRANCH_LEQ")
    for at in (3, 4, 5, 6):
        e.leaf(0, at, at / 8)
    e.leaf(1, 0, 100)
    e.node(2, 9, 1, 0.25, 10, 4, "BRANCH_LEQ")
    e.node(2, 4, 0, -0.25, 2, 12, "BRANCH_GTE")
    for at in (2, 12, 10):
        e.leaf(2, at, at)
    save("mixed", [e.op()], e.rows(rng, 2, per=99))


def double_trees():
    """Thresholds that only double can tell apart."""
    rng = np.random.default_rng(3)
    e = Ensemble()
    for t in range(4):
        e.node(t, 0, t % 2, 0.1 * (t + 1), 1, 2, "BRANCH_LEQ")
        e.node(t, 1, 1 - t % 2, -1 / 3, 3, 4, "BRANCH_LT")
        for at, w in zip((2, 3, 4), rng.uniform(-5, 5, 3)):
            e.leaf(t, at, w)
    x = [grid(rng, 10, 2)]
    for feature, t in e.thresholds():
        for v in (t, np.nextafter(t, 9), np.nextafter(t, -9)):
            row = grid(rng, 1, 2)
            row[0, feature] = v
            x.append(row)
    a = {k: v for k, v in e.a.items() if k not in ("nodes_values", "nodes_hitrates",
                                                   "target_weights")}
    for key in ("nodes_values", "target_weights"):
        a[key + "_as_tensor"] = numpy_helper.from_array(np.array(e.a[key]), key)
    a["base_values_as_tensor"] = numpy_helper.from_array(np.array([0.1]), "base")
    n = ml("TreeEnsembleRegressor", ["X"], ["y"], n_targets=1, **a)
    save("trees_double", [n], np.vstack(x), kind=DOUBLE)


# Pipelines as scikit-learn's ---------------------------------------------------------

def pipelines():
    from sklearn.neural_network import MLPRegressor
    from sklearn.svm import SVR
    rng = np.random.default_rng(4)
    x = rng.normal(size=(200, 4)) * [1, 10, 0.1, 3] + [0, 50, 0, -7]
    y = x[:, 0] + 0.1 * x[:, 1] + np.sin(x[:, 3])
    mean, sd = x.mean(0).astype(np.float32), x.std(0).astype(np.float32)
    rows = np.round((rng.normal(size=(24, 4)) * sd + mean) * 64) / 64
    scale = ml("Scaler", ["X"], ["s"], offset=mean.tolist(), scale=(1 / sd).tolist())
    z = (x - mean) / sd

    w = np.linalg.lstsq(np.c_[z, np.ones(200)], y, rcond=None)[0].astype(np.float32)
    special = np.vstack([rows, np.full((1, 4), np.nan), np.full((1, 4), 1e30)])
    save("linear", [scale, ml("LinearRegressor", ["s"], ["y"], targets=1,
                              coefficients=w[:4].tolist(),
                              intercepts=w[4:].tolist())], special)

    # One input per column, as in a pipeline that selects columns by name.
    e = Ensemble()
    from sklearn.tree import DecisionTreeRegressor
    for i in range(3):
        t = DecisionTreeRegressor(max_depth=3, random_state=i, splitter="random")
        e.add_sklearn(i, t.fit(z.astype(np.float32), y).tree_, 1 / 3)
    save("columns", [node("Concat", ["age", "load", "flow", "temp"], ["X"], axis=1),
                     scale, e.op(["s"])], rows,
         inputs={"age": 1, "load": 1, "flow": 1, "temp": 1})

    net = MLPRegressor((6, 5), activation="tanh", random_state=1, max_iter=300)
    net.fit(z, y)
    nodes = [scale, node("Cast", ["s"], ["h0"], to=FLOAT)]
    constants = {}
    for i, (c, b) in enumerate(zip(net.coefs_, net.intercepts_)):
        constants[f"c{i}"] = c.astype(np.float32)
        constants[f"b{i}"] = b.astype(np.float32)[None]
        nodes += [node("MatMul", [f"h{i}", f"c{i}"], [f"m{i}"]),
                  node("Add", [f"m{i}", f"b{i}"], [f"a{i}"])]
        if i < 2:
            nodes.append(node("Tanh", [f"a{i}"], [f"h{i + 1}"]))
    constants["to"] = np.array([-1, 1])
    nodes.append(node("Reshape", ["a2", "to"], ["y"]))
    save("mlp_sklearn", nodes, rows, constants=constants)
    constants["to"] = np.array([4, 1])  # the same, made for four rows at a time
    save("four_rows", nodes, rows, constants=constants, batch=4)

    for kernel in ("rbf", "poly", "linear", "sigmoid"):
        m = SVR(kernel=kernel, gamma=0.3, coef0=0.5, degree=2, C=0.1).fit(z[:25], y[:25])
        save(f"svm_{kernel}", [scale, ml(
            "SVMRegressor", ["s"], ["y"], kernel_type=kernel.upper(),
            kernel_params=[0.3, 0.5, 2.0], n_supports=len(m.support_),
            coefficients=m.dual_coef_.ravel().tolist(), rho=m.intercept_.tolist(),
            support_vectors=m.support_vectors_.ravel().tolist())], rows[:12])

    # Missing values filled, rows normed, some columns taken.
    holes = rows.copy()
    holes[rng.random(holes.shape) < 0.3] = np.nan
    holes[5] = 0
    nodes = [ml("Imputer", ["X"], ["i"], replaced_value_float=float("nan"),
                imputed_value_floats=mean.tolist()),
             ml("Normalizer", ["i"], ["n1"], norm="L1"),
             ml("Normalizer", ["i"], ["n2"], norm="L2"),
             ml("Binarizer", ["i"], ["bin"], threshold=1.5),
             ml("ArrayFeatureExtractor", ["n2", "pick"], ["p"]),
             ml("FeatureVectorizer", ["n1", "p", "bin"], ["v"], inputdimensions=[4, 2, 4]),
             ml("LinearRegressor", ["v"], ["y"], coefficients=[1, -2, 3, 4, 5, 6, .1,
                                                               .2, .3, .4])]
    save("prepared", nodes, holes, constants={"pick": np.array([3, 1])})


# Operators ---------------------------------------------------------------------------

def operators():
    """One output per operator, so that each is compared by itself."""
    rng = np.random.default_rng(5)
    x = np.vstack([grid(rng, 16, 3), np.array([SPECIAL[:3], [1e30, -1e30, 0.5],
                                               [np.inf, -np.inf, 2.5],
                                               [0.5, -0.5, 1.5], [88.5, -88.5, 20],
                                               [1, np.nan, 2], [1, 2, np.nan]])])
    plain = ("Abs Neg Exp Sqrt Log Reciprocal Floor Ceil Round Sign Sin Cos Tan Atan Erf "
             "Relu Tanh Sigmoid Softplus Softsign HardSwish LeakyRelu Elu Celu Selu "
             "ThresholdedRelu HardSigmoid").split()
    nodes, outputs = [], []

    def ends(name):
        """A row's three numbers to one, without hiding any of them."""
        nodes.append(node("Gather", [name, "pick"], [name + "_"], axis=1))
        outputs.append(name + "_")

    for op in plain:
        positive = op in ("Sqrt", "Log")
        nodes.append(node("Abs", ["X"], ["abs_" + op])) if positive else None
        nodes.append(node(op, ["abs_" + op if positive else "X"], [op]))
        ends(op)
    for op, attributes in (("LeakyRelu", {"alpha": 0.2}), ("Elu", {"alpha": 1.5}),
                           ("Celu", {"alpha": 2.0}), ("ThresholdedRelu", {"alpha": 0.25}),
                           ("Selu", {"alpha": 1.5, "gamma": 2.0}),
                           ("HardSigmoid", {"alpha": 0.4, "beta": 0.25})):
        nodes.append(node(op, ["X"], [op + "2"], **attributes))
        ends(op + "2")
    for name, inputs in (("Clip0", ["X"]), ("Clip1", ["X", "low"]),
                         ("Clip2", ["X", "", "high"]), ("Clip3", ["X", "low", "high"]),
                         ("Clip4", ["X", "high", "low"])):
        nodes.append(node("Clip", inputs, [name]))
        ends(name)
    save("unary", nodes, x, outputs=outputs, constants={
        "pick": np.array([1]), "low": np.float32(-1.25), "high": np.float32(0.75)})

    nodes, outputs = [], []
    pairs = {"row": np.float32([[1.5, -2, 0.5]]), "list": np.float32([3, 0.5, -1]),
             "one": np.float32(2.5), "pick": np.array([1]), "two": np.float32([2]),
             "whole": np.array(3), "half": np.float32(0.5)}
    for op in "Add Sub Mul Div".split():
        for name, (a, b) in {"row": ("X", "row"), "left": ("list", "X"),
                             "one": ("X", "one"), "self": ("X", "Z")}.items():
            nodes.append(node(op, [a, b], [op + name]))
            ends(op + name)
    nodes[:0] = [node("Slice", ["X", "s", "e", "ax"], ["Z"])]
    pairs.update(s=np.array([2]), e=np.array([3]), ax=np.array([1]))
    for name, exponent in (("square", "two"), ("cube", "whole")):
        nodes.append(node("Pow", ["X", exponent], ["Pow" + name]))
        ends("Pow" + name)
    nodes += [node("Abs", ["X"], ["A"]), node("Pow", ["A", "half"], ["Powhalf"]),
              node("Pow", ["A", "Z"], ["Powself"]),
              node("Max", ["X", "row", "Z"], ["Max"]),
              node("Min", ["X", "list", "Z"], ["Min"]),
              node("Sum", ["X", "row", "X"], ["Sum"]),
              node("PRelu", ["X", "list"], ["PRelu"]),
              node("Less", ["X", "Z"], ["less"]),
              node("Greater", ["X", "one"], ["greater"]),
              node("LessOrEqual", ["X", "row"], ["lesseq"]),
              node("GreaterOrEqual", ["X", "row"], ["greatereq"]),
              node("Equal", ["X", "Z"], ["equal"]),
              node("And", ["lesseq", "greatereq"], ["and"]),
              node("Or", ["less", "greater"], ["or"]), node("Not", ["or"], ["not"]),
              node("Where", ["not", "X", "row"], ["Where"]),
              node("Where", ["and", "one", "X"], ["Where2"])]
    for name in ("less", "greater", "lesseq", "greatereq", "equal", "and", "or", "not"):
        nodes.append(node("Cast", [name], ["cast_" + name], to=FLOAT))
        ends("cast_" + name)
    for name in "Powhalf Powself Max Min Sum PRelu Where Where2".split():
        ends(name)
    x2 = x.copy()
    x2[0] = [1.5, -2, 1.5]
    save("binary", nodes, x2, outputs=outputs, constants=pairs)


def shapes():
    """Numbers moved about, and shapes that are computed."""
    rng = np.random.default_rng(6)
    x = grid(rng, 12, 6)
    nodes, outputs = [], []

    def ends(name, n=None):
        """The numbers of a row, weighted so that their order counts."""
        n = n or {"value": 6}["value"]
        nodes.extend([node("Reshape", [name, "flat"], [name + "f"]),
                      node("MatMul", [name + "f", f"w{n}"], [name + "_"])])
        outputs.append(name + "_")

    nodes += [node("Reshape", ["X", "cube"], ["C"]),
              node("Transpose", ["C"], ["T"], perm=[0, 2, 1])]
    ends("T")
    nodes.append(node("Gather", ["C", "swap"], ["G"], axis=2))
    ends("G")
    nodes.append(node("Gather", ["C", "first"], ["G1"], axis=1))
    ends("G1", 3)
    nodes.append(node("Slice", ["X", "s1", "e1", "a1", "st1"], ["S"]))
    ends("S", 3)
    nodes.append(node("Slice", ["C", "s2", "e2", "a2"], ["S2"]))
    ends("S2", 2)
    nodes.append(node("Split", ["X", "parts"], ["P0", "P1", "P2"], axis=1))
    nodes.append(node("Concat", ["P2", "P0", "P1"], ["J"], axis=-1))
    ends("J")
    nodes.append(node("Concat", ["P0", "P1", "P2"], ["J0"], axis=1))
    ends("J0")
    nodes.append(node("Concat", ["C", "T2"], ["J2"], axis=2))
    nodes.insert(-1, node("Neg", ["C"], ["T2"]))
    ends("J2", 12)
    nodes += [node("Unsqueeze", ["X", "ax"], ["U"]), node("Squeeze", ["U", "ax"], ["Q"]),
              node("Unsqueeze", ["Q", "last"], ["U2"]), node("Squeeze", ["U2"], ["Q2"])]
    ends("Q2")
    # x.view(x.size(0), -1) as torch writes it, and a size that is a product.
    nodes += [node("Shape", ["C"], ["sh"]), node("Gather", ["sh", "zero"], ["n"]),
              node("Unsqueeze", ["n", "zeros"], ["n1"]),
              node("Concat", ["n1", "minus"], ["to"], axis=0),
              node("Reshape", ["C", "to"], ["V"]),
              node("Gather", ["sh", "ones"], ["d1"]), node("Gather", ["sh", "twos"], ["d2"]),
              node("Mul", ["d1", "d2"], ["d12"]),
              node("Concat", ["n1", "d12"], ["to2"], axis=0),
              node("Reshape", ["C", "to2"], ["V2"]), node("Flatten", ["C"], ["F"])]
    for name in ("V", "V2", "F"):
        ends(name)
    nodes += [node("Constant", [], ["k1"], value_floats=[1.0, 2, 3, 4, 5, 6]),
              node("Constant", [], ["k2"], value_float=0.5),
              node("Mul", ["k1", "k2"], ["k3"]), node("Sqrt", ["k3"], ["k4"]),
              node("Mul", ["X", "k4"], ["K"]), node("Identity", ["K"], ["I"]),
              node("Dropout", ["I"], ["D"])]
    ends("D")
    # A matrix for each of two lines, and a vector.
    nodes += [node("MatMul", ["C", "m"], ["M"]), node("MatMul", ["X", "v"], ["N"]),
              node("Reshape", ["N", "column"], ["N_"]),
              node("Transpose", ["m"], ["mt"]), node("MatMul", ["mt", "m"], ["mm"]),
              node("MatMul", ["P1", "mm"], ["MM"])]
    outputs.append("N_")
    ends("M", 4)
    ends("MM", 2)
    for op in "ReduceMean ReduceMin ReduceMax ReduceL1 ReduceL2 ReduceSumSquare".split():
        nodes.append(node(op, ["C"], [op], axes=[2], keepdims=0))
        ends(op, 2)
        nodes.append(node(op, ["C"], [op + "k"], axes=[1]))
        ends(op + "k", 3)
        nodes.append(node(op, ["C"], [op + "b"], axes=[-1, 1], keepdims=0))
        nodes.append(node("Reshape", [op + "b", "column"], [op + "b_"]))
        outputs.append(op + "b_")
    nodes.append(node("ReduceSum", ["C", "last"], ["RS"], keepdims=0))
    ends("RS", 2)
    constants = {
        "flat": np.array([0, -1]), "cube": np.array([-1, 2, 3]),
        "swap": np.array([2, -3, 1]), "first": np.array(1), "s1": np.array([5]),
        "e1": np.array([-100]), "a1": np.array([1]), "st1": np.array([-2]),
        "s2": np.array([0, -1]), "e2": np.array([2**60, 3]), "a2": np.array([1, -1]),
        "parts": np.array([1, 2, 3]), "ax": np.array([1]), "last": np.array([-1]),
        "zero": np.array(0), "zeros": np.array([0]), "ones": np.array([1]),
        "twos": np.array([2]), "minus": np.array([-1]), "column": np.array([-1, 1]),
        "m": np.float32(rng.integers(-4, 5, (3, 2))),
        "v": np.float32(rng.integers(-4, 5, 6))}
    for n in (2, 3, 4, 6, 12):
        constants[f"w{n}"] = np.float32(np.arange(1, n + 1) ** 2)[:, None]
    save("shapes", nodes, x, outputs=outputs, constants=constants)


def dense():
    rng = np.random.default_rng(7)
    x = grid(rng, 20, 4)
    r = lambda *s: rng.normal(size=s).astype(np.float32)
    save("gemm", [node("Gemm", ["X", "a", "b"], ["h"], transB=1, alpha=0.5, beta=2.0),
                  node("Gemm", ["h", "c"], ["i"], alpha=-1.5),
                  node("Gemm", ["i", "d", "one"], ["j"]),
                  node("BatchNormalization", ["j", "g", "be", "mu", "va"], ["k"],
                       epsilon=1e-3),
                  node("LayerNormalization", ["k", "g", "be"], ["l"], epsilon=1e-2),
                  node("Gelu", ["l"], ["m"]),
                  node("Gemm", ["m", "e", "f"], ["y"], transB=1)],
         x, opset=20, constants={
             "a": r(7, 4), "b": r(7), "c": r(7, 13), "d": r(13, 3), "one": r(),
             "g": r(3), "be": r(3), "mu": r(3), "va": np.abs(r(3)), "e": r(1, 3),
             "f": r(1, 1)})

    # Inputs and output without a second dimension.
    save("lists", [node("Mul", ["width", "height"], ["a"]), node("Sqrt", ["a"], ["b"]),
                   node("Max", ["b", "height", "half"], ["c"]),
                   node("Unsqueeze", ["c", "one"], ["d"]),
                   node("Gemm", ["d", "e", "f"], ["g"]), node("Squeeze", ["g", "one"], ["h"]),
                   node("Sub", ["h", "width"], ["y"])], np.abs(grid(rng, 20, 2)),
         inputs={"width": 0, "height": 0},
         constants={"half": np.float32([0.5]), "one": np.array([1]), "e": r(1, 1),
                    "f": r(1)})

    # The numbers in a second file, in a folder below.
    rows = grid(rng, 10, 4)
    save("external", [node("MatMul", ["X", "a"], ["h"]), node("Relu", ["h"], ["i"]),
                      node("MatMul", ["i", "b"], ["y"])], rows,
         constants={"a": r(4, 5), "b": r(5, 1)})
    model = onnx.load(FOLDER / "external.onnx")
    (FOLDER / "weights").mkdir(exist_ok=True)
    (FOLDER / "weights/external.bin").unlink(missing_ok=True)
    onnx.save(model, str(FOLDER / "external.onnx"), save_as_external_data=True,
              location="weights/external.bin", size_threshold=0)


# Networks by torch -------------------------------------------------------------------

def networks():
    import torch
    from torch import nn
    torch.manual_seed(8)
    rng = np.random.default_rng(8)

    class Residual(nn.Module):
        """Slices, sums, norms and a view by its own size."""

        def __init__(self):
            super().__init__()
            self.a, self.b, self.norm = nn.Linear(5, 8), nn.Linear(11, 1), nn.LayerNorm(8)

        def forward(self, x):
            h = self.norm(nn.functional.gelu(self.a(x)))
            h = h + torch.tanh(h) * 0.5
            h = torch.cat([h.view(x.size(0), -1), x[:, 1:4]], dim=1)
            return self.b(h).squeeze(1) * 3 + x[:, 0]

    def export(name, net, x, dynamic=True, **options):
        net = net.eval()
        for m in net.modules():  # as if trained
            if isinstance(m, nn.Linear):
                m.weight.data.mul_(2)
            if isinstance(m, nn.BatchNorm1d):
                m.running_mean.uniform_(-1, 1)
                m.running_var.uniform_(0.5, 2)
        kind = next(net.parameters()).dtype
        axes = {"x": {0: "rows"}, "y": {0: "rows"}} if dynamic else None
        torch.onnx.export(net, torch.as_tensor(x[:1], dtype=kind), FOLDER / f"{name}.onnx",
                          input_names=["x"], output_names=["y"], dynamic_axes=axes,
                          **options)
        write_table(name, x)

    x = np.vstack([grid(rng, 20, 5), np.full((1, 5), 20.), np.full((1, 5), -20.)])
    export("torch_relu", nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 9),
                                       nn.ReLU(), nn.Linear(9, 1)), x)
    export("torch_zoo", nn.Sequential(
        nn.Linear(5, 6), nn.BatchNorm1d(6), nn.Tanh(), nn.Dropout(0.3), nn.Linear(6, 6),
        nn.SiLU(), nn.Linear(6, 6), nn.LeakyReLU(0.1), nn.Linear(6, 1)), x)
    export("torch_zoo2", nn.Sequential(
        nn.Linear(5, 6), nn.ELU(), nn.Linear(6, 6), nn.Softplus(), nn.Linear(6, 6),
        nn.PReLU(6), nn.Linear(6, 4), nn.Sigmoid(), nn.Flatten(), nn.Linear(4, 1)), x)
    export("torch_residual", Residual(), x)
    export("torch_residual17", Residual(), x, opset_version=17)
    export("torch_old", nn.Sequential(nn.Linear(5, 4), nn.Hardtanh(), nn.Linear(4, 1)), x,
           opset_version=9, keep_initializers_as_inputs=True)
    export("torch_one_row", nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.ReLU(),
                                          nn.Linear(8, 1)), x, dynamic=False)
    export("torch_double", nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 6),
                                         nn.ReLU(), nn.Linear(6, 1)).double(), x)


# What must be refused ----------------------------------------------------------------

REFUSED = {}


def refuse(name, nodes, inputs=None, outputs=("y",), constants=(), opset=15, mlset=3,
           kind=FLOAT):
    """A model that has to be refused: its bytes go to a list."""
    info = helper.make_tensor_value_info
    inputs = [info("X", kind, ["N", 3])] if inputs is None else inputs
    tensors = [v if isinstance(v, TensorProto) else numpy_helper.from_array(np.asarray(v), n)
               for n, v in dict(constants).items()]
    graph = helper.make_graph(nodes, "g", inputs, [info(n, FLOAT, None) for n in outputs],
                              tensors)
    sets = [helper.make_opsetid(d, v) for d, v in (("", opset), ("ai.onnx.ml", mlset)) if v]
    model = helper.make_model(graph, opset_imports=sets)
    model.producer_name = ""
    model.ir_version = 8
    REFUSED[name] = model.SerializeToString()


def external(**entries):
    """A tensor [3, 1] whose numbers are elsewhere."""
    t = TensorProto(name="w", data_type=FLOAT, dims=[3, 1], data_location=1)
    for key, value in entries.items():
        t.external_data.add(key=key, value=value)
    return t


def refused_graphs():
    info = helper.make_tensor_value_info
    y = node("ReduceSum", ["X", "one"], ["y"])
    one = {"one": np.array([1])}
    r = lambda *shape: np.ones(shape, np.float32)
    refuse("operator", [node("Conv", ["X", "w"], ["y"], name="first")],
           constants={"w": r(1, 1, 3)})
    refuse("domain", [helper.make_node("Magic", ["X"], ["y"], domain="com.acme")])
    refuse("classifier", [ml("TreeEnsembleClassifier", ["X"], ["y"])])
    refuse("subgraph", [node("If", ["X"], ["y"], then_branch=helper.make_graph(
        [node("Abs", ["X"], ["t"])], "then", [], [info("t", FLOAT, None)]))])
    refuse("no opset", [y], constants=one, opset=0)
    refuse("new opset", [y], constants=one, opset=99)
    refuse("old opset", [y], constants=one, opset=6)
    refuse("new ml", [y], constants=one, mlset=6)
    refuse("two outputs", [y, node("Neg", ["y"], ["z"])], outputs=("y", "z"),
           constants=one)
    refuse("three numbers", [node("Abs", ["X"], ["y"])])
    refuse("constant", [node("Abs", ["w"], ["y"])], constants={"w": r(1, 1)})
    refuse("nowhere", [node("Abs", ["X"], ["z"])])
    refuse("undefined", [node("Add", ["X", "w"], ["y"])])
    refuse("disorder", [node("Abs", ["z"], ["y"]), node("Abs", ["X"], ["z"])])
    refuse("twice", [y, node("ReduceSum", ["X", "one"], ["y"])], constants=one)
    refuse("no input", [y], inputs=[], constants={**one, "X": r(1, 3)})
    refuse("int input", [y], kind=TensorProto.INT64, constants=one)
    refuse("text input", [y], kind=TensorProto.STRING, constants=one)
    refuse("no shape", [y], inputs=[info("X", FLOAT, None)], constants=one)
    refuse("no rows", [y], inputs=[info("X", FLOAT, [3])], constants=one)
    refuse("any columns", [y], inputs=[info("X", FLOAT, ["N", "M"])], constants=one)
    refuse("rows differ", [y], inputs=[info("X", FLOAT, [2, 3]), info("Z", FLOAT, [4, 3])],
           constants=one)
    refuse("attribute", [node("Abs", ["X"], ["y"], strength=3)])
    refuse("attribute kind", [node("LeakyRelu", ["X"], ["y"], alpha=1)])
    refuse("inputs", [node("Abs", ["X", "X"], ["y"])])
    refuse("left out", [node("Add", ["X"], ["y"])])
    refuse("left empty", [node("Add", ["", "X"], ["y"])])
    refuse("types", [node("Add", ["X", "w"], ["y"])], constants={"w": np.ones(3)})
    refuse("shapes", [node("Add", ["X", "w"], ["y"])], constants={"w": r(2)})
    refuse("per row", [node("Add", ["X", "w"], ["y"])], constants={"w": r(5, 3)})
    refuse("ranks", [node("Reshape", ["X", "to"], ["c"]), node("Add", ["X", "c"], ["y"])],
           constants={"to": np.array([0, 3, 1])})
    refuse("reduce rows", [node("ReduceMean", ["X"], ["y"], axes=[0])])
    refuse("reduce all", [node("ReduceMean", ["X"], ["y"])])
    refuse("axis", [node("ReduceMean", ["X"], ["y"], axes=[2])])
    refuse("transpose rows", [node("Transpose", ["X"], ["y"])])
    refuse("reshape rows", [node("Reshape", ["X", "to"], ["y"])],
           constants={"to": np.array([3, -1])})
    refuse("reshape split", [node("Reshape", ["X", "to"], ["y"])],
           constants={"to": np.array([-1, 1])})
    refuse("reshape more", [node("Reshape", ["X", "to"], ["y"])],
           constants={"to": np.array([0, 2, -1])})
    refuse("reshape twice", [node("Reshape", ["X", "to"], ["y"])],
           constants={"to": np.array([-1, -1])})
    refuse("concat rows", [node("Concat", ["X", "X"], ["y"], axis=0)])
    refuse("gather rows", [node("Gather", ["X", "k"], ["y"])], constants={"k": np.array(0)})
    refuse("gather", [node("Gather", ["X", "k"], ["y"], axis=1)],
           constants={"k": np.array(3)})
    refuse("split", [node("Split", ["X", "k"], ["y", "z"], axis=1)],
           constants={"k": np.array([1, 1])})
    refuse("rows as number", [node("Shape", ["X"], ["s"]), node("Gather", ["s", "k"], ["n"]),
                              node("Cast", ["n"], ["f"], to=FLOAT),
                              node("Mul", ["X", "f"], ["y"])], constants={"k": np.array(0)})
    refuse("rows computed", [node("Shape", ["X"], ["s"]), node("Mul", ["s", "s"], ["t"]),
                             node("Reshape", ["X", "t"], ["y"])])
    refuse("to int", [node("Cast", ["X"], ["y"], to=TensorProto.INT64)])
    refuse("to half", [node("Cast", ["X"], ["y"], to=TensorProto.FLOAT16)])
    refuse("clip", [node("Clip", ["X", "X"], ["y"])])
    refuse("gelu", [node("Gelu", ["X"], ["y"], approximate="tanh")], opset=20)
    refuse("mask", [node("Dropout", ["X"], ["d", "m"]), node("Cast", ["m"], ["y"], to=1)])
    refuse("training", [node("Dropout", ["X", "", "t"], ["y"])],
           constants={"t": np.array(True)})
    refuse("batch norm", [node("BatchNormalization", ["X"] + ["w"] * 4, ["y"],
                               training_mode=1)], constants={"w": r(3)})
    refuse("matmul", [node("MatMul", ["X", "w"], ["y"])], constants={"w": r(2, 1)})
    refuse("matmul rows", [node("MatMul", ["X", "X"], ["y"])])
    refuse("matmul left", [node("MatMul", ["w", "X"], ["y"])], constants={"w": r(2, 1)})
    refuse("gemm turned", [node("Gemm", ["X", "w"], ["y"], transA=1)],
           constants={"w": r(3, 1)})
    refuse("gemm added", [node("Gemm", ["X", "w", "c"], ["y"])],
           constants={"w": r(3, 1), "c": r(7, 1)})
    refuse("scaler", [ml("Scaler", ["X"], ["y"], offset=[1., 2], scale=[1., 2])])
    refuse("linear", [ml("LinearRegressor", ["X"], ["y"], coefficients=[1., 2])])
    refuse("linear post", [ml("LinearRegressor", ["X"], ["y"], coefficients=[1., 2, 3],
                              post_transform="SOFTMAX")])
    refuse("imputer", [ml("Imputer", ["X"], ["y"], imputed_value_floats=[1.],
                          replaced_value_float=-9.)])
    refuse("normalizer", [ml("Normalizer", ["X"], ["y"], norm="MAX")])
    refuse("svm", [ml("SVMRegressor", ["X"], ["y"], one_class=1)])
    square = [node("MatMul", ["column", "row"], ["a"]), node("Reshape", ["a", "down"], ["b"]),
              node("Reshape", ["a", "along"], ["c"]), node("MatMul", ["b", "c"], ["d"])]
    forty = {"column": r(40, 1), "row": r(1, 40), "down": np.array([-1, 1]),
             "along": np.array([1, -1]), "cube": np.array([-1, 1, 1])}
    refuse("long", square + [node("MatMul", ["d", "d"], ["y"])], constants=forty)
    refuse("large", square + [node("Reshape", ["a", "cube"], ["e"]),
                              node("Mul", ["d", "e"], ["y"])], constants=forty)


def refused_tensors():
    sum_ = [node("MatMul", ["X", "w"], ["y"])]
    t = lambda **k: {"w": TensorProto(name="w", data_type=FLOAT, dims=[3, 1], **k)}
    refuse("few numbers", sum_, constants=t(float_data=[1, 2]))
    refuse("odd bytes", sum_, constants=t(raw_data=b"0123456789abc"))
    refuse("half", sum_, constants={"w": np.ones((3, 1), np.float16)})
    refuse("negative", sum_, constants={"w": TensorProto(name="w", data_type=1, dims=[-3])})
    refuse("huge", sum_, constants={"w": TensorProto(name="w", data_type=1,
                                                     dims=[2**40, 2**40])})
    refuse("deep", sum_, constants={"w": TensorProto(name="w", data_type=1, dims=[1] * 9,
                                                     float_data=[1])})
    for name, entries in (
            ("no location", {}), ("absolute", {"location": "/etc/passwd"}),
            ("up", {"location": "../onnx/weights/external.bin"}),
            ("up inside", {"location": "weights/../weights/external.bin"}),
            ("folder", {"location": "weights"}), ("missing file", {"location": "none.bin"}),
            ("no number", {"location": "weights/external.bin", "offset": "4k"}),
            ("beyond", {"location": "weights/external.bin", "offset": "999999"}),
            ("beyond too", {"location": "weights/external.bin", "offset": "1",
                            "length": "18446744073709551615"}),
            ("too long", {"location": "weights/external.bin", "length": "16"})):
        refuse(name, sum_, constants={"w": external(**entries)})


def refused_trees():
    def tree(name, change=None, **extra):
        e = Ensemble()
        e.node(0, 0, 2, 0.5, 1, 2, "BRANCH_LEQ")
        e.leaf(0, 1, 3)
        e.leaf(0, 2, 4)
        e.a["nodes_hitrates"].clear()
        e.a["nodes_missing_value_tracks_true"].clear()
        if change is not None:
            change(e.a)
        refuse("tree " + name, [e.op(**extra)])

    def put(key, at, value):
        return lambda a: a[key].__setitem__(at, value)

    tree("max", aggregate_function="MAX")
    tree("post", post_transform="LOGISTIC")
    tree("base", base_values=[1., 2.])
    tree("eq", put("nodes_modes", 0, "BRANCH_EQ"))
    tree("neq", put("nodes_modes", 0, "BRANCH_NEQ"))
    tree("nan", put("nodes_values", 0, float("nan")))
    tree("input", put("nodes_featureids", 0, 3))
    tree("input -1", put("nodes_featureids", 0, -1))
    tree("child", put("nodes_truenodeids", 0, 7))
    tree("cycle", put("nodes_truenodeids", 0, 0))
    tree("same", put("nodes_truenodeids", 0, 2))
    tree("twice", put("nodes_nodeids", 1, 2))
    tree("weight", put("target_nodeids", 1, 0))
    tree("weights", put("target_nodeids", 1, 1))
    tree("target", put("target_ids", 1, 1))
    tree("lists", lambda a: a["nodes_values"].pop())
    tree("modes", lambda a: a["nodes_modes"].pop())
    tree("empty", lambda a: [v.clear() for v in a.values()])
    tree("order", lambda a: [v.reverse() for k, v in a.items() if k.startswith("nodes")])
    e = Ensemble()
    e.leaf(0, 0, 1)
    n = e.op()
    n.attribute.remove(next(a for a in n.attribute if a.name == "n_targets"))
    n.attribute.append(helper.make_attribute("n_targets", 2))
    refuse("tree targets", [n])


def refused():
    refused_graphs()
    refused_tensors()
    refused_trees()
    (FOLDER / "refused.txt").write_text(
        "".join(f"{name}: {data.hex()}\n" for name, data in REFUSED.items()))


if __name__ == "__main__":
    trees()
    modes()
    double_trees()
    pipelines()
    operators()
    shapes()
    dense()
    networks()
    refused()
