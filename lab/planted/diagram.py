#!/usr/bin/env python3
"""The reliability diagram and the table of planted results in docs/methods.md.

    python3 diagram.py FOLDER [--gpa build/gpa] [--keep FILE] [--svg docs/images/reliability.svg]

FOLDER and the options are those of fit.py. The picture goes to --svg, the table (Markdown) to
standard output. P(output) is shown at the odds that are stated beforehand: its cases are weighed
as if every input and the output were at fault equally often. Intervals are exact 90 % ones
(Clopper and Pearson), of weighed cases with as many as would give the variance.
"""
import pathlib

import numpy as np
from scipy.stats import beta

from fit import EXCHANGED, MODES, ONE, OUTPUT, ROOT, TWO, Cases, arguments, ask, by_model, calibration, verdicts, constants

BINS = 10
SIDE, GAP, LEFT, TOP, FOOT = 232, 66, 62, 96, 68
TITLES = {"reference": "with reference rows", "none": "without reference rows"}
STYLE = """
.rel { font: 12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Ubuntu, 'DejaVu Sans', sans-serif;
  font-variant-numeric: tabular-nums; }
.rel text { fill: #1c1e22; }
.rel .title { font-size: 15px; font-weight: 600; }
.rel .head { font-weight: 600; }
.rel .small { font-size: 9.5px; }
.rel text.mute { fill: #646a73; }
.rel .paper { fill: #fff; }
.rel .sheet { fill: #faf9f7; stroke: #c9c6bf; }
.rel .grid { stroke: #e9e6e0; }
.rel .right { stroke: #7b8089; stroke-dasharray: 3 3; }
.rel .bar { stroke-width: 1.6; }
.rel .a .dot { fill: #2566c0; stroke: #fff; }
.rel .a .bar { stroke: #2566c0; }
.rel .b .dot { fill: #cf4a1f; stroke: #fff; }
.rel .b .bar { stroke: #cf4a1f; }
@media (prefers-color-scheme: dark) {
.rel text { fill: #e8e6e1; }
.rel text.mute { fill: #a3a8b0; }
.rel .paper { fill: #17191c; }
.rel .sheet { fill: #1e2125; stroke: #4a4f57; }
.rel .grid { stroke: #2c3036; }
.rel .right { stroke: #8d939c; }
.rel .a .dot { fill: #6ea8ff; stroke: #17191c; }
.rel .a .bar { stroke: #6ea8ff; }
.rel .b .dot { fill: #ff8a5c; stroke: #17191c; }
.rel .b .bar { stroke: #ff8a5c; }
}
"""


def largest(c):
    """P of the most suspect input, were it one, and whether it was: of faults of one input."""
    one = c.of(ONE)
    hit = np.take_along_axis(c.guilty, c.single.argmax(1)[:, None], 1)[:, 0]
    return c.single.max(1)[one], hit[one], np.ones(one.sum())


def output(c):
    """P(output) of all known faults, with their weights."""
    w = np.zeros(c.n)
    for name in np.unique(c.set):
        here = c.set == name
        for kinds, share in ((OUTPUT, 1 / (c.m[here][0] + 1)), (ONE + TWO + EXCHANGED, c.m[here][0] / (c.m[here][0] + 1))):
            some = here & c.of(kinds)
            w[some] = share / some.sum() * (here & c.of(ONE + TWO + EXCHANGED + OUTPUT)).sum()
    return c.p_output[w > 0], c.of(OUTPUT)[w > 0], w[w > 0]


def bins(p, ok, w):
    """Of each bin: stated, true, its interval, cases."""
    at = np.minimum((p * BINS).astype(int), BINS - 1)
    for i in range(BINS):
        here = at == i
        if here.any():
            v, n = w[here], w[here].sum() ** 2 / (w[here] ** 2).sum()
            share = min(1.0, float((v * ok[here]).sum() / v.sum()))
            hits = share * n
            yield (i, float((v * p[here]).sum() / v.sum()), share, beta.ppf(.05, hits, n - hits + 1) if hits > 0 else 0.0,
                   beta.ppf(.95, hits + 1, n - hits) if hits < n - 1e-9 else 1.0, int(here.sum()))


def text(x, y, words, kind="", anchor="middle", more=""):
    return '<text x="%.1f" y="%.1f" text-anchor="%s"%s%s>%s</text>' % (x, y, anchor, ' class="%s"' % kind if kind else "", more, words)


