"""gpa.compare: every method side by side, and how alike they are."""
from __future__ import annotations

import html
import json
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _plots, _structs as s
from ._arrays import address, copy_from, frame, matrix, numbers
from ._explanation import Explanation
from ._library import Handle, call, library, pointer_of, spoken, written
from ._options import given_options
from ._record import Several, Verdict, known
from ._study import Filed, Origin, Saved, Study, with_notes
from ._words import STYLE

FORMAT = "gpa-comparison/1"


class Method(NamedTuple):
    """A line of the table of methods: what it needs and what it gives."""

    name: str
    title: str
    training_data_free: bool
    baseline_free: bool
    sees_y: bool
    distribution: bool
    gives: str
    label: str
    reference_point: str
    positive: str  # what a positive score says of an input


def methods() -> List[Method]:
    """The methods that there are, as ``gpa methods`` lists them.

    >>> import gpa
    >>> gpa.methods()[0].name
    'gpa'
    """
    lib = library()
    lines = [lib.gpa_method_at(i).contents for i in range(lib.gpa_method_count())]
    return [Method(*(v.decode() if isinstance(v, bytes) else v for v in
                     (getattr(line, name) for name, _ in s.Method._fields_)))
            for line in lines]


class Agreement(NamedTuple):
    """How alike two attributions are: Kendall's tau-b and Spearman's rho of the sizes, the
    share of inputs whose signs do not oppose each other, the share of the reference's top
    quarter in the other's. NaN where it does not exist; arrays for several rows."""

    tau: Any
    rho: Any
    smr: Any
    hit25: Any


def consistency(reference: Any, other: Any) -> Agreement:
    """How alike two attributions are (the paper's appendix E).

    `reference` and `other` hold one score per input, or rows of them; also explanations,
    which are taken by their `delta`.

    >>> import gpa
    >>> gpa.consistency([3, -2, 1, 0.5], [6, -4, 2, 1]).tau
    1.0
    >>> gpa.consistency([[3, -2, 1, 0.5]], [[-6, 4, -2, 1]]).smr.tolist()
    [0.25]
    """
    arrays = [numbers(a.delta if isinstance(a, Explanation) else getattr(a, "values", a),
                      "attribution") for a in (reference, other)]
    if arrays[0].shape != arrays[1].shape or arrays[0].ndim not in (1, 2):
        raise ValueError(f"attributions of shapes {arrays[0].shape} and {arrays[1].shape}: "
                         "one score per input is needed, the same number in both")
    found = []
    for a, b in zip(*(matrix(a, "attribution") for a in arrays)):
        out = s.Agreement()
        call("gpa_agree", address(a), address(b), len(a), out)
        found.append((out.tau, out.rho, out.smr, out.hit25))
    if arrays[0].ndim == 1:
        return Agreement(*found[0])
    return Agreement(*np.array(found, dtype=np.float64).reshape(-1, 4).T)


