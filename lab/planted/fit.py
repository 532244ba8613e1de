#!/usr/bin/env python3
"""Fits the constants of src/engine/culprit/verdict.c to faults planted in real data.

    python3 fit.py FOLDER [--gpa build/gpa] [--sets A,B] [--jobs N] [--keep FILE]

FOLDER has for each set TAG: TAG.meta.json (set, data, variables, sigma, model), TAG.csv (a line
for each row: case, kind, culprits, y, x_*), DATA.reference.csv (rows without fault, whose
outcomes are not shown) and the model, TAG.model.json or TAG.npz with FOLDER/real_worker.py.
Sets with the same "data" are one data set: two models of the same rows are not independent.
--keep FILE holds the evidence of all cases: written when it is not there, read when it is.

Every case of one row is asked twice, with and without the reference rows. The probabilities are
made of the evidence just as verdict.c makes them, and must agree with those of the program to
1e-9. Then the constants are fitted, each data set in turn left out: what is printed about the
fitted ones is always about sets that they had not seen.

Loss, at the odds that are stated beforehand (each input and "y or the model" alike; of the faults
of inputs 80 % are of one input, 18 % of two, 2 % exchanged columns; data sets count alike):
    inputs   sum over the inputs of -ln P(what it was), right or wrong: of P(k)
    single   -ln P(culprit), were it one: of faults of one input
    output   -ln P(whether it was the output)
Three inputs at once were not planted: their mass is held at a third of that of two.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
import numpy as np  # noqa: E402
from scipy.optimize import minimize  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODES = ("reference", "none")
TITLE = {"reference": "with reference rows", "none": "without"}
ONE = ("gross", "unit", "flip", "stuck", "swap")
TWO = ("double", "doublein")
EXCHANGED = ("colswap",)
OUTPUT = ("out", "outunit", "outswap")
SHARE = {"one": 0.80, "two": 0.18, "exchanged": 0.02}
FIELDS = ("one", "two", "three", "exchanged")
NAMES = ("one", "two", "three", "exchange", "stray", "stray_output", "slope", "shift")


# the constants -----------------------------------------------------------------------------

def constants(path=ROOT / "src/engine/culprit/verdict.c"):
    """What verdict.c has now: {mode: belief}, and its thresholds."""
    text = pathlib.Path(path).read_text()
    number = r"(-?[\d.]+)"
    rows = re.findall(r"\{\{%s\},\s*%s\}" % (r",\s*".join([number] * 3), r",\s*".join([number] * (len(NAMES) - 3))), text)
    lines = re.search(r"NORMAL = %s, DRIFT = %s, SAYS_INPUT = %s, SAYS_OUTPUT = %s;" % ((number,) * 4), text)
    if len(rows) != 2 or not lines:
        sys.exit("fit: %s: constants not found" % path)
    belief = {mode: dict(zip(NAMES, map(float, row))) for mode, row in zip(("none", "reference"), rows)}
    return belief, dict(zip(("normal", "drift", "input", "output"), map(float, lines.groups())))


# the cases ---------------------------------------------------------------------------------

def read_set(folder, tag):
    """Description, cases of one row, reference rows."""
    meta = json.loads((folder / (tag + ".meta.json")).read_text())
    names, cases = meta["variables"], {}
    with open(folder / (tag + ".csv"), newline="") as f:
        for r in csv.DictReader(f):
            cases.setdefault(int(r["case"]), []).append(r)
    with open(folder / (meta["data"] + ".reference.csv"), newline="") as f:
        reference = [[r[v] for v in names] for r in csv.DictReader(f)]
    return meta, [c[0] for c in cases.values() if len(c) == 1], reference


def write(path, header, rows):
    with open(path, "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([header, *rows])


def model_spec(folder, meta):
    model = folder / meta["model"]
    if model.suffix != ".npz":
        return str(model)
    return "exec:" + " ".join(map(shlex.quote, (sys.executable, str(folder / "real_worker.py"), str(model))))


def axes_of(e, names):
    """Columns of each input that can be at fault; those of a one-hot group are one."""
    groups = [k.get("columns", [k["name"]]) for k in e.get("kinds") or [{"name": v} for v in names]]
    columns = [[names.index(v) for v in g] for g in groups]
    return [g for g in columns if e["culprit"]["probability"][g[0]] > 0]


def take(e, row, meta, mode):
    """What an explanation says, by input."""
    c, axes = e["culprit"], axes_of(e, meta["variables"])
    first = [g[0] for g in axes]
    case = dict(data=meta["data"], set=meta["set"], mode=mode, kind=row["kind"], axes=len(axes),
                rms=abs(e["y"][0] - e["f"][0]) / meta["sigma"], verdict=e["verdict"]["kind"],
                culprits=[i for i, g in enumerate(axes) if set(g) & {int(k) for k in row["culprits"].split(";") if k}],
                probability=[c["probability"][k] for k in first], p_output=c["output"],
                single=[sum(c["single"][k] for k in g) for g in axes],
                set90=[i for i, g in enumerate(axes) if meta["variables"][g[0]] in c["set90"]],
                output=c["evidence"]["output"])
    for field in FIELDS:
        v = c["evidence"][field] or [None] * len(meta["variables"])
        case[field] = [v[k] for k in first]
    return case


def ask_set(gpa, folder, tag):
    meta, rows, reference = read_set(folder, tag)
    names, out = meta["variables"], []
    with tempfile.TemporaryDirectory(prefix="gpa-fit-") as work:
        write(work + "/reference.csv", names, reference)
        write(work + "/rows.csv", names + ["y"], [[r["x_" + v] for v in names] + [r["y"]] for r in rows])
        for mode in MODES:
            run = subprocess.run(
                [gpa, "explain", "--model", model_spec(folder, meta), "--target", "y", "--reference", work + "/reference.csv",
                 "--scale", "reference", "--sigma", repr(meta["sigma"]), "--json-full", "--all", "--marginals", "none",
                 "--plausible", mode, work + "/rows.csv"], capture_output=True, text=True)
            if run.returncode != 0:
                sys.exit("fit: %s: %s" % (tag, run.stderr.strip()))
            out += [take(e, rows[e["rows"][0]], meta, mode) for e in json.loads(run.stdout)["explanations"]]
    return out


def ask(gpa, folder, sets=None, jobs=1, keep=None):
    """All cases of the sets in the folder."""
    if keep and os.path.exists(keep):
        return json.loads(pathlib.Path(keep).read_text())
    folder = pathlib.Path(folder).resolve()
    tags = sorted(p.name[:-len(".meta.json")] for p in folder.glob("*.meta.json"))
    tags = [t for t in tags if not sets or t in sets.split(",")]
    if not tags:
        sys.exit("fit: %s: no sets" % folder)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        cases = [c for some in pool.map(lambda t: ask_set(gpa, folder, t), tags) for c in some]
    if keep:
        pathlib.Path(keep).write_text(json.dumps(cases))
    return cases


# as verdict.c ------------------------------------------------------------------------------

def log_sum(v):
    top = v.max(1)
    top = np.where(np.isfinite(top), top, 0)
    with np.errstate(divide="ignore"):
        return top + np.log(np.exp(v - top[:, None]).sum(1))


class Cases:
    """Cases of one mode as arrays; inputs that a case does not have are -inf."""

    def __init__(self, cases):
        self.list, self.n = cases, len(cases)
        self.m = np.array([c["axes"] for c in cases], float)
        most = int(self.m.max())
        self.here = np.arange(most)[None] < self.m[:, None]
        self.guilty = np.zeros(self.here.shape, bool)
        for i, c in enumerate(cases):
            self.guilty[i, c["culprits"]] = True
        for name in FIELDS + ("probability", "single"):
            lacking = 0 if name in ("probability", "single") else -np.inf
            rows = [[lacking if v is None else v for v in c[name]] + [lacking] * (most - c["axes"]) for c in cases]
            setattr(self, name, np.array(rows))
        self.output, self.p_output, self.rms = (np.array([c[k] for c in cases]) for k in ("output", "p_output", "rms"))
        self.kind, self.data, self.set = (np.array([c[k] for c in cases]) for k in ("kind", "data", "set"))
        self.size = {k: log_sum(getattr(self, k)) - np.log(n) for k, n in zip(FIELDS, (1, 2, 3, 2))}

    def of(self, kinds):
        return np.isin(self.kind, kinds)

    def where(self, keep):
        return Cases([c for c, k in zip(self.list, keep) if k])


def stray(p, n, share):
    return (1 - share) * p + share / n


def probabilities(c, b, triples):
    """P(k), single, P(output) of all cases under a belief: what verdict.c does."""
    m = c.m
    ways = {"one": m, "two": m * (m - 1) / 2, "three": m * (m - 1) * (m - 2) / 6, "exchanged": m * (m - 1) / 2}
    total = b["one"] + b["two"] * (m > 1) + b["three"] * (m > 2) * triples
    exchange = np.where(np.isfinite(c.size["exchanged"]), b["exchange"], 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mass = {k: np.log(b[k] / total * (1 - exchange) / ways[k]) for k in ("one", "two", "three")}
        mass["exchanged"] = np.log(exchange / ways["exchanged"])
        fields = [k for k in FIELDS if k != "three" or triples]
        part = {k: np.where(np.isfinite(c.size[k]), mass[k] + c.size[k], -np.inf) for k in fields}
        z = log_sum(np.stack([part[k] for k in fields], 1))
        p = sum(np.where(np.isfinite(getattr(c, k)), np.exp(getattr(c, k) + (mass[k] - z)[:, None]), 0) for k in fields)
        alone = np.exp(c.one - log_sum(c.one)[:, None])
    none = ~np.isfinite(log_sum(c.one))
    alone[none] = (c.here / m[:, None])[none]
    p = np.where(c.here, stray(p, m[:, None], b["stray"]), 0)
    nothing = ~np.isfinite(z)
    p[nothing] = c.probability[nothing]  # all ideas are alike: no constant has a say
    evidence = c.output - z - np.log(m)
    evidence = np.where(np.isnan(evidence), 0, evidence)
    odds = np.clip(b["slope"] * evidence + b["shift"], -700, 700)  # the prior cancels ln M
    alone = np.where(c.here, stray(alone, m[:, None], b["stray"]), 0)
    return p, alone, stray(1 / (1 + np.exp(-odds)), m + 1, b["stray_output"])


def verdicts(c, p, output, lines):
    best = p.max(1) * (1 - output)
    said = np.where(best > lines["input"], "input", np.where((output > lines["output"]) & (output >= best), "output", "tied"))
    return np.where(c.rms <= lines["normal"], "normal", said)


def check(c, b, lines, mode):
    """The program's own numbers come out."""
    p, single, output = probabilities(c, b, mode == "reference")
    off = max(np.abs(p - c.probability).max(), np.abs(single - c.single).max(), np.abs(output - c.p_output).max())
    other = (verdicts(c, c.probability, c.p_output, lines) != [k["verdict"] for k in c.list]).sum()
    print("%-20s %5d cases; probabilities as the program's to %.1e, %d verdicts differ" % (TITLE[mode], c.n, off, other))
    if off > 1e-9 or other:
        sys.exit("fit: the probabilities are not those of verdict.c")


