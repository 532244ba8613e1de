#!/usr/bin/env python3
"""The culprit probabilities of docs/methods.md, "Who did it", once more in NumPy and SciPy.

The C code is compared with the numbers that this program prints:

    culprit_reference.py made             tests/culprit_expected.h
    culprit_reference.py planted DIR      tests/planted_expected.h (DIR: the planted faults)
    culprit_reference.py without          tests/test_plausible.c: all rows but one

It follows the text and not the C code: whole arrays, no pruning, no shared work. What inputs
might have been is integrated as finely as it takes (FINE cells a line, and the likelihood's mean
over each cell in closed form), so that the C code's few cells are compared with the integral and
not with themselves.
"""
import copy
import csv
import itertools
import json
import math
import sys

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import ndtr, ndtri, stdtr

ETA, NU = 0.1, 0.5                     # prior of a move, in units
SHAPE, NOISE = 5.5, 2.0                # likelihood: a, and b = a sigma^2 / NOISE
DOUBT = 0.1                            # part of the smallest change of f that is doubt of the sum of several
APART = 0.1                            # odds of one change a row against one for all
CELLS, NODES = 100, 24                 # places of a line next to its limits, and asked
ENDS = 4                               # of what a missing number may have been: ever rarer at each end
FINE = {1: (3000, 1000), 2: (150, 60), 3: (56, 20)}     # cells of a line in the score and in the prior, of one, two and three
PAIR_AXES, PARTNERS = 12, 24
EXTENDED, EXTEND = 3, 0.03             # pairs to which a third is added: so many, with so much of the answer
BLIND = 0.1                            # of sigma: an input that changes f by less is not weighed with others, nor row by row
FARTHER = 10.0                         # a wrong y is so many times as far off, and so many times as rarely
EXCHANGES, EXCHANGE_AXES = 8, 25
# What is believed beforehand without reference rows and with them: mass of one, two, three wrong inputs; of an exchange;
# stray faults, of inputs and of the output; slope and shift of the output's log odds.
BELIEF = (((0.70, 0.30, 0.0), 0.0, 0.15, 0.5, 0.45, -2.4), ((0.79, 0.16, 0.05), 0.04, 0.005, 0.01, 0.6, -1.5))
ALPHAS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
LEAST, MOST, MIXED = 8, 300, 30        # reference rows: at least, at most, for alpha > 0
FAR = 5.0                              # units: what is farther from the median is brought there
SWITCH, ASKED, ATOM, RARE = 0.5, 24, 0.8, 10.0
ROOT = math.sqrt(ETA)


def cdf(t):
    tail = 0.5 * ndtr(-ROOT * (np.abs(t) + NU)) / ndtr(-ROOT * NU)
    return np.where(np.asarray(t) < 0, tail, 1 - tail)


def quantile(u):
    u = np.asarray(u, float)
    away = np.maximum((1 - np.abs(2 * u - 1)) * ndtr(-ROOT * NU), 1e-300)
    return np.sign(2 * u - 1) * np.maximum(-ndtri(away) / ROOT - NU, 0)


def log_prior(t):
    return -0.5 * ETA * t * t - ETA * NU * np.abs(t)


