"""The same pictures on matplotlib axes, for those who compose figures of their own."""
from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

UP, DOWN, GREY = "#b3402a", "#2a6fb3", "#888888"


def axes(ax: Any, title: Optional[str]) -> Any:
    """The caller's axes, or new ones for True."""
    if ax is True:
        from matplotlib.figure import Figure
        try:
            import matplotlib.pyplot as plt
            ax = plt.figure(constrained_layout=True).add_subplot()
        except ImportError:  # no display
            ax = Figure(constrained_layout=True).add_subplot()
    if title:
        ax.set_title(title)
    return ax


def colour(v: float) -> str:
    return UP if v > 0 else DOWN if v < 0 else GREY


def distributions(e: Any, order: Sequence[int], ax: Any, title: Optional[str]) -> Any:
    from ._plots import prior_density, seen, spread
    ax, marginals, inputs = axes(ax, title), spread(e), seen(e)
    for i, k in enumerate(order):
        base, delta = -float(i), float(np.nan_to_num(e.delta[k]))
        if marginals and marginals[k].levels is not None:
            ax.text(0, base, f" {inputs[k].likeliest(marginals[k].levels)}", va="center")
            continue
        if marginals:
            m = marginals[k]
            before = prior_density(e, m.grid)
            peak = max([m.density.max(), *([] if before is None else [before.max()])]) / .8
            ax.fill_between(m.grid, base, base + m.density / peak, color=colour(delta),
                            alpha=.35, linewidth=0)
            if before is not None:
                ax.plot(m.grid, base + before / peak, ":", color=GREY, linewidth=1)
            ax.plot(m.interval90, [base, base], color=GREY, linewidth=1)
            ax.plot(m.interval50, [base, base], color=GREY, linewidth=3)
        ax.plot([delta], [base], "o", color=colour(delta))
    ax.set_yticks([-i for i in range(len(order))], [inputs[k].name for k in order])
    ax.set_ylim(.5 - len(order), 1)
    ax.axvline(0, color=GREY, linewidth=.5)
    ax.set_xlabel("change, in units of the input's spread")
    return ax