# loss and fit ------------------------------------------------------------------------------

def weights(c, mode):
    """Of each case: the odds stated beforehand, models of a data set and data sets alike."""
    two = TWO if mode == "reference" else TWO + EXCHANGED
    groups = [(ONE, SHARE["one"]), (two, SHARE["two"] if mode == "reference" else 1 - SHARE["one"]), (OUTPUT, None)]
    groups += [(EXCHANGED, SHARE["exchanged"])] if mode == "reference" else []
    w = np.zeros(c.n)
    for name in np.unique(c.set):
        for kinds, share in groups:
            here = (c.set == name) & c.of(kinds)
            if here.any():
                m = c.m[here]
                w[here] = (1 / (m + 1) if share is None else share * m / (m + 1)) / here.sum()
        w[c.set == name] /= w[c.set == name].sum()
    for data in np.unique(c.data):
        w[c.data == data] /= w[c.data == data].sum()
    return w


def losses(c, b, mode):
    """inputs, single, output of every case."""
    p, single, output = probabilities(c, b, mode == "reference")
    inputs = -np.log(np.where(c.here, np.where(c.guilty, p, 1 - p), 1)).sum(1)
    inputs[c.of(OUTPUT)] = 0
    alone = np.where(c.of(ONE), -np.log(np.where(c.guilty, single, 1)).sum(1), 0)
    return inputs, alone, -np.log(np.where(c.of(OUTPUT), output, 1 - output))