def panel(x0, y0, colour, title, numbers):
    """One square with stated to the right and true upwards."""
    sx, sy = (lambda v: x0 + SIDE * v), (lambda v: y0 + SIDE * (1 - v))
    out = ['<rect class="sheet" x="%d" y="%d" width="%d" height="%d"/>' % (x0, y0, SIDE, SIDE)]
    for v in (0, .25, .5, .75, 1):
        if 0 < v < 1:
            out.append('<path class="grid" d="M%.1f %.1fV%.1fM%.1f %.1fH%.1f"/>' % (sx(v), y0, y0 + SIDE, x0, sy(v), x0 + SIDE))
        out.append(text(sx(v), y0 + SIDE + 15, "%g" % v, "mute"))
        out.append(text(x0 - 6, sy(v) + 4, "%g" % v, "mute", "end"))
    out.append('<path class="right" d="M%.1f %.1fL%.1f %.1f"/>' % (sx(0), sy(0), sx(1), sy(1)))
    out.append(text(x0, y0 - 9, title, "head", "start"))
    out.append(text(x0 + SIDE - 8, y0 + SIDE - 10, "off by %.3f" % calibration(*numbers), "mute", "end"))
    out.append('<g class="%s">' % colour)
    for i, stated, share, low, high, cases in bins(*numbers):
        out.append('<path class="bar" d="M%.1f %.1fV%.1f"/>' % (sx(stated), sy(low), sy(high)))
        out.append('<circle class="dot" cx="%.1f" cy="%.1f" r="4.2"><title>stated %.3f, true %.3f [%.3f, %.3f], %d cases</title></circle>' % (
            sx(stated), sy(share), stated, share, low, high, cases))
        out.append(text(sx((i + .5) / BINS), y0 + SIDE + 29, cases, "small mute"))
    return out + ["</g>"]


def picture(by_mode):
    width, height = LEFT + 2 * SIDE + GAP + 24, TOP + 2 * (SIDE + FOOT) + 26
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" class="rel" role="img" '
           'aria-label="Probabilities as stated, and how often they came true">' % (width, height, width, height),
           "<style>%s</style>" % STYLE, '<rect class="paper" width="%d" height="%d"/>' % (width, height),
           text(20, 26, "Probabilities as stated, and how often they came true", "title", "start"),
           text(20, 44, "Planted faults in %d real data sets. Dashed: stated = true. Bars: 90 %% intervals." % len(
               np.unique(by_mode["reference"].data)), "mute", "start"),
           text(20, 60, "Below each panel: cases in each tenth. Off by: mean distance from the dashed line.", "mute", "start")]
    for row, (title, numbers) in enumerate((("Largest P, ", largest), ("P(output), ", output))):
        y0 = TOP + row * (SIDE + FOOT)
        for column, mode in enumerate(MODES):
            x0 = LEFT + column * (SIDE + GAP)
            out += panel(x0, y0, "ab"[column], title + TITLES[mode], numbers(by_mode[mode]))
        out.append(text(20, y0 + SIDE / 2, "came true", "mute", "middle", ' transform="rotate(-90 20 %.1f)"' % (y0 + SIDE / 2)))
    out += [text(LEFT + SIDE / 2 + c * (SIDE + GAP), TOP + 2 * SIDE + FOOT + 46, "stated", "mute") for c in (0, 1)]
    return "\n".join(out + ["</svg>"]) + "\n"


def first_places(c):
    """Of every case, how many of its culprits are among as many first inputs."""
    order = np.argsort(-c.probability, 1, kind="stable")
    ranked = np.take_along_axis(c.guilty, order, 1)
    return np.array([ranked[i, :n].mean() if n else 0.0 for i, n in enumerate(c.guilty.sum(1))])


def table(by_mode, lines):
    """Kinds of fault: found, and what was said; means over the models."""
    c, n = by_mode["reference"], by_mode["none"]
    said = verdicts(c, c.probability, c.p_output, lines)
    hit = np.take_along_axis(c.guilty, c.probability.argmax(1)[:, None], 1)[:, 0]
    holds = np.array([bool(set(k["culprits"]) & set(k["set90"])) for k in c.list])
    size = np.array([len(k["set90"]) for k in c.list])
    out = ["| fault | cases | found | without rows | 90 % set holds it (size) | says input: right | wrong | output | tied | normal |",
           "|---|---|---|---|---|---|---|---|---|---|"]
    for name, kinds in [(k, (k,)) for k in ONE] + [("one input", ONE)] + [(k, (k,)) for k in TWO + EXCHANGED] + [
            ("output", OUTPUT), ("natural outlier", ("natural",)), ("normal row", ("normal",))]:
        known, single = kinds[0] in ONE + TWO + EXCHANGED, kinds[0] in ONE
        cells = [name, "%d" % c.of(kinds).sum()]
        cells += ["%.2f" % by_model(k, first_places(k), kinds) if known else "" for k in (c, n)]
        cells += ["%.2f (%.1f)" % (by_model(c, holds, kinds), by_model(c, size, kinds)) if single else ""]
        accused = said == "input"
        cells += ["%.2f" % by_model(c, accused & hit, kinds) if known else "",
                  "%.3f" % by_model(c, accused & ~hit, kinds) if known or kinds == OUTPUT else "%.2f" % by_model(c, accused, kinds)]
        cells += ["%.2f" % by_model(c, said == k, kinds) for k in ("output", "tied", "normal")]
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join(out)


def main():
    a = arguments(__doc__)
    a.add_argument("--svg", default=str(ROOT / "docs/images/reliability.svg"))
    o = a.parse_args()
    cases = ask(o.gpa, o.folder, o.sets, o.jobs, o.keep)
    by_mode = {mode: Cases([c for c in cases if c["mode"] == mode]) for mode in MODES}
    pathlib.Path(o.svg).write_text(picture(by_mode))
    print(table(by_mode, constants()[1]))
    for mode in MODES:
        for name, numbers in (("most suspect input", largest), ("P(output)", output)):
            print("\n%s, %s: off by %.3f" % (name, TITLES[mode], calibration(*numbers(by_mode[mode]))))


if __name__ == "__main__":
    main()
