"""Pictures: the report room's SVG, from the numbers of an explanation."""
from __future__ import annotations

import html
import math
import os
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _structs as s
from ._arrays import address, matrix, vector
from ._library import PICTURES, call, encoded, options, plot_name, texts, written

NONE = float("nan")


class SVG(str):
    """A picture: text that notebooks show and files take.

    >>> import gpa
    >>> gpa.SVG("<svg/>")._repr_html_()
    '<svg/>'
    """

    def _repr_html_(self) -> str:  # also where notebooks would clean an SVG of its styles
        return str(self)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes it into a file."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self)

    def __repr__(self) -> str:
        return f"<gpa.SVG of {len(self)} characters>"


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


def change_text(raw: float) -> str:
    return "no change" if raw == 0 else f"{raw:+.4g}".replace("-", "−")


def blame_order(e: Any) -> List[int]:
    """Likeliest culprit first, then by the size of the change; what is held comes last."""
    p, size = np.nan_to_num(e.probability), np.abs(e.delta)
    return sorted(range(len(size)), key=lambda k: (-p[k], -size[k], k))


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
    held = [m.sd == 0 for m in e.marginals] or [False] * len(e.feature_names)
    free = [k for k in blame_order(e) if not held[k]]
    return (free or blame_order(e))[:most]


def curve(x: np.ndarray, y: np.ndarray, keep: List[Any]) -> s.Curve:
    keep += [x, y]
    return s.Curve(address(x), address(y), len(x))


def distributions(e: Any, ax: Any, width: float, title: Optional[str], most: int) -> Any:
    order = shown(e, most)
    if ax is not None:
        from . import _matplotlib
        return _matplotlib.distributions(e, order, ax, title)
    marginals, delta, keep = e.marginals, e.delta, []  # type: ignore[var-annotated]
    ridges = (s.Ridge * len(order))()
    ends = [(marginals[k].grid[0], marginals[k].grid[-1]) for k in order
            if marginals and len(marginals[k].grid)]
    low, high = min([0.0, *[a for a, _ in ends]]), max([0.0, *[b for _, b in ends]])
    x = np.linspace(low, high, 161)
    before = prior_density(e, x) if low < high else None
    for ridge, k in zip(ridges, order):
        ridge.map, ridge.mean = delta[k], NONE
        ridge.interval50 = ridge.interval90 = (NONE, NONE)
        if marginals:
            m = marginals[k]
            ridge.density = curve(m.grid, m.density, keep)
            ridge.mean = m.mean
            ridge.interval50, ridge.interval90 = m.interval50, m.interval90
            if before is not None:
                ridge.prior = curve(x, before, keep)
    names, raw = e.feature_names, e.delta_raw
    return draw("ridges", width, title, n=len(order), ridges=ridges,
                names=[names[k] for k in order],
                values=[change_text(raw[k]) for k in order],
                x_labels=(encoded("change, in units of the input's spread"), None))


def litmus(inputs: Sequence[str], columns: Sequence[str], score: np.ndarray, ax: Any,
           width: float, title: Optional[str], reasons: Any = None) -> Any:
    """`score` is inputs by columns; NaN: none."""
    if ax is not None:
        from . import _matplotlib
        return _matplotlib.litmus(inputs, columns, score, ax, title)
    extra = {} if reasons is None else {"reasons": list(reasons)}
    return draw("litmus", width, title, n_inputs=len(inputs),
                n_columns=len(columns), inputs=list(inputs), columns=list(columns),
                score=np.asarray(score, dtype=np.float64), **extra)


def litmus_of(e: Any, ax: Any, width: float, title: Optional[str]) -> Any:
    ids = [e.ids] if e.ndim == 1 else e.ids
    columns = [", ".join(i[:3]) + (", ..." if len(i) > 3 else "") for i in ids]
    return litmus(e.feature_names, columns, np.atleast_2d(e.delta).T, ax, width, title)


def forest(e: Any, ax: Any, width: float, title: Optional[str]) -> Any:
    if ax is not None:
        from . import _matplotlib
        return _matplotlib.forest(e, ax, title)
    m = e.marginals
    ends = {f"{side}{size}": np.array([getattr(one, f"interval{size}")[end] for one in m])
            for end, side in enumerate(("low", "high")) for size in (50, 90)} if m else {}
    return draw("forest", width, title, n=len(e.feature_names),
                names=e.feature_names, point=e.delta, x_label="change, in units", **ends)


def profile_curves(e: Any, most: int) -> List[Tuple[str, np.ndarray, np.ndarray, float]]:
    """(name, change, f, most probable change) of the likeliest culprits."""
    item = e._items[0]
    found: List[Tuple[str, np.ndarray, np.ndarray, float]] = []
    chosen = e._chosen if e._chosen is not None else range(len(e.feature_names))
    for k in blame_order(e):
        axis = item.profile(list(chosen)[k])
        if axis is not None and len(found) < most:
            found.append((e.feature_names[k], axis[0], axis[1][:, 0], float(e.delta[k])))
    if not found:
        raise ValueError("no profiles: they belong to the culprits (culprit='on') and are not "
                         "saved with an explanation")
    return found