def loss(c, b, mode, w):
    return [float((w * v).sum() / w.sum()) for v in losses(c, b, mode)]


def logit(p):
    return np.log(p / (1 - p))


def belief(x, mode):
    """Numbers without limits to constants."""
    two = np.exp(np.clip(x[0], -8, 3))
    three = two / 3 if mode == "reference" else 0.0
    total = 1 + two + three
    stray, stray_output, exchange = (float(1 / (1 + np.exp(-np.clip(v, -9, 0)))) for v in (x[1], x[2], x[5]))
    return dict(one=1 / total, two=two / total, three=three / total, stray=stray, stray_output=stray_output,
                slope=float(np.exp(np.clip(x[3], -4, 2))), shift=float(x[4]), exchange=exchange if mode == "reference" else 0.0)


def fit(c, start, mode):
    w = weights(c, mode)
    x0 = [np.log(start["two"] / start["one"]), logit(start["stray"]), logit(start["stray_output"]), np.log(start["slope"]), start["shift"]]
    x0 += [logit(start["exchange"])] if mode == "reference" else []

    def total(x):
        return sum(loss(c, belief(list(x) + [0.0], mode), mode, w))

    found = minimize(total, x0, method="Nelder-Mead", options=dict(maxiter=1500, xatol=1e-3, fatol=1e-6, adaptive=True))
    return belief(list(found.x) + [0.0], mode)


