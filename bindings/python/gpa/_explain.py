"""gpa.explain: who is responsible, how surely, which way."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ._explanation import Explanation
from ._jobs import Run, explain_rows, portable, with_joblib
from ._options import given_options
from ._record import Item
from ._study import Study


def explain_given(model: Any, X: Any, y: Any, feature_names: Any, given: Dict[str, Any],
                  threads: Any, batch: Any, progress: Any, every: bool = False,
                  run: Optional[Tuple[int, Run]] = None) -> Explanation:
    """`run`: how many processes explain, and how they are started; else this one does."""
    study = Study("explain", model, X, y, given, feature_names, threads, batch, progress)
    every, together = every or study.observed, bool(given.get("collective"))
    chose = bool(given.get("all")) or any(k in given for k in ("rows", "top", "threshold"))

    def question() -> List[Item]:
        rows = study.chosen
        if rows is None:
            rows = study.usable() if every and not chose else study.chosen_rows()
        if run is not None and not together and len(rows) > 1:
            asked = (portable(model), X, y, feature_names, given, batch)
            return explain_rows(study, asked, rows, *run)
        return study.explanations(rows, together)
    items = study.answer(question)
    origin = study.origin([row for item in items for row in item.rows])
    rows = given.get("rows")
    alone = (together or study.single or not (chose or every)
             or (study.chosen is not None and np.ndim(rows) == 0))
    return Explanation(items, bool(alone and len(items) == 1), origin)


def explain(model: Any, X: Any, y: Any = None, *, feature_names: Any = None,
            target: Optional[str] = None, features: Any = None, drop: Any = None,
            id: Optional[str] = None, no_header: Optional[bool] = None,
            reference: Any = None, sigma: Optional[float] = None, rows: Any = None,
            top: Optional[int] = None, threshold: Optional[float] = None,
            all: Optional[bool] = None, collective: Optional[bool] = None,
            scale: Any = None, kind: Any = None, levels: Any = None,
            units: Any = None, missing: Optional[str] = None, set: Any = None, freeze: Any = None,
            bounds: Any = None, integer: Any = None, onehot: Any = None,
            solver: Optional[str] = None,
            marginals: Optional[str] = None, marginal_rows: Optional[int] = None,
            culprit: Any = None, plausible: Optional[str] = None,
            witnesses: Optional[str] = None, output_prior: Optional[float] = None,
            eta: Optional[float] = None, nu: Optional[float] = None,
            a0: Optional[float] = None, b0: Optional[float] = None,
            cb: Optional[float] = None, kappa: Optional[float] = None,
            noise: Optional[str] = None, slope_sd: Optional[float] = None,
            slope_nodes: Any = None, delta_init: Any = None,
            max_iter: Optional[int] = None, tol: Optional[float] = None,
            seed: Optional[int] = None, budget: Optional[int] = None,
            threads: Optional[int] = None, n_jobs: Optional[int] = None,
            batch: Optional[int] = None, native: Optional[bool] = None,
            strict: Optional[bool] = None, progress: Any = None) -> Explanation:
    """Explains why outcomes deviate from what a model predicts: which inputs are
    responsible, how surely, and which way.

    All options carry the names of the command's (``gpa explain --help``), with ``_`` for
    ``-``. What is None is chosen automatically and shown in the result.

    Parameters
    ----------
    model
        Anything with ``.predict(X)``, a function of X, a spec such as ``"mlp:model.json"``,
        or what :func:`load_model` gives. It is asked for many rows at once, as an array of
        shape (rows, inputs), or as a data frame when X is one or it was fitted with one:
        then with the types of X's columns (text, categories, truths, dates, gaps).
    X
        The rows: an array, a data frame (feature names taken), or the path of a CSV, .jsonl
        or .npy file. One row may come without its brackets.
    y
        The observed outcomes, one per row, or the name of their column in X. Of a file the
        last column, unless ``target`` names one. A row without outcome is left out.
    feature_names, target, features, drop, id, no_header
        Names of an array's columns; the outcome's name; the model's inputs among the columns
        of a frame or file, in its order; columns that are none; the column that names rows;
        a file without header.
    rows, top, threshold, all
        Which rows are explained: these (numbers from 0, a mask, ``"63,68,70-75"``, or labels
        of a frame's index, which win where it does not merely count from 0), the ``top`` of
        highest anomaly score, those whose score exceeds ``threshold``, or all.
        Without any of them **the one row of highest score**. The other rows of X are not
        idle: the noise, the units and what is plausible are judged by them.
    collective
        One change shared by all chosen rows.
    reference
        Background rows X, or a pair (X, y) of observed ones. With (X, y) the noise, the
        units and what is plausible are judged by the reference alone, and all rows of X are
        explained: what suits new rows, also a single one. A frame that has the outcome's
        column, too, judges fewer than 20 rows in the same way.
    sigma
        Standard deviation of y - f, if not that of the rows (a few of them, grossly off, are
        left out where they would hold most of it; `notes` names them).
    scale
        The unit of each input: "data" (median and IQR/1.349), "reference", "none", a JSON
        file, or (center, unit).
    kind, levels, units, missing, set
        What inputs are, where the rows suggest otherwise ({name: "number"}, "whole", "flag",
        "choice", "held"; "all=number" takes all as numbers); names of a coded input's levels
        ({name: ["a", "b"]}); what inputs are measured in, for reports ({name: "kg/m2"}; a
        column called "bmi [kg/m2]" says so itself); "ask" which value a missing input would have had, or "hold" it;
        values to be explained in place of the rows' own ({name: value}).
    freeze, bounds, integer, onehot
        Inputs that may not move (names); may move only so far ({name: (low, high)}, {name:
        "data"}, or "data" for every number: only as far as it was seen); move in whole steps;
        groups of which exactly one is 1.
    solver, marginals, marginal_rows, culprit, plausible, witnesses, output_prior
        "fast", "thorough", "paper", "paper-det"; "exact", "surrogate", "plugin", "paper",
        "none" (by default surrogate for functions, as for all models outside the library, and
        exact for others; see ``native``) and
        the model rows they may ask; "on", "basic", "off"; "data", "reference",
        "none"; "sound" or "all" of these rows; how likely the outcome or the model is wrong, rather than an input, before
        anything is seen.
    eta, nu, a0, b0, cb, kappa, noise, slope_sd, slope_nodes, delta_init, max_iter, tol
        The paper's letters and the solver's settings.
    seed, budget, threads, batch
        Everything random; model rows per explanation at most; workers (models in Python are
        asked one batch at a time); rows per call of the model at most.
    n_jobs
        Processes that explain (joblib; -1: one per core). The model goes to each by its
        spec, or pickled once; each asks it about all rows, then explains its part. The
        answer is the same.
    native
        False: the model's own ``predict`` is called, whatever it is. Otherwise trees that
        scikit-learn fitted (forests, boosting, also behind scalers) are read and asked by the
        library, if they give the same predictions to rounding at their own thresholds and X
        is an array or frame of numbers (behind scalers: of doubles or whole numbers); `notes`
        says so. Distributions are then exact, as for every model that the library asks. Trees
        of more than 250,000 nodes only if this is True: reading them takes longer than one
        explanation saves, not than many do.
    strict
        A row that cannot be used is an error, and not left out.
    progress
        "auto" (a bar when it takes long, on a terminal or in a notebook), "always", "never".

    Returns
    -------
    Explanation
        Of one row, when no choice was made, ``rows`` is a number, X is a single row or
        ``collective`` is set; else a sequence of them. See :class:`Explanation`.

    What the model raises comes out as it is. Ctrl-C ends the call.

    >>> import gpa, numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = rng.normal(size=(100, 3))
    >>> model = lambda X: 3 * X[:, 0] + X[:, 1]
    >>> y = model(X) + rng.normal(size=100) * 0.1
    >>> X[7, 0] += 2.5                          # somebody mistyped an input
    >>> e = gpa.explain(model, X, y, feature_names=["a", "b", "c"])
    >>> e.rows, e.verdict.kind, e.culprit.set90
    ([7], 'input', ['a'])
    >>> bool(e.delta_raw[0] < -1)               # it should have been lower
    True
    """
    given = given_options(locals(), explain.__annotations__)
    run = with_joblib(n_jobs) if n_jobs is not None else None
    return explain_given(model, X, y, feature_names, given, threads, batch, progress, run=run)