class Comparison(Filed):
    """Every method on the same rows.

    `scores[method]` is an array of one row per compared row and one column per input (NaN
    where the method says nothing; `skipped` says why). Those of gpa are the change of all
    inputs together; its answer to who did it is beside them: `verdict` in words, `responsible`,
    and `output` for the outcome or the model. `consistency[method]` holds mean and sd of tau, rho, smr and
    hit25 against gpa's change.
    """

    def __init__(self, handle: Handle, origin: Origin) -> None:
        self._handle, self._origin, lib = handle, origin, library()
        self._c, self._d = handle.pointer, lib.gpa_comparison_dim(handle.pointer)
        self._n: int = lib.gpa_comparison_rows(self._c)
        self._names: List[str] = [
            lib.gpa_comparison_method(self._c, j).contents.name.decode()
            for j in range(lib.gpa_comparison_methods(self._c))]

    @property
    def methods(self) -> List[str]:
        """The methods, in the order shown."""
        return list(self._names)

    @property
    def feature_names(self) -> List[str]:
        """The names of the inputs."""
        return list(self._origin.names)

    @property
    def rows(self) -> List[int]:
        """The numbers of the compared rows."""
        return [library().gpa_comparison_row(self._c, i) for i in range(self._n)]

    @property
    def ids(self) -> List[str]:
        """Their names."""
        return [self._origin.name(row) for row in self.rows]

    @property
    def scores(self) -> Dict[str, np.ndarray]:
        """What each method says: rows by inputs."""
        found = {name: np.full((self._n, self._d), np.nan) for name in self._names}
        for j, name in enumerate(self._names):
            for i in range(self._n):
                at = library().gpa_comparison_at(self._c, i, j)
                if at:
                    found[name][i] = copy_from(library().gpa_attribution_score(at), self._d)
        return found

    def _of_gpa(self) -> List[Any]:
        """Its attribution of each row; None where there is none."""
        if "gpa" not in self._names:
            return [None] * self._n
        j = self._names.index("gpa")
        return [library().gpa_comparison_at(self._c, i, j) or None for i in range(self._n)]

    @property
    def responsible(self) -> np.ndarray:
        """The probability that each input is at fault: rows by inputs, NaN where gpa was not
        asked."""
        found = np.full((self._n, self._d), np.nan)
        for i, at in enumerate(self._of_gpa()):
            p = library().gpa_attribution_responsible(at) if at else None
            if p:
                found[i] = copy_from(p, self._d)
        return found

    @property
    def output(self) -> np.ndarray:
        """The probability that none is, but the outcome or the model: one per row."""
        return np.array([library().gpa_attribution_output(at) if at else np.nan
                         for at in self._of_gpa()])

    @property
    def verdict(self) -> Several:
        """Who did it, in the words of :func:`explain`: one per row, None where gpa was not
        asked; ``c.verdict.kind`` and ``c.verdict.text`` are lists."""
        found = [row.get("verdict") for row in self.record["rows"]]
        return Several([v and Verdict(v["kind"], v["text"]) for v in found], Verdict, self._d)

    @property
    def skipped(self) -> Dict[str, str]:
        """Why a method says nothing."""
        why = {(i, name): library().gpa_comparison_skipped(self._c, i, j)
               for i in range(self._n) for j, name in enumerate(self._names)}
        return {name: spoken(text) for (_, name), text in why.items() if text is not None}

    @property
    def model_rows(self) -> Dict[str, np.ndarray]:
        """What each method asked of the model."""
        lib, silent = library(), self.skipped
        return {name: np.array([lib.gpa_attribution_model_rows(
                    lib.gpa_comparison_at(self._c, i, j)) for i in range(self._n)])
                for j, name in enumerate(self._names) if name not in silent}

    @property
    def consistency(self) -> Dict[str, Any]:
        """How alike each method and gpa are, over the rows."""
        found = {name: library().gpa_comparison_consistency(self._c, j)
                 for j, name in enumerate(self._names) if name != "gpa"}
        return {name: {figure: {"mean": known(getattr(at.contents, figure).mean),
                                "sd": known(getattr(at.contents, figure).sd),
                                "n": getattr(at.contents, figure).n}
                       for figure, _ in s.Consistency._fields_}
                for name, at in found.items() if at}

    @property
    def record(self) -> Dict[str, Any]:
        """Everything, as the JSON has it."""
        return json.loads(self.to_json())

    def __len__(self) -> int:
        return self._n

    def to_json(self) -> str:
        """The same bytes that ``gpa compare --json`` writes."""
        if self._origin.whole is not None:
            return self._origin.whole
        info = self._origin.info()
        return written(lambda t: call("gpa_report_comparison", t, 1, info, self._c))

    @classmethod
    def from_json(cls, text: Union[str, bytes]) -> "Comparison":
        """A comparison from what `to_json` or ``gpa compare --json`` wrote."""
        saved = Saved(text, 2, FORMAT)
        found = Handle("gpa_comparison_free",
                       pointer_of("gpa_saved_comparison", saved.pointer))
        return cls(found, saved.origin(library().gpa_comparison_dim(found.pointer)))

    def __getstate__(self) -> str:
        return self.to_json()

    def __setstate__(self, text: str) -> None:
        self.__dict__.update(Comparison.from_json(text).__dict__)

    def to_frame(self) -> Any:
        """A data frame (pandas): one line per row and input; who is `responsible`, then one
        column per method."""
        scores, blamed = self.scores, self.responsible
        return frame([{"row": row, "feature": name, "responsible": blamed[i, k],
                       **{m: scores[m][i, k] for m in self.methods}}
                      for i, row in enumerate(self.rows)
                      for k, name in enumerate(self.feature_names)],
                     **self._origin.index([row for row in self.rows
                                           for _ in self.feature_names]))

    def plot_litmus(self, i: int = 0, *, ax: Any = None, width: float = 0,
                    title: Optional[str] = None) -> Any:
        """What each method says about the i-th row: inputs down, methods across, who is
        responsible first."""
        labels = {m.name: m.label for m in methods()}
        why, blamed = self.skipped, self.responsible[i]
        columns = [labels.get(m, m) for m in self.methods]
        score = np.array([self.scores[m][i] for m in self.methods]).T
        reasons: List[Optional[str]] = [why.get(m) for m in self.methods]
        full: Optional[List[float]] = None
        if not np.isnan(blamed).all():
            columns[self.methods.index("gpa")] = "GPA's change"
            normal = self.verdict.kind[i] == "normal"  # as the command says it
            columns = ["if anyone" if normal else "responsible", *columns]
            reasons, full = [None, *reasons], [1.0] + [np.nan] * len(reasons)
            score = np.column_stack([blamed, score])
        return _plots.litmus(self.feature_names, columns, score, ax, width, title, reasons,
                             full)

    def _repr_html_(self) -> str:
        said = [f": {html.escape(v.text)}" if v else "" for v in self.verdict]
        parts = [f"<p>row {html.escape(name)}{said[i]}</p>{self.plot_litmus(i)}"
                 for i, name in enumerate(self.ids[:5])]
        return f"{STYLE}<div class='gpa'>{''.join(parts)}</div>"

    def __repr__(self) -> str:
        rows = "1 row" if len(self) == 1 else f"{len(self)} rows"
        lines = [f"<{rows} compared by {', '.join(self.methods)}"]
        lines += [f"  row {name}: {verdict.text}"
                  for name, verdict in zip(self.ids[:5], self.verdict) if verdict]
        for name, figures in self.consistency.items():
            tau = figures["tau"]["mean"]
            lines.append(f"  {name}: tau {'none' if tau is None else format(tau, '.2f')}")
        return with_notes("\n".join(lines) + ">", self._origin)

    @property
    def notes(self) -> List[str]:
        """What one should know about the whole table, a line each."""
        return [spoken(note.encode()) for note in self._origin.notes]