def rounded(b):
    r = {k: round(v, 2) for k, v in b.items()}
    r.update({k: max(round(b[k] * 200) / 200, 0.005) for k in ("stray", "stray_output")})  # nothing is impossible
    r.update(slope=round(b["slope"] * 20) / 20, shift=round(b["shift"], 1))
    return r


# what it comes to --------------------------------------------------------------------------

def calibration(p, ok, w=None, bins=10):
    w = np.ones(len(p)) if w is None else w
    at = np.minimum((p * bins).astype(int), bins - 1)
    return float(sum(abs((w * (p - ok))[at == i].sum()) for i in range(bins)) / w.sum())


def by_model(c, value, kinds):
    """The mean over models of the mean over their cases of these kinds."""
    means = [value[(c.set == s) & c.of(kinds)] for s in np.unique(c.set)]
    return float(np.mean([v.mean() for v in means if len(v)]))


def verdict_line(c, p, output, lines):
    said = verdicts(c, p, output, lines)
    hit = np.take_along_axis(c.guilty, p.argmax(1)[:, None], 1)[:, 0]
    accuses = said == "input"
    return (by_model(c, accuses & hit, ONE), by_model(c, accuses & ~hit, ONE), by_model(c, accuses, OUTPUT),
            by_model(c, accuses, ("natural",)), by_model(c, said == "output", OUTPUT), by_model(c, said == "output", ONE))


def unseen(c, beliefs, mode):
    """Probabilities of every case by the constants for its data set."""
    p, single, output = np.zeros(c.here.shape), np.zeros(c.here.shape), np.zeros(c.n)
    for data, b in beliefs.items():
        here = c.data == data
        a, s, o = probabilities(c, b, mode == "reference")
        p[here], single[here], output[here] = a[here], s[here], o[here]
    return p, single, output


def put_belief(label, b):
    print("  %-22s" % label + "".join("  %s %.3f" % (k, b[k]) for k in NAMES if b[k] != 0 or k == "shift"))