def lse(v, axis=None):
    v = np.asarray(v, float)
    top = np.max(v, axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        s = np.log(np.sum(np.exp(v - top), axis=axis, keepdims=True)) + top
    return s.item() if axis is None else np.squeeze(s, axis)


def lme(v, axis):
    return lse(v, axis) - math.log(v.shape[axis])


def left_out(z):
    """How far correlations are shrunk so that they expect each row left out: (1 - t) S + t I."""
    z = z[:, z.any(0)]
    n, m = z.shape
    if m < 2:
        return 0.02
    others = [np.delete(z, i, 0) for i in range(n)]
    parts = [(z[i] - o.mean(0), np.cov(o.T, bias=True)) for i, o in enumerate(others)]

    def surprise(log_t):
        t = math.exp(log_t)
        total = 0.0
        for d, s in parts:
            c = (1 - t) * s + t * np.eye(m)
            total += np.linalg.slogdet(c)[1] + d @ np.linalg.solve(c, d)
        return total / n
    low, high = math.log(0.02), math.log(0.95)
    best = minimize_scalar(surprise, bounds=(low, high), method="bounded", options={"xatol": 1e-6})
    return 0.02 if surprise(low) <= best.fun else math.exp(best.x)


class Axis:
    """kind: number, whole, choice. columns; levels: one tuple of column values each."""

    def __init__(self, kind, columns, levels=None, lo=-math.inf, hi=math.inf, missing=math.nan, whole=False):
        self.kind, self.columns, self.lo, self.hi = kind, list(columns), lo, hi
        self.levels = None if levels is None else [tuple(map(float, v)) for v in levels]
        self.missing, self.whole = missing, whole

    def level_of(self, row):
        v = tuple(float(row[c]) for c in self.columns)
        if any(math.isnan(a) for a in v):
            return math.nan
        return self.levels.index(v) if v in self.levels else len(self.levels)


class Density:
    """What reference rows say about values; only ratios are used."""

    def __init__(self, rows, axes, unit, joint=True, alpha=None):
        self.axes, self.unit, self.n = axes, unit, len(rows)
        self.b, self.h, self.shift, self.width = {}, {}, {}, {}
        self.kernels = self.b              # whose density counts; b: whose scores
        self.at, self.mass, self.median, self.block = {}, {}, {}, []
        self.left_out = None               # found with the first correlations, those of all rows
        zs, rare = [], []
        for k, a in enumerate(axes):
            z, r = self.choice(k, a, rows) if a.kind == "choice" else self.ordered(k, a, rows)
            at = sum(b.size for b in self.block)
            self.block.append(np.arange(at, at + z.shape[1]))
            zs.append(z)
            rare.append(r)
        self.z = np.concatenate(zs, 1)
        self.kernels, self.rare = self.b, np.concatenate(rare)
        self.R = self.correlation(self.rare, joint)
        self.alpha = self.choose(joint) if alpha is None else alpha
        self.cov = (1 - self.alpha ** 2) * self.R
        self.centre = self.alpha * self.z if self.alpha > 0 else 0 * self.z[:1]

    def choice(self, k, a, rows):
        code = np.array([a.level_of(r) for r in rows])
        L = len(a.levels)
        count = np.array([(code == l).sum() for l in range(L)], float)
        p = self.mass[k] = (count + 0.5) / (count.sum() + 0.5 * L)
        if L == 2:
            self.at[k] = np.array([[-p[1]], [p[0]]]) / math.sqrt(p[0] * p[1])
            rare = [count.min() / (count.min() + RARE)]
        else:
            self.at[k] = (np.eye(L) - p) / np.sqrt(p * (1 - p))
            rare = count / (count + RARE)
        z = np.zeros((len(rows), self.at[k].shape[1]))
        for i, c in enumerate(code):
            if c < L:
                z[i] = self.at[k][int(c)]
        return z, np.asarray(rare, float)

    def ordered(self, k, a, rows):
        v = np.array(rows)[:, a.columns[0]].astype(float)
        v = np.where(v == a.missing, math.nan, v)
        if a.kind == "whole":
            v = np.where(np.isin(v, [l[0] for l in a.levels]), v, math.nan)
        ok = np.isfinite(v)
        if ok.sum() < LEAST:
            return np.zeros((len(rows), 1)), np.ones(1)
        b = v[ok] / self.unit[k]
        sd = b.std() if b.std() > 1e-9 else 1.0
        mad = 1.4826 * np.median(np.abs(b - np.median(b)))
        w = min(mad, sd) if mad > 1e-9 else sd
        self.b[k], self.median[k] = b, np.median(v[ok])
        self.h[k] = 1.5 * max(1.06 * w * len(b) ** -0.2, 0.05 * sd)
        self.shift[k], self.width[k] = 0.0, 1.0
        z = np.zeros(len(rows))
        z[ok] = self.column(k, v[ok])[1]
        s = z[ok].std() if z[ok].std() > 1e-9 else 1.0
        self.shift[k], self.width[k] = z[ok].mean(), s
        z[ok] = (z[ok] - self.shift[k]) / s
        return z[:, None], np.ones(1)

    def column(self, k, v):
        """ln density per unit, and score."""
        q = (np.asarray(v, float)[..., None] / self.unit[k] - self.b[k]) / self.h[k]
        u = np.clip(0.5 + np.arctan(q).mean(-1) / math.pi, 1e-9, 1 - 1e-9)
        if self.kernels is not self.b:
            q = (np.asarray(v, float)[..., None] / self.unit[k] - self.kernels[k]) / self.h[k]
        dens = np.mean(1 / (1 + q * q), -1) / (math.pi * self.h[k])
        return np.log(np.maximum(dens, 1e-300)), (ndtri(u) - self.shift[k]) / self.width[k]

    def value_at(self, k, score):
        """The numbers with these scores: the distribution function is inverted by halving."""
        far = 1e10 * self.h[k]
        low = np.full(len(score), (self.b[k].min() - far) * self.unit[k])
        high = np.full(len(score), (self.b[k].max() + far) * self.unit[k])
        for _ in range(90):
            middle = 0.5 * (low + high)
            below = self.column(k, middle)[1] < score
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return 0.5 * (low + high)

    def step_mass(self, k, v):
        step = np.median(np.diff([l[0] for l in self.axes[k].levels])) / self.unit[k]
        seen = (np.abs(np.asarray(v)[:, None] / self.unit[k] - self.kernels[k]) < 1e-9).mean(1)
        return ATOM * seen + (1 - ATOM) * np.minimum(np.exp(self.column(k, v)[0]) * step, 1)

    def correlation(self, rare, joint):
        n, m = self.z.shape
        sd = self.z.std(0)
        s = np.where(sd > 1e-9, (self.z - self.z.mean(0)) / np.where(sd > 1e-9, sd, 1), 0)
        r = s.T @ s / n
        var = ((s * s).T @ (s * s) / n - r * r) / (n - 1.0)
        other = np.ones((m, m), bool)
        for b in self.block:
            other[np.ix_(b, b)] = False
        t = 1.0
        if joint and other.any():
            if self.left_out is None:
                self.left_out = left_out(s[:, [b[0] for b in self.block if len(b) == 1]])
            t = min(1.0, max(self.left_out, var[other].sum() / max((r[other] ** 2).sum(), 1e-12)))
        r = (1 - t) * r * np.outer(rare, rare)
        np.fill_diagonal(r, 1)
        return r

    def marginal(self, k, at, alpha, leave=False):
        """ln of the mixture's density on the scores of one axis (up to a constant)."""
        b = self.block[k]
        w = np.linalg.inv((1 - alpha ** 2) * self.R[np.ix_(b, b)])
        d = at[:, None] - alpha * self.z[None][:, :, b]
        lp = -0.5 * np.einsum("cni,ij,cnj->cn", d, w, d) + 0.5 * np.linalg.slogdet(w)[1]
        if leave:
            np.fill_diagonal(lp, -math.inf)
        return lme(lp, 1)

    def choose(self, joint):
        best, chosen = None, 0.0
        for alpha in ALPHAS if joint and self.n >= MIXED else ():
            w = np.linalg.inv((1 - alpha ** 2) * self.R)
            d = self.z[:, None] - alpha * self.z[None]
            lp = -0.5 * np.einsum("cni,ij,cnj->cn", d, w, d) + 0.5 * np.linalg.slogdet(w)[1]
            np.fill_diagonal(lp, -math.inf)
            v = lme(lp, 1)
            for k, a in enumerate(self.axes):
                if a.kind != "number" and (a.kind == "choice" or k in self.b):
                    v = v - self.marginal(k, self.z[:, self.block[k]], alpha, True)
            if best is None or v.mean() > best + 1e-9:
                best, chosen = v.mean(), alpha
        return chosen

    def plain(self):
        """The same rows by their correlations alone."""
        d = copy.copy(self)
        d.alpha, d.cov, d.centre = 0.0, self.R, 0 * self.z[:1]
        return d

    def without(self, rows, row):
        """All rows but one: with the scores, widths and rows left out of all, alpha by the R of all."""
        others, d = Density(np.delete(rows, row, 0), self.axes, self.unit), copy.copy(self)
        d.n, d.z, d.kernels, d.mass = others.n, np.delete(self.z, row, 0), others.b, others.mass
        d.alpha = d.choose(True)
        d.R = d.correlation(others.rare, True)
        d.cov = (1 - d.alpha ** 2) * d.R
        d.centre = d.alpha * d.z if d.alpha > 0 else 0 * d.z[:1]
        return d

    def log_density(self, values):
        """Of a row: one value per axis, as place() takes it."""
        own, z = zip(*[self.place(k, v) for k, v in enumerate(values)])
        off = np.concatenate([v[0] for v in z]) - self.centre
        return sum(v[0] for v in own) + lse(-0.5 * np.einsum("ij,jk,ik->i", off, np.linalg.inv(self.cov), off))

    def place(self, k, v):
        """(ln own part, scores) at raw values, or levels of a choice."""
        a, v = self.axes[k], np.atleast_1d(np.asarray(v, float))
        if a.kind == "choice":
            L = len(a.levels)
            at = np.vstack([self.at[k], np.zeros((1, self.at[k].shape[1]))])
            own = np.log(np.append(self.mass[k], 0.5 / (self.n + 1.0))) - self.marginal(k, at, self.alpha)
            j = np.minimum(v, L).astype(int)
            return own[j], at[j]
        if k not in self.b:
            return np.zeros(len(v)), np.zeros((len(v), 1))
        l, z = self.column(k, v)
        if a.kind == "whole":
            return np.log(np.maximum(self.step_mass(k, v), 1e-300)) - self.marginal(k, z[:, None], self.alpha), z[:, None]
        return l + 0.5 * z * z, z[:, None]


class Side:
    """Alternatives of one axis: for each of N rows and C values own, D (N, C, components), dz, U, across; lw (C)."""


class Question:
    def __init__(self, f, x, y, sigma, axes, unit, rows=None, mode="on", spread=None, refine=True, fine=None, alpha=None,
                 prior=None):
        self.x, self.y, self.sigma = np.atleast_2d(np.asarray(x, float)), np.atleast_1d(y).astype(float), sigma
        self.refine, self.f, self.spread = refine, f, spread
        self.fine, self.prior = fine or FINE, prior
        self.trust = 1 / math.sqrt(len(self.x))  # rows that are explained together are alike
        if rows is not None and len(rows) < LEAST:
            rows = None
        if rows is not None and len(rows) > MOST:
            rows = rows[(np.arange(MOST) * len(rows)) // MOST]
        missing = [a for a in axes if np.isnan(self.x[:, a.columns]).any()]
        self.axes = axes = [a for a in axes if a not in missing or rows is not None]
        self.unit = np.array([unit[a.columns[0]] for a in axes], float)
        self.gap = [a in missing for a in axes]
        self.d = None if rows is None else Density(rows, axes, self.unit, mode == "on", alpha)
        self.gap = [g and (a.kind == "choice" or k in self.d.b) for k, (a, g) in enumerate(zip(axes, self.gap))]
        self.triples = rows is not None and mode == "on"
        self.scale = self.unit.copy()
        for k, a in enumerate(axes):
            if self.d is not None and a.kind != "choice" and not self.gap[k] and k in self.d.b:
                away = abs(self.x[:, a.columns[0]].mean() - self.d.median[k]) / self.unit[k]
                self.scale[k] *= away / FAR if away > FAR else 1
        self.row_scores()
        self.open_eyes()
        self.exchanges = self.plan_exchanges()
        self.plan()
        self.ask()
        self.weigh()

    # -------- the row

    def row_scores(self):
        d = self.d
        self.now = [None if a.kind != "choice" else a.level_of(self.x[0]) for a in self.axes]
        if d is None:
            return
        self.z0, self.own0 = np.zeros((len(self.x), d.z.shape[1])), {}
        for k, a in enumerate(self.axes):
            if self.gap[k]:
                continue
            v = np.full(len(self.x), self.now[k]) if a.kind == "choice" else self.x[:, a.columns[0]]
            self.own0[k], z = d.place(k, v)
            self.z0[:, d.block[k]] = z
        self.here = [j for k, b in enumerate(d.block) for j in b if not self.gap[k]]
        self.W, self.g, self.base = self.components(self.here)

    def components(self, here):
        d = self.d
        W = np.zeros_like(d.cov)
        W[np.ix_(here, here)] = np.linalg.inv(d.cov[np.ix_(here, here)])
        diff = self.z0[:, None] - d.centre[None]
        g = diff @ W
        return W, g, -0.5 * (g * diff)[:, :, here].sum(-1)

    def open_eyes(self):
        """This question in the eyes of each density, and ln of how far each is believed: as likely beforehand, and as good as
        what it lets expect where the rows are."""
        self.eyes, self.believed = [self], np.zeros(1)
        if self.d is None or self.d.alpha == 0:
            return
        other = copy.copy(self)
        other.d = self.d.plain()
        other.row_scores()
        self.eyes = [copy.copy(self), other]
        l = np.array([q.trust * float((sum(q.own0.values()) + lme(q.base, 1)
                                       + 0.5 * np.linalg.slogdet(q.W[np.ix_(q.here, q.here)])[1]).sum()) for q in self.eyes])
        self.believed = l - lse(l)

    def join(self, logs):
        """What all say together, each having said one of these."""
        return lse(np.stack(np.broadcast_arrays(*[np.asarray(l, float) + b for l, b in zip(logs, self.believed)])), 0)

    def look(self):
        """The eyes once f is known."""
        for q in self.eyes:
            if q is not self:
                q.plans, q.residual, q.f0 = self.plans, self.residual, self.f0

    def plausibility(self, z):
        """ln density of N rows at these scores (N, scores), up to a constant."""
        diff = z[:, None] - self.d.centre[None]
        return lme(-0.5 * np.einsum("tis,sr,tir->ti", diff, self.W, diff), 1)

    def plan_exchanges(self):
        """(gain, j, k): the pairs whose exchange makes the rows most plausible; all in the rows' own numbers."""
        if self.d is None:
            return []
        able = [k for k, a in enumerate(self.axes) if a.kind != "choice" and not self.gap[k] and k in self.d.b]
        if len(able) > EXCHANGE_AXES:
            raise NotImplementedError("of so many inputs those that fit least")
        out = []
        for j, k in itertools.combinations(able, 2):
            can = True
            for a, b in ((j, k), (k, j)):
                v, there = self.x[:, self.axes[b].columns[0]], self.axes[a]
                can = can and (v != self.x[:, there.columns[0]]).all() and (v >= there.lo).all() and (v <= there.hi).all()
                if there.kind == "whole":
                    steps = [l[0] for l in there.levels]
                    can = can and (v == np.rint(v)).all() and (v >= steps[0]).all() and (v <= steps[-1]).all()
            if can:
                out.append((float(self.join([q.exchange(j, k) for q in self.eyes])), j, k))
        return sorted(out, key=lambda g: -g[0])[:EXCHANGES]

    def exchange(self, j, k):
        """ln of how much more plausible the rows are with two numbers in each other's place."""
        z, own = self.z0.copy(), 0.0
        for a, b in ((j, k), (k, j)):
            placed, scores = self.d.place(a, self.x[:, self.axes[b].columns[0]])
            z[:, self.d.block[a]] = scores
            own = own + placed - self.own0[a]
        return self.trust * float((own + self.plausibility(z) - self.plausibility(self.z0)).sum())

    # -------- alternatives and what is asked

    def plan(self):
        self.plans = [self.plan_axis(k, a) for k, a in enumerate(self.axes)]

    def plan_axis(self, k, a):
        p, d = {}, self.d
        if a.kind == "number" and not self.gap[k]:
            x = self.x[:, a.columns[0]]
            s = self.scale[k]
            lo, hi = ((a.lo - x) / s).max(), ((a.hi - x) / s).min()
            p["limits"], p["u"] = (lo, hi), (float(cdf(lo)), float(cdf(hi)))
            usual = self.usual(k, p)
            share = (np.arange(NODES - len(usual)) + 0.5) / (NODES - len(usual))
            if self.refine and math.isfinite(lo):                # up to the last cell before a limit
                share[0] = 0.5 / CELLS
            if self.refine and math.isfinite(hi):
                share[-1] = 1 - 0.5 / CELLS
            p["node"] = np.sort(np.concatenate([self.quantiles(p, share), usual]))
        elif a.kind == "number":
            few = 2.0 ** np.arange(-ENDS, 0)                     # the last parts hold half as much as the one before
            part = np.concatenate([few[:1], few, np.ones(NODES - 2 * ENDS - 2), few[::-1], few[:1]]) / (NODES - 2 * ENDS)
            p["value"] = np.quantile(d.b[k], np.cumsum(part) - 0.5 * part) * self.unit[k]
            p["lw"] = np.log(part)
        else:
            L = len(a.levels)
            if a.kind == "whole" and self.gap[k]:
                value = np.array([l[0] for l in a.levels])
            elif a.kind == "whole":                              # one step for all rows
                x, s = self.x[:, a.columns[0]], self.scale[k]
                v = np.array([l[0] for l in a.levels]) - x[0]
                v = v[(v >= (a.levels[0][0] - x).max()) & (v <= (a.levels[-1][0] - x).min())]
                step, support = v[v != 0], np.unique(np.append(v, 0))
                t = log_prior((support[None] - step[:, None]) / s)
                t[support[None] == step[:, None]] = -math.inf
                lw = log_prior(step / s) - lse(t, 1)
                value = x[:, None] + step
            else:
                other = np.array([l for l in range(L) if l != self.now[k]])
                value = other.astype(float)
                levels = L if self.gap[k] else max(L, int(self.now[k]) + 1)
                lw = np.full(len(other), math.log(min(SWITCH, 1.0 / max(levels - 1, 1))))
            if self.gap[k]:
                lw = np.zeros(value.shape[-1])
            w = lw
            if d is not None:
                t = self.plausible(k, value, lw)
                w = lw + self.gain(t)
            if self.gap[k]:
                lw = lw - lse(w)
            keep = np.sort(np.argsort(-w, kind="stable")[:ASKED])
            p.update(value=value[..., keep], lw=lw[keep], w=w[keep])
        return p

    def usual(self, k, p):
        """Of a number whose unit was stretched: moves to what is usual."""
        if self.d is None or k not in self.d.b or self.scale[k] == self.unit[k]:
            return np.zeros(0)
        n = NODES // 2
        v = self.d.value_at(k, 3.0 * ((2 * np.arange(n) + 1) / n - 1))
        v = (v - self.x[:, self.axes[k].columns[0]].mean()) / self.scale[k]
        return v[(v > p["limits"][0]) & (v < p["limits"][1])]

    def quantiles(self, p, share):
        return quantile(p["u"][0] + (p["u"][1] - p["u"][0]) * share)

    def moved(self, k, value):
        """Rows with axis k at absolute values (N, C) or levels."""
        a = self.axes[k]
        out = []
        for c in range(value.shape[-1]):
            r = self.x.copy()
            if a.kind == "choice":
                r[:, a.columns] = a.levels[int(value[c])]
            else:
                r[:, a.columns[0]] = value[..., c]
            out.append(r)
        return out

    def ask(self):
        rows, start = [self.x], []
        for k, p in enumerate(self.plans):
            start.append(len(rows))
            if "node" in p:
                a = self.axes[k]
                for t in p["node"]:
                    r = self.x.copy()
                    r[:, a.columns[0]] = np.clip(r[:, a.columns[0]] + t * self.scale[k], a.lo, a.hi)
                    rows.append(r)
            else:
                rows += self.moved(k, p["value"])
        start.append(len(rows))
        for _, j, k in self.exchanges:
            r = self.x.copy()
            c = [self.axes[j].columns[0], self.axes[k].columns[0]]
            r[:, c] = r[:, c[::-1]]
            rows.append(r)
        f = np.asarray(self.f(np.concatenate(rows)), float).reshape(len(rows), len(self.x))
        self.f0 = f[0]
        self.asked = len(rows)
        self.residual = self.y - self.f0
        for k, p in enumerate(self.plans):
            count = len(p["node"]) if "node" in p else p["value"].shape[-1]
            p["f"] = f[start[k]:start[k] + count] - self.f0
        self.exchanged_f = f[start[-1]:] - self.f0

    # -------- sides

    def plausible(self, k, value, lw):
        """value: (N, C) raw, or (C,) the same for all rows."""
        d, t = self.d, Side()
        n = len(self.x)
        value = np.asarray(value, float)
        value = np.broadcast_to(value, (n, value.shape[-1]))
        t.k, t.lw, t.value = k, np.array(lw, float), value
        if d is None:
            t.own = t.D = t.dz = None
            return t
        placed = [d.place(k, v) for v in value]
        own, z = np.array([o for o, _ in placed]), np.array([z for _, z in placed])
        b = d.block[k]
        if self.gap[k]:
            W, g, base = self.components(sorted(self.here + list(b)))
            P = W[np.ix_(b, b)]
            quad = -np.einsum("tcs,tis->tci", z, g[:, :, b]) - 0.5 * np.einsum("tcs,sr,tcr->tc", z, P, z)[:, :, None]
            t.D = base[:, None] + quad + 0.5 * np.linalg.slogdet(P)[1] - self.base[:, None]
            t.own = 0.5 * z[:, :, 0] ** 2 if self.axes[k].kind == "number" else own
            t.dz = None
            return t
        t.own = own - self.own0[k][:, None]
        t.dz = z - self.z0[:, None, b]
        t.D = -np.einsum("tcs,tis->tci", t.dz, self.g[:, :, b]) - 0.5 * np.einsum("tcs,sr,tcr->tc", t.dz, self.W[np.ix_(b, b)], t.dz)[:, :, None]
        return t

    def gain(self, t):
        """ln plausibility ratio of each value, all rows."""
        if self.d is None:
            return np.zeros(len(t.lw))
        return self.trust * (t.own + lme(self.base[:, None] + t.D, 2) - lme(self.base, 1)[:, None]).sum(0)

    def change(self, p, at):
        """f - f0 at moves of a line, between the nodes and the row itself: (N, C)."""
        node, u = p["node"], p["f"]
        j = int(np.searchsorted(node, 0.0))
        if not (j < len(node) and node[j] == 0):
            node, u = np.insert(node, j, 0.0), np.insert(u, j, 0.0, axis=0)
        return np.array([interp(at, node, u[:, i]) for i in range(len(self.x))])

    def room(self, p, at):
        """ln of the prior that stays within the limits, seen from a true value there."""
        lo, hi = p["limits"]
        return np.log(np.maximum(cdf(at - lo) - cdf(at - hi), 1e-12)) if lo <= 0 <= hi else np.zeros(len(at))

    def fine_side(self, k, size):
        """The places of an axis: those listed, or a line cut at steps of the score, at quantiles of the prior and at all nodes.
        U: f in the middle of cells, E: at their ends (N, C, 2)."""
        p, a = self.plans[k], self.axes[k]
        if "node" not in p:
            t = self.plausible(k, p["value"], p["lw"])
            t.U = p["f"].T
            t.E = np.stack([t.U, t.U], -1)
            return t
        scores, quantiles = self.fine[size]
        x, s = self.x[0, a.columns[0]], self.scale[k]
        lo, hi = p["limits"]
        edges = [self.quantiles(p, np.concatenate([[1e-9, 1e-7, 1e-5, 1e-4], np.arange(1, quantiles) / quantiles,
                                                   [1 - 1e-4, 1 - 1e-5, 1 - 1e-7, 1 - 1e-9]])), p["node"], [0.0]]
        if self.d is not None and k in self.d.b:
            reach = 5.0
            edges.append((self.d.value_at(k, np.linspace(-reach, reach, scores + 1)) - x) / s)
        e = np.concatenate(edges)
        e = np.unique(e[(e > max(lo, -60)) & (e < min(hi, 60))])
        e = np.concatenate([[lo], e, [hi]])
        mass = np.diff(np.where(e < 0, cdf(e), 0)) - np.diff(np.where(e < 0, 0, 1 - cdf(e)))  # of each end what is small
        mass = np.where((e[:-1] < 0) & (e[1:] >= 0), cdf(e[1:]) - cdf(e[:-1]), mass)
        e = np.clip(e, e[1] if not math.isfinite(lo) else lo, e[-2] if not math.isfinite(hi) else hi)
        at = 0.5 * (e[1:] + e[:-1])
        keep = mass > 0
        with np.errstate(divide="ignore"):
            lw = np.log(np.maximum(mass, 0)) - self.room(p, at)
        t = self.plausible(k, self.x[:, a.columns[0]][:, None] + at[None] * s, lw)
        ends = self.change(p, e)
        t.U, t.E = self.change(p, at), np.stack([ends[:, :-1], ends[:, 1:]], -1)
        for name in ("value", "own", "D", "dz", "U", "E"):
            v = getattr(t, name)
            setattr(t, name, None if v is None else v[:, keep])
        t.lw = t.lw[keep]
        return t

    # -------- evidence

    def like(self, u, w):
        """ln likelihood of moves that change f by u (N, C) in the middle of cells, and by w across them. What a row says of the
        place within the cell, whose mean and variance these are, holds for the rows after it."""
        b = SHAPE * self.sigma ** 2 / NOISE
        l, mean, var = 0.0, np.zeros(u.shape[1]), np.full(u.shape[1], 1 / 12)
        for residual, change, across in zip(self.residual, u, w):
            with np.errstate(over="ignore", invalid="ignore"):
                r, spread = residual - change - across * mean, across ** 2 * var
                b2 = b + SHAPE * spread
                l = l - (SHAPE + 0.5) * np.log1p(r * r / (2 * b2)) - 0.5 * np.log(b2 / b)
                noise = b / SHAPE
                noise = noise + (r * noise / (noise + spread)) ** 2 / (2 * SHAPE)  # what fits nowhere says little
                gain = var * across / (noise + spread)
                mean, var = mean + gain * r, var - gain * across * var
        return np.where(np.isfinite(l), l, -math.inf)

    def weigh(self):
        m = len(self.axes)
        self.look()
        said = [q.weigh_alone(m) for q in self.eyes]
        e = self.evidence = self.join(said)
        more = np.argmax(np.stack([v + b for v, b in zip(said, self.believed)]), 0)
        self.varies = np.array([self.eyes[i].varies[k] for k, i in enumerate(more)])
        self.full, self.post = ([getattr(self.eyes[i], name)[k] for k, i in enumerate(more)] for name in ("full", "post"))
        self.rows = [self.eyes[i].each for i in more]
        mass, self.exchange_mass, self.stray, stray_output, slope, shift = BELIEF[self.d is not None]
        mass = np.array(mass[:3 if self.triples else 2][:m])
        self.mass = mass / mass.sum()
        self.subsets, self.exchanged, self.logs = [(k,) for k in range(m)], [False] * m, list(e)
        wide = self.reach()
        seen = [int(k) for k in np.argsort(-wide, kind="stable") if self.d is None or wide[k] > BLIND * self.sigma]
        if m > 1:
            top = []
            for pair in zip(np.argsort(-e, kind="stable"), np.argsort(-wide, kind="stable")):
                if len(top) + 2 <= PAIR_AXES:
                    top += [int(k) for k in dict.fromkeys(pair) if k not in top and k in seen]
            also = [k for k in seen if k not in top][:PARTNERS - len(top)]
            pairs = list(itertools.combinations(top, 2)) + [(top[0], k) for k in also if top]
            self.add([sorted(s) for s in pairs], top + also)
        for (gain, j, k), f in zip(self.exchanges, self.exchanged_f):
            self.subsets.append((j, k))
            self.exchanged.append(True)
            fit = self.like(f[:, None], np.zeros((len(self.x), 1)))
            self.logs.append(gain + float(fit[0] + gained(self.as_it_is(), fit)[0]))
        z, P = self.inclusion()
        if len(self.mass) > 2:
            likely = [i for i, s in enumerate(self.subsets) if len(s) == 2 and not self.exchanged[i] and self.share[i] > EXTEND]
            likely = sorted(likely, key=lambda i: -self.share[i])[:EXTENDED]
            triples = dict.fromkeys(tuple(sorted({*self.subsets[i], k})) for i in likely for k in top if k not in self.subsets[i])
            self.add(triples, {k for s in triples for k in s})
            z, P = self.inclusion()
        self.z, self.probability = z, P
        single = np.exp(e - lse(e)) if np.isfinite(lse(e)) else np.full(m, 1.0 / m)
        self.single = self.temper(single, m)
        self.output_evidence = float(np.logaddexp(self.weigh_output(), self.each_row(Question.weigh_output)))
        prior = 1 / (m + 1.0) if self.prior is None else self.prior
        odds = slope * (self.output_evidence - z - math.log(m)) + shift + math.log(prior / (1 - prior)) + math.log(m)
        self.output = float((1 - stray_output) / (1 + np.exp(np.clip(-odds, -700, 700))) + stray_output * prior)

    def reach(self):
        """How far f goes along every axis, in the mean of the rows."""
        return np.array([np.mean([np.max(np.abs(u[np.isfinite(u)]), initial=0) for u in p["f"].T]) for p in self.plans])

    def each_row(self, evidence):
        """ln of the evidence that every row changes by its own amount; nothing (0) of one row, which is together already."""
        if not hasattr(self, "each"):
            self.each = [self.row(t) for t in range(len(self.x))] if len(self.x) > 1 else []
        return sum(evidence(q) for q in self.each) + math.log(APART) if self.each else -math.inf

    def weigh_alone(self, m):
        """ln evidence of every axis alone, changed by one amount or in each row by another."""
        together = self.alone(m, self.d is not None)
        apart = self.each_row(lambda q: q.alone(m, False))
        if self.d is not None:             # f gains nothing from what it hardly notices
            apart = np.where(self.reach() > BLIND * self.sigma, apart, -math.inf)
        e = np.logaddexp(together, apart)
        self.varies = np.where(np.isfinite(e), np.exp(apart - np.where(np.isfinite(e), e, 0)), 0)
        return e

    def alone(self, m, gains):
        """ln evidence of every axis alone; `gains`: places count for what they add to the likelihood of the rows as they are,
        unless the value is missing."""
        self.full = [self.fine_side(k, 1) for k in range(m)]
        self.post = []
        for k, t in enumerate(self.full):
            fit = self.mean_like([t], lambda i, v: v)
            self.post.append(t.lw + self.gain(t) + fit + (gained(self.as_it_is(), fit) if gains and not self.gap[k] else 0))
        return np.array([lse(p) for p in self.post])

    def as_it_is(self):
        return float(self.like(np.zeros((len(self.x), 1)), np.zeros((len(self.x), 1)))[0])

    def row(self, t):
        """This question of row t alone: the same axes and places that were asked."""
        q = copy.copy(self)
        q.x, q.y, q.residual = self.x[t:t + 1], self.y[t:t + 1], self.residual[t:t + 1]
        q.plans = [dict(p, f=p["f"][:, t:t + 1]) for p in self.plans]
        for p in q.plans:
            if "value" in p and p["value"].ndim == 2:
                p["value"] = p["value"][t:t + 1]
        q.row_scores()
        return q

    def temper(self, p, n):
        """Stray faults have any of n causes."""
        return (1 - self.stray) * p + self.stray / n

    def add(self, combos, axes):
        combos = [tuple(int(k) for k in s) for s in combos]
        said = []
        for q in self.eyes if combos else ():
            sides = {k: q.fine_side(k, len(combos[0])) for k in axes}
            said.append([q.subset([sides[k] for k in s]) for s in combos])
        self.subsets += combos
        self.exchanged += [False] * len(combos)
        self.logs += list(self.join(said)) if combos else []

    def subset(self, ts):
        """ln of the integral. The plausibility is that of the middles of the cells, which are small; the likelihood, which may
        be narrower than any cell, is averaged over them."""
        size = len(ts)

        def along(i, v):
            """(C, ...) -> (1.., C, ..1, ...)"""
            return v.reshape((1,) * i + v.shape[:1] + (1,) * (size - i - 1) + v.shape[1:])
        l = sum(along(i, t.lw) for i, t in enumerate(ts)) + self.mean_like(ts, along)
        for t in range(len(self.x)):
            if self.d is not None:
                l = l + self.trust * self.joint_gain(ts, along, t, l)
        return lse(l)

    def mean_like(self, ts, along):
        """ln of the likelihood's mean along the side of a cell that changes f most."""
        r = [self.residual[t] - sum(along(i, s.U[t]) for i, s in enumerate(ts)) for t in range(len(self.x))]
        step = [[along(i, s.E[t][:, 1] - s.E[t][:, 0]) for i, s in enumerate(ts)] for t in range(len(self.x))]
        with np.errstate(invalid="ignore"):
            most = np.argmax(np.stack(np.broadcast_arrays(*[sum(np.abs(w[i]) for w in step) for i in range(len(ts))])), 0)
            w = [np.choose(most, np.broadcast_arrays(*v)) for v in step]
        sharp = SHAPE * self.sigma ** 2 / NOISE
        b = [SHAPE * (self.sigma ** 2 / NOISE + self.doubt([along(i, s.U[t]) for i, s in enumerate(ts)])) for t in range(len(self.x))]
        with np.errstate(all="ignore"):
            if len(r) == 1:
                l = mean_student(r[0], w[0], b[0]) - 0.5 * np.log(b[0] / sharp)
            else:
                at, weight = np.polynomial.legendre.leggauss(3)
                l = lse(np.stack([math.log(g / 2) + sum(-(SHAPE + 0.5) * np.log1p((a - 0.5 * h * c) ** 2 / (2 * v)) - 0.5 * np.log(v / sharp)
                                                        for a, c, v in zip(r, w, b)) for h, g in zip(at, weight)]), 0)
        return np.where(np.isfinite(l), l, -math.inf)

    def doubt(self, u):
        """The variance of what several inputs do to f beyond the sum of what each does alone, in one row."""
        if len(u) < 2 or len(self.x) > 1:
            return 0.0
        least = np.abs(u[0])
        for v in u[1:]:
            least = np.fmin(least, np.abs(v))
        return (DOUBT * least) ** 2

    def joint_gain(self, ts, along, t, sofar):
        """ln plausibility ratio of row t with several axes moved. Sums over components are products of matrices; where these
        vanish and might still matter, they are done one by one."""
        own = sum(along(i, s.own[t]) for i, s in enumerate(ts))
        for (i, s), (j, o) in itertools.combinations(enumerate(ts), 2):
            if s.dz is not None and o.dz is not None:
                cross = s.dz[t] @ self.W[np.ix_(self.d.block[s.k], self.d.block[o.k])] @ o.dz[t].T
                shape = [1] * len(ts)
                shape[i], shape[j] = cross.shape
                own = own - cross.reshape(shape)
        share = self.base[t] - lse(self.base[t])
        top = [s.D[t].max(1) for s in ts]
        factor = [np.exp(s.D[t] - v[:, None]) for s, v in zip(ts, top)]
        left = factor[0]
        for v in factor[1:-1]:
            left = (left[:, None] * v[None]).reshape(-1, left.shape[-1])
        total = ((left * np.exp(share)) @ factor[-1].T).reshape([len(v) for v in top])
        upper = own + sum(along(i, v) for i, v in enumerate(top))
        with np.errstate(divide="ignore"):
            l = np.where(total > 1e-280, np.log(total), -math.inf) + upper
        here = l + sofar
        missed = np.argwhere((total <= 1e-280) & (upper - 640 + sofar > here.max() - 40))
        for at in np.array_split(missed, len(missed) // 20000 + 1):
            D = share + sum(s.D[t][at[:, i]] for i, s in enumerate(ts))
            l[tuple(at.T)] = np.broadcast_to(own, l.shape)[tuple(at.T)] + lse(D, 1)
        return l

    def inclusion(self):
        m = len(self.axes)
        exchange = self.exchange_mass if any(x and np.isfinite(l) for x, l in zip(self.exchanged, self.logs)) else 0.0
        prior = [exchange / math.comb(m, 2) if x else self.mass[len(s) - 1] * (1 - exchange) / math.comb(m, len(s))
                 for s, x in zip(self.subsets, self.exchanged)]
        lw = np.array(self.logs) + np.log(prior)
        z = lse(lw)
        w = np.exp(lw - z) if np.isfinite(z) else np.full(len(lw), 1.0 / len(lw))
        self.share = (1 - self.stray) * w
        P = np.zeros(m)
        for s, v in zip(self.subsets, w):
            P[list(s)] += v
        return z, self.temper(P, m)

    def weigh_output(self):
        def one(sd, n=401):
            share = np.concatenate([[0.25 / n], np.arange(1, n) / n, [1 - 0.25 / n]])
            e = sd * ndtri(share)
            u = np.broadcast_to(sd * ndtri((np.arange(n) + 0.5) / n), (len(self.x), n))
            return lme(self.like(u, np.broadcast_to(e[1:] - e[:-1], u.shape)), 0)

        def far(sd):
            """N(0, sd^2), or farther, as often as it takes."""
            l, share = -math.inf, 1 - 1 / FARTHER
            while True:
                l = np.logaddexp(l, one(sd) + math.log(share))
                if np.abs(self.residual).max() <= sd:
                    return float(l)
                sd, share = sd * FARTHER, share / FARTHER
        if self.spread is None:
            return far(6 * self.sigma)
        return float(np.logaddexp(one(6 * self.sigma), far(max(1.5 * self.spread, 6 * self.sigma))) - math.log(2))


def gained(before, fit):
    """ln of the part of exp(fit) that exceeds exp(before)."""
    with np.errstate(divide="ignore", over="ignore"):
        return np.where(fit > before, np.log(-np.expm1(np.minimum(before - fit, 0))), -math.inf)


def mean_student(r, w, b):
    """ln of the mean of (1 + x^2 / 2 b)^-6 over x between r - w / 2 and r + w / 2: Student's distribution function with 11
    degrees of freedom, or Simpson's rule where its differences would be too small."""
    nu = 2 * (SHAPE + 0.5) - 1
    scale = np.sqrt(2 * b / nu)
    w = np.abs(w)
    a, c = (np.abs(r) - w / 2) / scale, (np.abs(r) + w / 2) / scale
    whole = math.exp(math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2)) / math.sqrt(nu * math.pi)

    def point(t):
        return (1 + t * t / nu) ** -((nu + 1) / 2)
    mean = np.asarray((point(a) + 4 * point((a + c) / 2) + point(c)) / 6)
    wide = ~(c - a < 0.05 * (1 + np.abs(a + c) / 2))
    a, c = a[wide], c[wide]
    mean[wide] = (stdtr(nu, -a) - stdtr(nu, -c)) / whole / np.maximum(c - a, 1e-300)
    return np.log(mean)


def interp(at, node, u):
    """Linear; next to a node that is not finite nothing is known, at a node only that node counts."""
    j = np.clip(np.searchsorted(node, at) - 1, 0, len(node) - 2)
    t = np.clip((at - node[j]) / (node[j + 1] - node[j]), 0, 1)
    with np.errstate(invalid="ignore"):
        return np.where(t <= 0, u[j], np.where(t >= 1, u[j + 1], u[j] * (1 - t) + u[j + 1] * t))


# ---------------------------------------------------------------- tables made of formulas, the same in tests/test_culprit.c

COLUMNS = 7


def made_row(i):
    a, b, c = math.sin(1.3 * i + 0.4), math.sin(2.7 * i + 1.1), math.sin(4.1 * i + 0.2)
    group = i * 31 % 5
    return [3 * a + 0.5 * b, math.exp(0.5 * a + 0.4 * c), math.floor(2.5 * (1 + 0.95 * b + 0.05 * c)),
            2.0 if a + 0.6 * c > 0.2 else 1.0, (2.0 if b > 0 else 0.0) + (1.0 if c > 0.3 else 0.0),
            1.0 if group < 2 else 0.0, 1.0 if group in (2, 3) else 0.0]


def made_f(x):
    x = np.array(x, float)
    v1, v2, v3 = np.where(np.isnan(x[:, 1]), 1.5, x[:, 1]), np.where(np.isnan(x[:, 2]), 2, x[:, 2]), np.where(np.isnan(x[:, 3]), 1, x[:, 3])
    code = np.select([x[:, 4] == 0, x[:, 4] == 1, x[:, 4] == 2, x[:, 4] == 3], [0, 2, -1.5, 3], 0.5)
    return x[:, 0] + 2 * v1 * v1 + 0.8 * v2 + 4 * (v3 - 1) * (1 + 0.1 * x[:, 0]) + code + 3 * x[:, 5] - 2 * x[:, 6]


def made_axes(kinds):
    if not kinds:
        return [Axis("number", [k]) for k in range(COLUMNS)]
    return [Axis("number", [0]), Axis("number", [1], lo=0.0), Axis("whole", [2], [(v,) for v in range(6)]),
            Axis("choice", [3], [(1,), (2,)]), Axis("choice", [4], [(0,), (1,), (2,), (3,)]),
            Axis("choice", [5, 6], [(1, 0), (0, 1), (0, 0)])]


# name, kinds, reference rows, gaps among them, rows explained, mode, sigma, spread (nan: none), column, its value, added to y
N = math.nan
MADE = [
    ("numbers, reference", 0, 120, 0, 1, "on", 0.3, 3.0, 0, 9.0, 0),
    ("numbers, few rows", 0, 25, 0, 1, "on", 0.3, N, 1, 4.0, 0),
    ("numbers, three rows", 0, 60, 0, 3, "on", 0.5, 3.0, -1, 0, 2.5),
    ("numbers, stuck", 0, 120, 0, 4, "on", 0.3, 3.0, 0, 2.0, 0),
    ("numbers, basic", 0, 60, 0, 1, "basic", 0.3, N, 0, -6.0, 0),
    ("numbers, none", 0, 0, 0, 1, "on", 0.3, N, 0, -6.0, 0),
    ("numbers, none, two rows", 0, 0, 0, 2, "on", 0.3, 2.0, -1, 0, 1.5),
    ("numbers, precise", 0, 120, 0, 1, "on", 0.003, 3.0, 1, 2.5, 0),
    ("numbers, far away", 0, 120, 0, 1, "on", 0.3, 3.0, 0, 400.0, 0),
    ("kinds, number", 1, 120, 0, 1, "on", 0.3, 3.0, 1, 4.0, 0),
    ("kinds, whole", 1, 250, 0, 1, "on", 0.3, 3.0, 2, 5.0, 0),
    ("kinds, whole out of range", 1, 120, 0, 1, "on", 0.3, 3.0, 2, 30.0, 0),
    ("kinds, flag", 1, 120, 1, 1, "on", 0.3, 3.0, 3, 1.0, 0),
    ("kinds, level", 1, 90, 1, 1, "on", 0.3, 3.0, 4, 0.0, 0),
    ("kinds, unseen level", 1, 90, 0, 1, "on", 0.3, 3.0, 4, 7.0, 0),
    ("kinds, group", 1, 90, 0, 1, "on", 0.3, 3.0, 5, 1.0, 0),
    ("kinds, y", 1, 90, 1, 1, "on", 0.3, 3.0, -1, 0, 6.0),
    ("kinds, few rows", 1, 22, 0, 1, "on", 0.3, 3.0, -1, 0, 3.0),
    ("kinds, three rows", 1, 120, 1, 3, "on", 0.5, 3.0, -1, 0, 2.5),
    ("kinds, basic", 1, 90, 0, 1, "basic", 0.3, 3.0, 4, 0.0, 0),
    ("kinds, none", 1, 0, 0, 1, "on", 0.3, N, 3, 1.0, 0),
    ("kinds, number missing", 1, 120, 1, 1, "on", 0.3, 3.0, 1, N, 4.0),
    ("kinds, whole missing", 1, 120, 1, 1, "on", 0.3, 3.0, 2, N, 3.0),
    ("kinds, flag missing", 1, 120, 1, 1, "on", 0.3, 3.0, 3, N, 3.0),
    ("kinds, level missing", 1, 120, 1, 1, "on", 0.3, 3.0, 4, N, 3.0),
    ("kinds, below 0", 1, 120, 0, 1, "on", 0.3, 3.0, 1, -2.0, 0),
]


def made_question(case, **other):
    name, kinds, n, gaps, count, mode, sigma, spread, column, value, off = case
    rows = np.array([made_row(i) for i in range(n)]) if n else None
    for i in range(n if gaps else 0):
        if i % 11 == 3:
            rows[i, 1] = N
        if i % 13 == 5:
            rows[i, 4] = N
    x = np.array([made_row(1003 + 17 * t) for t in range(count)])
    if kinds:
        x[:, 3:] = x[0, 3:]
    y = made_f(x) + off
    if column >= 0:
        x[:, column] = value
        if column == 5 and kinds:
            x[:, 6] = 0
    unit = [3.0, 0.6, 1.5, 0.7, 1.4, 0.7, 0.7]
    return Question(made_f, x, y, sigma, made_axes(kinds), unit, rows, mode, None if math.isnan(spread) else spread, **other)


def number(v):
    if math.isinf(v):
        return "HUGE_VAL" if v > 0 else "-HUGE_VAL"
    return "(double)NAN" if math.isnan(v) else "%.13g" % v


def quantile_of(q, k, u):
    """The first place where the shares reach u, as a change of the first row in units."""
    if q.axes[k].kind == "choice" or q.gap[k] or not np.isfinite(q.evidence[k]):
        return N

    def places(q):
        return (q.full[k].value[0] - q.x[0, q.axes[k].columns[0]]) / q.scale[k], np.exp(q.post[k] - lse(q.post[k]))
    at, w = places(q)
    w = w * (1 - q.varies[k])
    for row in q.rows[k]:                                                 # a row's places have their part of what varies
        more, v = places(row)
        at, w = np.append(at, more), np.append(w, v * q.varies[k] / len(q.rows[k]))
    order = np.argsort(at, kind="stable")
    share = np.cumsum(w[order])
    return at[order][min(int((share < u - 1e-9).sum()), len(at) - 1)]


def print_made():
    print("/* clang-format off */\n/* Made by tests/culprit_reference.py made. */")
    for case in MADE:
        q = made_question(case)
        row = [('"%s"' % case[0]), *map(str, case[1:5]), "GPA_CULPRIT_" + case[5].upper(), *map(number, case[6:8]), str(case[8]),
               *map(number, case[9:11]), str(len(q.axes)), str(q.asked * len(q.x)), number(0 if q.d is None else q.d.alpha),
               number(q.output), number(q.output_evidence), number(q.z)]
        lists = [[number(v) for v in values] for values in
                 (q.probability, q.single, q.evidence, q.varies, [quantile_of(q, k, 0.5) for k in range(len(q.axes))])]
        print("{%s,\n %s}," % (", ".join(row), ",\n ".join("{" + ", ".join(v) + "}" for v in lists)))


def print_without():
    """ln of how much more plausible the row of test_plausible.c is with one value changed, in turn for all axes."""
    rows = np.array([[2 * math.sin(1 + 5 * i + k) for k in range(5)] for i in range(40)])
    for i in range(40):
        rows[i, 2:] = i % 4 == 0, 4 if i < 24 else 5 if i < 36 else 6, i % 3
    axes = [Axis("number", [0]), Axis("number", [1]), Axis("choice", [2], [(0,), (1,)]),
            Axis("choice", [3], [(4,), (5,), (6,)]), Axis("whole", [4], [(v,) for v in range(5)])]
    unit, x = [1 + 0.5 * k for k in range(5)], [0.4, -0.3, 1, 1, 2]         # levels of choices by number
    to = [[-1.1, 3.4], [-1.8, 5.7], [0, 0], [0, 2], [0, 4]]
    for tied in (False, True):
        if tied:                                                          # also in ways that correlations do not see
            rows[:, 1] = rows[:, 0] ** 2 + 0.05 * rows[:, 1]
            rows[:, 2:4] = np.c_[rows[:, 0] > 0.5, 4 + (rows[:, 1] > 1) + (rows[:, 1] > 3)]
        for row in (0, 17, 39):
            d = Density(rows, axes, unit).without(rows, row)
            now = d.log_density(x)
            print("{%d, %d, %s, {%s}}," % (tied, row, number(d.alpha), ", ".join(
                number(d.log_density(x[:k] + [v] + x[k + 1:]) - now) for k in range(5) for v in to[k])))


# ---------------------------------------------------------------- planted faults, the models of tests/planted_plugin.c

def perceptron(path):
    with open(path) as f:
        layers = [(np.array(l["W"]), np.array(l["b"])) for l in json.load(f)["layers"]]

    def predict(x):
        for i, (w, b) in enumerate(layers):
            x = x @ w + b
            x = np.maximum(x, 0) if i + 1 < len(layers) else x
        return x[:, 0]
    return predict


def friedman(x):
    u = 0.5 + x / math.sqrt(12)
    return 10 * np.sin(math.pi * u[:, 0] * u[:, 1]) + 20 * (u[:, 2] - 0.5) ** 2 + 10 * u[:, 3] + 5 * u[:, 4]


PLANTED = {
    "lin10": lambda x: x[:, 2:7] @ [-1.5539393957653247, -0.6468507367843324, -0.8971406847185674, 1.2869861460192638, 1.168518724728045],
    "inter10": lambda x: x[:, 0] + x[:, 1] * x[:, 2] + 1.5 * np.sin(x[:, 3]) + 0.5 * x[:, 4] ** 2 + 0.7 * np.abs(x[:, 5]) * x[:, 6] - 0.8 * x[:, 7],
    "sin2": lambda x: 2 * np.cos(math.pi * x[:, 0]) * np.cos(math.pi * x[:, 1]),
    "fried10": friedman,
}


def planted_cases(directory, name, wanted):
    """Some cases of each kind: number, x, y, reference rows without their own."""
    def table(ending):
        with open("%s/%s%s" % (directory, name, ending), newline="") as f:
            return list(csv.DictReader(f))
    rows = table(".batch.csv")
    names = [c for c in rows[0] if c != "row"]
    own = [float(r["row"]) for r in rows]
    batch = np.array([[float(r[c]) for c in names] for r in rows])
    cases = {}
    for r in table(".csv"):
        cases.setdefault(int(r["case"]), []).append(r)
    seen = {}
    for number, lines in cases.items():
        kind = lines[0]["kind"]
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] % 13 == 1 and seen[kind] // 13 < wanted:
            source = [float(r["source"]) for r in lines]
            yield (number, np.array([[float(r["x_" + c]) for c in names] for r in lines]), np.array([float(r["y"]) for r in lines]),
                   batch[[v not in source for v in own]])


def print_planted(directory):
    print("/* clang-format off */\n/* Made by tests/culprit_reference.py planted DIR: by set and case, without and with reference rows. */")
    for name in ("diabetes", "lin10", "inter10", "sin2", "fried10"):
        with open("%s/%s.meta.json" % (directory, name)) as f:
            meta = json.load(f)
        f = PLANTED.get(name) or perceptron("%s/../oracle/diabetes/model.json" % directory)
        for number_of, x, y, rows in planted_cases(directory, name, 1):
            axes = [Axis("number", [k]) for k in range(x.shape[1])]
            for reference, mode, spread in ((None, "on", None), (rows, "basic", None), (rows, "on", 1.0)):
                q = Question(f, x, y, meta["sigma_yf"], axes, meta["scale"], reference, mode, spread)
                print('{"%s", %d, %d, GPA_CULPRIT_%s, %s, %s,\n {%s},\n {%s}},' % (
                    name, number_of, 0 if reference is None else 1, mode.upper(), number(N if spread is None else spread), number(q.output),
                    ", ".join(map(number, q.probability)), ", ".join(map(number, q.single))))


if __name__ == "__main__":
    if sys.argv[1:] == ["made"]:
        print_made()
    elif sys.argv[1:] == ["without"]:
        print_without()
    elif len(sys.argv) == 3 and sys.argv[1] == "planted":
        print_planted(sys.argv[2])
    else:
        sys.exit(__doc__)