def noise_of(e: Any) -> float:
    b, a = e.prior["b0"][0], e.prior["a0"]
    return math.sqrt(b / a) if a and b is not None else NONE


def profiles(e: Any, ax: Any, width: float, title: Optional[str], most: int) -> Any:
    found = profile_curves(e, most)
    y = float(np.ravel(e.y)[0])
    if ax is not None:
        from . import _matplotlib
        return _matplotlib.profiles(found, y, ax, title)
    keep: List[Any] = []
    each = (s.Profile * len(found))()
    for profile, (name, change, f, delta) in zip(each, found):
        profile.name = encoded(name)
        profile.f = curve(change, np.ascontiguousarray(f), keep)
        profile.map = delta
    return draw("profiles", width, title, n=len(found), profiles=each,
                y=y, noise=noise_of(e), here=0.0, x_label="change, in units",
                y_label="f")


def scatter(e: Any, X: Any, y: Any, ax: Any, width: float, title: Optional[str],
            inputs: Any) -> Any:
    x = matrix(X[e.feature_names].to_numpy() if hasattr(X, "columns") else X, "X")
    y = vector(y, "y", len(x))
    if x.shape[1] != len(e.feature_names):
        raise ValueError(f"X has {x.shape[1]} columns for {len(e.feature_names)} inputs")
    rows = [(r, raw) for one in e._singles() for raw in [one.delta_raw] for r in one.rows]
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
                delta=np.array([raw for _, raw in rows], dtype=np.float64))


def scores(score: np.ndarray, marked: Sequence[int], labels: Sequence[str],
           threshold: Optional[float], ax: Any, width: float, title: Optional[str]) -> Any:
    if ax is not None:
        from . import _matplotlib
        return _matplotlib.scores(score, marked, labels, threshold, ax, title)
    return draw("scores", width, title, n=len(score), score=score,
                marked=np.array(marked, dtype=np.uintp), n_marked=len(marked),
                labels=list(labels), threshold=NONE if threshold is None else threshold)


# Notebooks ---------------------------------------------------------------------------------

STYLE = ("<style>.gpa{max-width:46em}.gpa table{border-collapse:collapse}.gpa th,.gpa td"
         "{text-align:right;padding:.1em .8em}.gpa th:first-child,.gpa td:first-child"
         "{text-align:left}.gpa svg{max-width:100%;height:auto}</style>")
FIRST = 5


def percent(p: float) -> str:
    if not p == p:
        return ""
    return "&lt; 1 %" if p < .01 else "&gt; 99 %" if p > .99 else f"{100 * p:.0f} %"


def suspects(e: Any) -> str:
    culprit = e.culprit
    if culprit is None:
        return ""
    lines = [(culprit.responsible[k], html.escape(e.feature_names[k]),
              change_text(culprit.alone[k].median_raw)) for k in blame_order(e)[:FIRST]]
    lines.append((culprit.output, f"observed {html.escape(e.target)}", ""))
    lines.sort(key=lambda line: -line[0])
    cells = "".join(f"<tr><td>{name}</td><td>{percent(p)}</td><td>{change}</td></tr>"
                    for p, name, change in lines)
    return ("<table><thead><tr><th>responsible?</th><th>probability</th><th>change, if it "
            f"alone is off</th></tr></thead><tbody>{cells}</tbody></table>")


def one_page(e: Any) -> str:
    verdict, ids = e.verdict, ", ".join(e.ids[:5]) + (", ..." if len(e.ids) > 5 else "")
    facts = (f"Row{'s' * (len(e.ids) > 1)} {ids}: observed {e.target} "
             f"{np.mean(e.y):.6g}, predicted {np.mean(e.f):.5g}, score "
             f"{np.mean(e.score):.3g}.")
    head = f"<p><b>{html.escape(verdict.text)}</b></p>" if verdict else ""
    return (head + f"<p>{html.escape(facts)}</p>" + suspects(e)
            + distributions(e, None, 0, None, 20))


def page(e: Any) -> str:
    """What a notebook shows."""
    if not e._items:
        return f"{STYLE}<div class='gpa'><p>No row was chosen.</p></div>"
    if e.ndim == 1:
        return f"{STYLE}<div class='gpa'>{one_page(e)}</div>"
    most = 50
    parts = [f"<details{' open' * (i == 0)}><summary>{html.escape(', '.join(one.ids[:5]))}"
             f"</summary>{one_page(one)}</details>"
             for i, one in enumerate(e._singles()[:FIRST])]
    more = len(e._items) - FIRST
    left = f"<p>... and {more} more: e[{FIRST}], ...</p>" if more > 0 else ""
    return (f"{STYLE}<div class='gpa'>{e[:most].plot_litmus()}{''.join(parts)}{left}</div>")