def put_effects(label, c, numbers, lines, mode):
    p, single, output = numbers
    one, w = c.of(ONE), weights(c, mode)
    right = np.take_along_axis(c.guilty, single.argmax(1)[:, None], 1)[:, 0]
    known = w > 0
    print("  %-22s  " % label + "  ".join("%5.3f" % v for v in verdict_line(c, p, output, lines))
          + "  %6.3f  %6.3f  %6.3f" % (by_model(c, -np.log(np.where(c.guilty, single, 1)).sum(1), ONE),
                                       calibration(single.max(1)[one], right[one]),
                                       calibration(output[known], c.of(OUTPUT)[known], w[known])))


def put_losses(c, now, left, mode):
    w = weights(c, mode)
    print("  loss on the data set left out: constants fitted on the others; those of now; difference +- standard error")
    rows = []
    for data in np.unique(c.data):
        here = c.data == data
        part = c.where(here)
        rows.append([loss(part, b, mode, w[here]) for b in (left[data], now)])
        total = np.sum(rows[-1], 1)
        print("    %-12s %7.4f  %7.4f  %+7.4f" % (data, *total, total[0] - total[1]))
    rows = np.array(rows)  # data set, fitted or now, part
    for name, v in [("mean", rows.sum(2))] + [(k, rows[:, :, i]) for i, k in enumerate(("of inputs", "of single", "of output"))]:
        gain = v[:, 0] - v[:, 1]
        error = gain.std(ddof=1) / np.sqrt(len(gain))
        print("    %-12s %7.4f  %7.4f  %+7.4f +- %.4f: %s" % (
            name, *v.mean(0), gain.mean(), error, "fitted are clearly better" if gain.mean() < -2 * error
            else "no clear difference" if gain.mean() < 2 * error else "those of now are clearly better"))


def report(c, now, lines, mode):
    print("\n%s" % TITLE[mode])
    sets = np.unique(c.data)
    left = {data: fit(c.where(c.data != data), now, mode) for data in sets} if len(sets) > 1 else {}
    best = fit(c, now, mode)
    put_belief("now", now)
    put_belief("fitted on all", best)
    put_belief("rounded", rounded(best))
    for data in left:
        put_belief("without " + data, left[data])
    if left:
        put_losses(c, now, left, mode)
    print("  %-22s  right  wrong  outp.  natur  y:yes  y:no    -ln P   calib  cal(y)" % "says an input")
    put_effects("now", c, probabilities(c, now, mode == "reference"), lines, mode)
    if left:
        put_effects("fitted, set left out", c, unseen(c, left, mode), lines, mode)
    put_effects("rounded", c, probabilities(c, rounded(best), mode == "reference"), lines, mode)
    for says_input in (0.7, 0.75, 0.85, 0.9):
        put_effects("now, input above %.2f" % says_input, c, probabilities(c, now, mode == "reference"), {**lines, "input": says_input}, mode)
    for says_output in (0.2, 0.4, 0.5):
        put_effects("now, output above %.2f" % says_output, c, probabilities(c, now, mode == "reference"), {**lines, "output": says_output}, mode)


def arguments(doc):
    a = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("folder")
    a.add_argument("--gpa", default=str(ROOT / "build/gpa"))
    a.add_argument("--sets")
    a.add_argument("--jobs", type=int, default=1)
    a.add_argument("--keep")
    return a


def main():
    o = arguments(__doc__).parse_args()
    now, lines = constants()
    cases = ask(o.gpa, o.folder, o.sets, o.jobs, o.keep)
    by_mode = {mode: Cases([c for c in cases if c["mode"] == mode]) for mode in MODES}
    for mode in MODES:
        check(by_mode[mode], now[mode], lines, mode)
    for mode in MODES:
        report(by_mode[mode], now[mode], lines, mode)
    print("\nright, wrong: of faults of one input; outp., natur: of output faults, of natural outliers; y: says output, of output"
          "\nfaults and of faults of one input: means over models. -ln P of the culprit, were it one; calib of the largest such P,"
          "\ncal(y) of P(output) at the odds stated beforehand: ten bins, all cases")


if __name__ == "__main__":
    main()