def litmus(inputs: Sequence[str], columns: Sequence[str], score: np.ndarray, ax: Any,
           title: Optional[str], full: Any = None) -> Any:
    ax = axes(ax, title)
    largest = np.nanmax(np.abs(score), axis=0, initial=0)
    if full is not None:
        largest = np.where(np.isnan(full), largest, full)
    shade = score / np.where(largest > 0, largest, 1)
    ax.imshow(shade, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
    ax.set_yticks(range(len(inputs)), inputs)
    ax.set_xticks(range(len(columns)), columns, rotation=45 if len(columns) > 8 else 0)
    return ax


def forest(e: Any, ax: Any, title: Optional[str]) -> Any:
    from ._plots import move_text, moves, seen, spread
    ax, delta, inputs = axes(ax, title), np.nan_to_num(e.delta), seen(e)
    moved, marginals = moves(e, inputs), spread(e)
    order = sorted(inputs, key=lambda k: abs(delta[k]))
    for i, k in enumerate(order):
        if k in moved:
            ax.text(0, i, f" {move_text(inputs[k], moved[k])}", va="center")
            continue
        if marginals:
            m = marginals[k]
            ax.plot(m.interval90, [i, i], color=GREY, linewidth=1)
            ax.plot(m.interval50, [i, i], color=GREY, linewidth=3)
        ax.plot([delta[k]], [i], "o", color=colour(delta[k]))
    ax.set_yticks(range(len(order)), [inputs[k].name for k in order])
    ax.axvline(0, color=GREY, linewidth=.5)
    ax.set_xlabel("change, in usual spreads")
    return ax


def profiles(e: Any, found: Sequence[Any], y: float, ax: Any, title: Optional[str]) -> Any:
    """On one pair of axes changes in usual spreads, levels as marks at 0, which is where the
    others change from; on a figure a panel for each input, in its own values."""
    from ._plots import seen
    inputs = seen(e)
    if hasattr(ax, "subplots"):
        return panels([inputs[one.k] for one in found], found, y, ax, title)
    ax = axes(ax, title)
    for one in found:
        called = inputs[one.k]
        if len(called.values):
            ax.plot(np.zeros(len(one.f)), one.f, "s", label=called.name)
            for value, at in zip(one.x, one.f):
                ax.annotate(called.called(value), (0, at), textcoords="offset points",
                            xytext=(6, -3))
        else:
            ax.plot(one.change, one.f, label=called.name)
    ax.axhline(y, color=GREY, linestyle="--", label="observed")
    ax.set_xlabel("change, in usual spreads")
    ax.set_ylabel("prediction")
    ax.legend()
    return ax


def panels(inputs: Sequence[Any], found: Sequence[Any], y: float, figure: Any,
           title: Optional[str]) -> Any:
    across = min(3, len(found))
    down = -(-len(found) // across)
    figure.set_size_inches(3 * across + .6, 2.4 * down + .4)
    each = figure.subplots(down, across, sharey=True, squeeze=False).ravel()
    for ax, one, called in zip(each, found, inputs):
        panel(ax, one, called)
        ax.axhline(y, color=UP, linestyle="--", linewidth=1)
    for ax in each[len(found):]:
        ax.set_visible(False)
    for ax in each[::across]:
        ax.set_ylabel("prediction")
    if title:
        figure.suptitle(title)
    return figure


def panel(ax: Any, one: Any, called: Any) -> None:
    """f along one input: now an open dot, what would look normal a filled one."""
    if len(called.values):
        places = {value: i for i, value in enumerate(one.x)}
        ax.bar(range(len(one.x)), one.f, color=DOWN, alpha=.3)
        ax.set_xticks(range(len(one.x)), [called.called(value) for value in one.x],
                      rotation=90 if len(one.x) > 3 else 0)
        now, normal, low = places.get(one.now), places.get(one.normal), []
    else:
        now, normal, low = one.now, one.normal, one.interval90
        if len(one.others):
            ax.axvspan(*np.quantile(one.others, [.05, .95]), color=GREY, alpha=.15, linewidth=0)
        ax.plot(one.x, one.f, color=DOWN)
    for at, face in ((now, "white"), (normal, UP)):
        if at is not None and np.isfinite(at):
            f = one.f[int(at)] if len(called.values) else np.interp(at, one.x, one.f)
            ax.plot([at], [f], "o", markerfacecolor=face, markeredgecolor="black")
    if len(low) and np.isfinite(low).all():
        ax.plot(low, [0, 0], color="black", linewidth=3, transform=ax.get_xaxis_transform(),
                clip_on=False)
    ax.set_xlabel(called.name)


def scatter(e: Any, x: np.ndarray, y: np.ndarray, rows: Any, k: int, ax: Any,
            title: Optional[str]) -> Any:
    ax = axes(ax, title)
    ax.plot(x[:, k], y, ".", color=GREY)
    for row, raw in rows:
        ax.plot([x[row, k]], [y[row]], "s", color=UP)
        if raw[k]:
            ax.annotate("", (x[row, k] + raw[k], y[row]), (x[row, k], y[row]),
                        arrowprops={"arrowstyle": "->", "color": UP})
    ax.set_xlabel(e.feature_names[k])
    ax.set_ylabel(e.target)
    return ax


def scores(score: np.ndarray, marked: Sequence[int], labels: Sequence[str],
           threshold: Optional[float], ax: Any, title: Optional[str]) -> Any:
    ax = axes(ax, title)
    ax.plot(range(len(score)), score, ".", color=GREY)
    for row, label in zip(marked, labels):
        ax.plot([row], [score[row]], "s", color=UP)
        ax.annotate(label, (row, score[row]), textcoords="offset points", xytext=(4, 4))
    if threshold is not None:
        ax.axhline(threshold, color=GREY, linestyle="--")
    ax.set_xlabel("row")
    ax.set_ylabel("anomaly score")
    return ax