def compare(model: Any, X: Any, y: Any = None, *, feature_names: Any = None,
            target: Optional[str] = None, features: Any = None, drop: Any = None,
            id: Optional[str] = None, no_header: Optional[bool] = None,
            reference: Any = None, sigma: Optional[float] = None, rows: Any = None,
            top: Optional[int] = None, threshold: Optional[float] = None,
            all: Optional[bool] = None, methods: Any = None, scale: Any = None,
            kind: Any = None, levels: Any = None, units: Any = None, set: Any = None,
            freeze: Any = None, bounds: Any = None,
            integer: Any = None, onehot: Any = None, solver: Optional[str] = None,
            witnesses: Optional[str] = None,
            eta: Optional[float] = None, nu: Optional[float] = None, a0: Optional[float] = None,
            b0: Optional[float] = None, cb: Optional[float] = None,
            kappa: Optional[float] = None, noise: Optional[str] = None,
            slope_sd: Optional[float] = None, slope_nodes: Any = None,
            delta_init: Any = None, max_iter: Optional[int] = None,
            tol: Optional[float] = None, baseline: Any = None,
            intervals: Optional[int] = None, eig_rows: Optional[int] = None,
            lime_samples: Optional[int] = None, lime_l1: Optional[float] = None,
            lime_sd: Optional[float] = None, sv: Optional[str] = None,
            sv_configurations: Optional[int] = None, sv_antithetic: Optional[bool] = None,
            sv_draws: Any = None, flip: Any = None, seed: Optional[int] = None,
            budget: Optional[int] = None, threads: Optional[int] = None,
            batch: Optional[int] = None, native: Optional[bool] = None,
            strict: Optional[bool] = None, progress: Any = None) -> Comparison:
    """All methods on the same rows, side by side, with their consistency.

    The arguments are those of :func:`explain`, and of ``gpa compare``: ``methods`` (names, in
    the order to show), ``baseline`` of ig ("zero", "reference" or numbers), ``intervals`` and
    ``eig_rows`` of ig and eig, ``lime_samples``, ``lime_l1`` and ``lime_sd``, ``sv`` ("auto",
    "sample", "exact"), ``sv_configurations``, ``sv_antithetic`` and ``sv_draws``, ``flip``
    (run each again with y reflected about f). Without ``reference`` rows eig, sv and z take the
    other rows of ``X``, as the verdict does (at least 20; 200 evenly spaced ones of more).

    >>> import gpa, numpy as np
    >>> x = np.random.default_rng(0).normal(size=(50, 3))
    >>> f = lambda x: x @ [2.0, 1.0, 0.0]
    >>> y = f(x) + np.tile([.1, -.1], 25)
    >>> y[5] += 4
    >>> c = gpa.compare(f, x, y, methods=["gpa", "lc"])
    >>> c.rows, sorted(c.scores), c.scores["lc"].shape
    ([5], ['gpa', 'lc'], (1, 3))
    """
    given = given_options(locals(), compare.__annotations__)
    study = Study("compare", model, X, y, given, feature_names, threads, batch, progress)
    if study.observed:
        raise TypeError("compare takes its noise from X: reference is rows without y")

    def question() -> Tuple[Handle, Sequence[int]]:
        chosen = study.chosen if study.chosen is not None else study.chosen_rows()
        if not chosen:
            raise ValueError(f"no row has a score above {threshold}")
        return study.comparison(chosen), chosen
    found, compared = study.answer(question, outer=3)
    return Comparison(found, study.origin(compared))
