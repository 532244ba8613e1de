"""Pictures: the report room's SVG, from the numbers of an explanation."""
from __future__ import annotations

import functools
import inspect
import math
import os
import re
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _structs as s
from ._arrays import address, copy_from, matrix, vector
from ._frames import DATE, LEVEL, as_objects
from ._library import PICTURES, call, decoded, encoded, options, plot_name, texts, written
from ._png import png

NONE = float("nan")

# What the pictures of the joint change show, in the words of the command's page.
JOINT = "All inputs at once: the most probable joint change"
NOT_WHO = ("It spreads the deviation over all inputs that can carry some of it, so it does not "
           "say who is responsible.")


class SVG(str):
    """A picture: text that notebooks show and files take.

    >>> import gpa
    >>> gpa.SVG("<svg/>")._repr_html_()
    '<svg/>'
    """

    def _repr_html_(self) -> str:  # also where notebooks would clean an SVG of its styles
        return str(self)

    again: Optional[Callable[[Any], Any]] = None  # draws the same on a figure of matplotlib

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes it into a file: SVG, or by its name PNG where librsvg (``rsvg-convert``),
        cairosvg or matplotlib is there."""
        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending not in (".svg", ".png"):
            raise ValueError(f"{os.fspath(path)}: a picture is saved as .svg or .png")
        if ending == ".png":
            data = png(self, self.again)
            with open(path, "wb") as image:
                image.write(data)
            return
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self)

    def __reduce__(self) -> Any:
        return SVG, (str(self),)

    def __repr__(self) -> str:
        return f"<gpa.SVG of {len(self)} characters>"


def picture(function: Callable[..., Any]) -> Callable[..., Any]:
    """What draws an SVG, or on the axes `ax`: the one knows how it comes to be the other."""
    order, panels = inspect.signature(function), function.__name__ == "profiles"

    @functools.wraps(function)
    def made(*given: Any, **named: Any) -> Any:
        found = function(*given, **named)
        if isinstance(found, SVG):
            what = order.bind(*given, **named).arguments
            found.again = lambda figure: function(**{
                **what, "ax": figure if panels else figure.add_subplot()})
        return found
    return made


def draw(kind: str, width: float, title: Optional[str], **fields: Any) -> SVG:
    """Calls gpa_plot_KIND with these fields."""
    p = options(PICTURES[kind], plot_name(kind))
    p.width, p.title = width, encoded(title)
    keep: List[Any] = []
    for field, value in fields.items():
        if isinstance(value, np.ndarray):
            keep.append(np.ascontiguousarray(value))
            value = address(keep[-1])
        elif isinstance(value, list):
            keep.append(texts(value))
            value = keep[-1]
        elif isinstance(value, str):
            value = encoded(value)
        setattr(p, field, value)
    return SVG(written(lambda t: call(f"gpa_plot_{kind}", t, p)))


def joint(e: Any, title: Optional[str]) -> Tuple[str, Optional[str]]:
    """Title and note of a picture of the joint change; who is responsible is another question,
    where that was asked."""
    asked = any(item.asked for item in e._items)
    return JOINT if title is None else title, NOT_WHO if asked else None


def change_text(raw: float) -> str:
    return "no change" if raw == 0 else f"{raw:+.4g}".replace("-", "−")


def share(p: float) -> str:
    """A probability beside a level, as in the pictures of the library."""
    return "<0.01" if p < .01 else ">0.99" if p > .99 else f"{p:.2f}"


class Seen(NamedTuple):
    """An input as people see it: a column, or a one-hot group by its first. One with levels
    has their values and names; of a group the values are the places of its columns."""

    k: int  # among the names of the explanation
    name: str
    input: s.Input
    values: np.ndarray  # empty: it has none
    names: List[str]
    columns: List[int]  # of the data: one, or those of the group

    def place(self, row: np.ndarray) -> float:
        """Its level in a row of numbers."""
        if len(self.columns) == 1:
            found = row[self.columns[0]]
        else:
            ones = [i for i, column in enumerate(self.columns) if row[column] > .5]
            found = ones[0] if ones else -1
        near = np.abs(self.values - found)
        return NONE if np.isnan(found) else float(self.values[int(np.argmin(near))])

    def called(self, value: float) -> str:
        return self.names[int(np.argmin(np.abs(self.values - value)))]

    def likeliest(self, levels: Any, most: int = 3) -> str:
        found = sorted((one for one in levels or () if one.probability > .005),
                       key=lambda one: -one.probability)[:most]
        return ", ".join(f"{one.level} {share(one.probability)}" for one in found)


def group_input(one: s.Input, values: np.ndarray, names: List[str]) -> s.Input:
    """A one-hot group as one choice."""
    found = s.Input(kind=3, low=NONE, high=NONE, missing=NONE, levels=len(values),
                    level=address(values), name=one.name)
    found.level_name = texts(names)
    return found


def seen(e: Any) -> Dict[int, Seen]:
    """The inputs that are shown, by the number of their (first) column."""
    names, inputs = e._origin.names, e._origin.inputs
    found: Dict[int, Seen] = {}
    chosen = list(range(len(names))) if e._chosen is None else list(e._chosen)
    number = {column: k for k, column in enumerate(chosen)}
    for said in e.kinds:
        columns = [names.index(name) for name in said.get("columns", [said["name"]])]
        k = next((number[column] for column in columns if column in number), None)
        if k is None:
            continue
        one = inputs[columns[0]]
        values, levels = np.empty(0), said.get("levels", [])
        if "columns" in said:  # the first level is "none of them" where one was dropped
            values = np.arange(len(levels)) - float(len(levels) - len(columns))
            one = group_input(one, values, levels)
        elif one.level and said["kind"] in ("flag", "choice"):
            values = copy_from(one.level, one.levels)
            levels = ([decoded(text) or "" for text in one.level_name[:one.levels]]
                      if one.level_name else [f"{v:g}" for v in values])
        else:
            one, levels = s.Input(low=NONE, high=NONE, missing=NONE), []
        found[k] = Seen(k, said["name"], one, values, levels, columns)
    return found or {k: Seen(k, names[column], s.Input(), np.empty(0), [], [column])
                     for k, column in enumerate(chosen)}


def moves(e: Any, shown_inputs: Dict[int, Seen]) -> Dict[int, Tuple[float, float]]:
    """Of inputs with levels: where they are, and where the most probable change puts them."""
    item = e._items[0]
    x, raw = item.array("x", item.n, item.d)[0], item.array("delta_raw", item.d)
    return {k: (one.place(x), one.place(x + raw)) for k, one in shown_inputs.items()
            if len(one.values)}


def normal_changes(e: Any) -> np.ndarray:
    """Of each column of one explanation the change that would make its input look normal, in
    units, and its 90 % interval; of another level one unit, up or down in their order."""
    found, culprit = np.full((3, len(e._origin.names)), NONE), e.culprit
    if culprit is None:
        return found
    x = e._items[0].array("x", e._items[0].n, e._items[0].d)[0]
    for k, alone in enumerate(culprit.alone):
        found[:, k] = alone.median, *alone.interval90
    for k, one in seen(e).items():
        levels = [level.level for level in culprit.alone[k].levels or ()]
        if levels and culprit.alone[k].level is None:  # no other one helps
            found[:, one.columns] = 0
        if not len(one.values) or culprit.alone[k].level not in levels:
            continue
        now = int(np.argmin(np.abs(one.values - one.place(x))))
        then = levels.index(culprit.alone[k].level)
        found[:, one.columns] = np.sign(then - now) if len(one.columns) == 1 else 0
        if len(one.columns) > 1:  # the places of its columns
            for place, sign in ((one.values[now], -1), (one.values[then], 1)):
                found[:, [one.columns[int(place)]] if place >= 0 else []] = sign
    return found


def spread(e: Any) -> Any:
    """The distributions, where they are known well enough to be drawn."""
    return e.marginals if e._items[0].spread_known else []


def move_text(one: Seen, move: Tuple[float, float]) -> str:
    return "stays" if not move[0] != move[1] or move[1] != move[1] else (
        f"→ {one.called(move[1])}")


def blame_order(e: Any) -> List[int]:
    """Likeliest culprit first, then by the size of the change; what is held comes last. Of a
    one-hot group its first column."""
    p, size = np.nan_to_num(e.responsible), np.abs(np.nan_to_num(e.delta))
    return sorted(seen(e), key=lambda k: (-p[k], -size[k], k))


def prior_density(e: Any, x: np.ndarray) -> Optional[np.ndarray]:
    """The elastic net: exp(-eta (x^2 / 2 + nu |x|)) / Z."""
    eta, nu = e.prior["eta"], e.prior["nu"]
    if not eta or nu is None:
        return None
    try:
        z = (math.exp(eta * nu * nu / 2) * math.sqrt(2 * math.pi / eta)
             * math.erfc(nu * math.sqrt(eta / 2)))
    except OverflowError:
        return None
    return np.exp(-eta * (x * x / 2 + nu * np.abs(x))) / z if z > 0 else None


def shown(e: Any, most: int) -> List[int]:
    """The first inputs in the order of blame, without those that may not move."""
    held = [m.sd == 0 and m.levels is None for m in e.marginals] or [False] * len(e.feature_names)
    free = [k for k in blame_order(e) if not held[k]]
    return (free or blame_order(e))[:most]


def curve(x: np.ndarray, y: np.ndarray, keep: List[Any]) -> s.Curve:
    keep += [x, y]
    return s.Curve(address(x), address(y), len(x))


@picture
def distributions(e: Any, ax: Any, width: float, title: Optional[str], most: int) -> Any:
    order = shown(e, most)
    title, note = joint(e, title)
    if ax is not None:
        from . import _matplotlib
        return _matplotlib.distributions(e, order, ax, title)
    curves = e._items[0].curves() if e._items[0].spread_known else []
    delta, keep = np.nan_to_num(e.delta), []  # type: ignore[var-annotated]
    inputs, raw = seen(e), e.delta_raw
    moved = moves(e, inputs)
    ridges = (s.Ridge * len(order))()
    ends = [(a[0], a[-1]) for a in (m.grid for m in spread(e)) if len(a)]
    low, high = min([0.0, *[a for a, _ in ends]]), max([0.0, *[b for _, b in ends]])
    x = np.linspace(low, high, 161)
    before = prior_density(e, x) if low < high else None
    for ridge, k in zip(ridges, order):
        ridge.map, ridge.mean = moved[k][1] if k in moved else delta[k], NONE
        ridge.interval50 = ridge.interval90 = (NONE, NONE)
        m = curves[inputs[k].columns[0]] if curves else None
        if m is None:
            continue
        if m.levels:
            ridge.density = curve(copy_from(m.level, m.levels), copy_from(m.mass, m.levels),
                                  keep)
            continue
        ridge.density = curve(copy_from(m.grid, m.points), copy_from(m.density, m.points),
                              keep)
        ridge.mean, ridge.interval50, ridge.interval90 = m.mean, m.interval50, m.interval90
        if before is not None and m.points:
            ridge.prior = curve(x, before, keep)
    return draw("ridges", width, title, note=note, n=len(order), ridges=ridges,
                names=[inputs[k].name for k in order], **kinds_of(inputs, order, moved),
                values=[move_text(inputs[k], moved[k]) if k in moved else change_text(raw[k])
                        for k in order],
                x_labels=(encoded("change, in units of the input's spread"), None))


def kinds_of(inputs: Dict[int, Seen], order: Sequence[int], moved: Any,
             here: float = NONE) -> Dict[str, Any]:
    """What the inputs of a picture are, and where those with levels stand."""
    return {"kinds": (s.Input * len(order))(*[inputs[k].input for k in order]),
            "now": np.array([moved[k][0] if k in moved else here for k in order])}


@picture
def litmus(inputs: Sequence[str], columns: Sequence[str], score: np.ndarray, ax: Any,
           width: float, title: Optional[str], reasons: Any = None, full: Any = None,
           legend: Optional[str] = None, note: Optional[str] = None) -> Any:
    """`score` is inputs by columns; NaN: none. `full`: what a full cell of a column stands
    for; NaN: its largest size; `legend`: that in words."""
    if ax is not None:
        from . import _matplotlib
        return _matplotlib.litmus(inputs, columns, score, ax, title, full)
    extra: Dict[str, Any] = {} if reasons is None else {"reasons": list(reasons)}
    if full is not None:
        extra["full"] = np.asarray(full, dtype=np.float64)
    return draw("litmus", width, title, n_inputs=len(inputs),
                n_columns=len(columns), inputs=list(inputs), columns=list(columns),
                score=np.asarray(score, dtype=np.float64), legend=legend, note=note, **extra)


def litmus_of(e: Any, ax: Any, width: float, title: Optional[str]) -> Any:
    ids = [e.ids] if e.ndim == 1 else e.ids
    columns = [", ".join(i[:3]) + (", ..." if len(i) > 3 else "") for i in ids]
    score = np.atleast_2d(e.delta).T.copy()
    for j, one in enumerate(e._singles()):
        for k, (now, then) in moves(one, seen(one)).items():
            if np.isnan(score[k, j]):  # another level: up or down in their order
                score[k, j] = np.nan_to_num(np.sign(then - now))
    title, note = joint(e, title)
    return litmus(e.feature_names, columns, score, ax, width, title, note=note,
                  full=np.fmax(np.nanmax(np.abs(score), axis=0, initial=0), 1),
                  legend="A full cell is one usual spread, or the largest of its column if "
                         "that is more; another level counts as one.")


@picture
def forest(e: Any, ax: Any, width: float, title: Optional[str]) -> Any:
    title, note = joint(e, title)
    if ax is not None:
        from . import _matplotlib
        return _matplotlib.forest(e, ax, title)
    inputs, marginals = seen(e), spread(e)
    order, moved = list(inputs), moves(e, inputs)
    m = [marginals[k] for k in order] if marginals else []
    ends = {f"{side}{size}": np.array([getattr(one, f"interval{size}")[end] for one in m])
            for end, side in enumerate(("low", "high")) for size in (50, 90)} if m else {}
    return draw("forest", width, title, note=note, n=len(order), names=[inputs[k].name for k in order],
                point=np.nan_to_num(e.delta[order]), x_label="change, in usual spreads",
                words=[move_text(inputs[k], moved[k]) if k in moved else None for k in order],
                **ends)


class Along(NamedTuple):
    """f along one input, in its own values or levels; of several rows along its changes."""

    k: int
    x: np.ndarray
    f: np.ndarray  # the mean of several rows
    change: np.ndarray  # x as changes in usual spreads
    now: float
    normal: float = NONE  # what would look normal; NaN: nothing does
    interval90: Tuple[float, float] = (NONE, NONE)
    others: np.ndarray = np.empty(0)  # values in other rows, ascending


def number(value: Any, otherwise: float = NONE) -> float:
    return float(value) if isinstance(value, (int, float)) else otherwise


def along(e: Any, one: Seen, change: np.ndarray, f: np.ndarray) -> Along:
    item, column, alone = e._items[0], one.columns[0], e.culprit.alone[one.k]
    x, unit = item.array("x", item.n, item.d), item.array("unit", item.d)[column]
    if len(one.values):
        level = [v for v, name in zip(one.values, one.names) if name == str(alone.level)]
        now = {one.place(row) for row in x}
        return Along(one.k, change, f, change, now.pop() if len(now) == 1 else NONE,
                     level[0] if level else NONE)
    if item.n > 1:
        clear = alone.interval90_raw[0] * alone.interval90_raw[1] > 0
        return Along(one.k, change * unit, f, change, 0.0,
                     alone.median_raw if clear else NONE, alone.interval90_raw)
    now, rows = x[0, column], e._origin.background
    others = np.sort(rows["x"][:, column]) if rows is not None else np.empty(0)
    low, high = alone.value_interval90 or (None, None)
    values = change if np.isnan(now) else now + change * unit  # those of a gap are values
    return Along(one.k, values, f, change, now, number(alone.value, now + alone.median_raw),
                 (number(low, now + alone.interval90_raw[0]),
                  number(high, now + alone.interval90_raw[1])), others[~np.isnan(others)])


def profile_curves(e: Any, most: int) -> List[Along]:
    """Those of the likeliest culprits."""
    item, inputs, found = e._items[0], seen(e), []
    for k in blame_order(e):
        axis = item.profile(inputs[k].columns[0])
        if axis is not None and len(found) < most:
            found.append(along(e, inputs[k], axis[0], axis[1].mean(axis=1)))
    if not found:
        raise ValueError("no profiles: they belong to the culprits (culprit='on') and are not "
                         "saved with an explanation")
    return found


@picture
def profiles(e: Any, ax: Any, width: float, title: Optional[str], most: int) -> Any:
    found, several = profile_curves(e, most), len(e.rows) > 1
    y = float(np.mean(e.y))
    if ax is not None:
        from . import _matplotlib
        return _matplotlib.profiles(e, found, y, ax, title)
    keep: List[Any] = []
    inputs, each, others = seen(e), (s.Profile * len(found))(), (s.Curve * len(found))()
    for profile, rows, one in zip(each, others, found):
        profile.name, profile.map = encoded(inputs[one.k].name), one.normal
        profile.f = curve(np.ascontiguousarray(one.x), np.ascontiguousarray(one.f), keep)
        rows.x, rows.points = address(one.others), len(one.others)
    return draw("profiles", width, title, n=len(found), profiles=each, seen=others,
                y=y, noise=NONE if several else e.prior["sigma"], here=NONE,
                kinds=(s.Input * len(found))(*[inputs[one.k].input for one in found]),
                now=np.array([one.now for one in found]),
                interval90=np.array([one.interval90 for one in found]),
                y_label="prediction, mean" if several else "prediction",
                **({"x_label": "change, in its own unit"} if several else {}))


def as_numbers(e: Any, X: Any) -> np.ndarray:
    """Rows of a frame as the library counts them: texts as codes, dates as days or seconds."""
    if not hasattr(X, "columns"):
        return matrix(X, "X")
    heads = [str(v) for v in X.columns]
    out = np.empty((len(X), len(e.feature_names)))
    for k, name in enumerate(e.feature_names):
        column = k if e._chosen is None else e._chosen[k]
        one = e._origin.inputs[column] if e._origin.inputs is not None else s.Input()
        head = e._origin.columns[column]
        bare = [re.sub(r"\s*(\[[^][]*\]|\([^()]*\))$", "", v) for v in heads]  # without units
        place = next((of.index(v) for of, v in ((heads, head), (heads, name), (bare, name))
                      if v in of), None)
        if place is None:
            raise ValueError(f"X has no column '{head}'; there are {', '.join(heads)}")
        values = X.iloc[:, place]
        if one.writing == LEVEL:
            codes = {text: float(i) for i, text in enumerate(
                one.level_name[:one.levels])}
            out[:, k] = [codes.get(encoded(str(v)), NONE) for v in as_objects(values)]
        elif one.writing:
            seconds = np.asarray(values, dtype="datetime64[us]").astype(np.int64) / 1e6
            out[:, k] = seconds / 86400 if one.writing == DATE else seconds
        else:
            out[:, k] = vector(np.asarray(values), f"X: column '{name}'")
    return out


@picture
def scatter(e: Any, X: Any, y: Any, ax: Any, width: float, title: Optional[str],
            inputs: Any) -> Any:
    x = as_numbers(e, X)
    y = vector(y, "y", len(x))
    if x.shape[1] != len(e.feature_names):
        raise ValueError(f"X has {x.shape[1]} columns for {len(e.feature_names)} inputs")
    rows = [(r, raw) for one in e._singles() for raw in [one._pick(
        one._items[0].array("delta_raw", one._items[0].d))] for r in one.rows]
    if any(r >= len(x) for r, _ in rows):
        raise ValueError(f"X has {len(x)} rows; those that were explained are not among them")
    chosen = shown(e._singles()[0], 4) if inputs is None else [e._number(k) for k in inputs]
    if ax is not None:
        from . import _matplotlib
        return _matplotlib.scatter(e, x, y, rows, chosen[0], ax, title)
    return draw("scatter", width, title, n=x.shape[0], d=x.shape[1],
                x=x, y=y, names=e.feature_names, y_label=e.target,
                inputs=np.array(chosen, dtype=np.uintp), n_inputs=len(chosen),
                marked=np.array([r for r, _ in rows], dtype=np.uintp), n_marked=len(rows),
                delta=np.array([raw for _, raw in rows], dtype=np.float64),
                kinds=columns_of(e))


def columns_of(e: Any) -> Any:
    """What each column is, where something is known."""
    inputs = e._origin.inputs
    if inputs is None or e._chosen is None:
        return inputs
    return (s.Input * len(e._chosen))(*[inputs[k] for k in e._chosen])


@picture
def scores(score: np.ndarray, marked: Sequence[int], labels: Sequence[str],
           threshold: Optional[float], ax: Any, width: float, title: Optional[str]) -> Any:
    if ax is not None:
        from . import _matplotlib
        return _matplotlib.scores(score, marked, labels, threshold, ax, title)
    return draw("scores", width, title, n=len(score), score=score,
                marked=np.array(marked, dtype=np.uintp), n_marked=len(marked),
                labels=list(labels), threshold=NONE if threshold is None else threshold)
