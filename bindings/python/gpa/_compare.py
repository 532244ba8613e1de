"""gpa.compare: every method side by side, and how alike they are."""
from __future__ import annotations

import ctypes
import html
import itertools
import json
import os
from typing import Any, Dict, List, NamedTuple, Optional, Union

import numpy as np

from . import _plots, _structs as s
from ._arrays import address, matrix, numbers
from ._data import name_list, take_numbers
from ._library import call, library, options, texts, written
from ._model import Session
from ._options import MOST_SEED, count, explain_options, real, select
from ._run import Observed, given_options, sample_of
from ._task import Task

FORMAT = "gpa-comparison/1"
COUNTS = ("lime_samples", "intervals", "eig_rows", "sv_configurations")
STOPPED = 8


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

    `reference` and `other` hold one score per input, or rows of them; also explanations.

    >>> import gpa
    >>> gpa.consistency([3, -2, 1, 0.5], [6, -4, 2, 1]).tau
    1.0
    >>> gpa.consistency([[3, -2, 1, 0.5]], [[-6, 4, -2, 1]]).smr.tolist()
    [0.25]
    """
    arrays = [numbers(getattr(a, "values", a), "attribution") for a in (reference, other)]
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


class Comparison:
    """Every method on the same rows.

    `scores[method]` is an array of one row per compared row and one column per input (NaN
    where the method says nothing; `skipped` says why). `consistency[method]` holds mean and
    sd of tau, rho, smr and hit25 against gpa.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._record: Dict[str, Any] = json.loads(text)
        if self._record.get("format") != FORMAT:
            raise ValueError(f"this is no {FORMAT}, but {self._record.get('format')!r}")

    @property
    def methods(self) -> List[str]:
        """The methods, in the order shown."""
        return list(self._record["methods"])

    @property
    def feature_names(self) -> List[str]:
        """The names of the inputs."""
        return list(self._record["features"])

    @property
    def rows(self) -> List[int]:
        """The numbers of the compared rows."""
        return [row["row"] for row in self._record["rows"]]

    @property
    def ids(self) -> List[str]:
        """Their names."""
        return [row["id"] for row in self._record["rows"]]

    @property
    def scores(self) -> Dict[str, np.ndarray]:
        """What each method says: rows by inputs."""
        d = len(self.feature_names)
        return {name: np.array([row["scores"].get(name) or [np.nan] * d
                                for row in self._record["rows"]], dtype=np.float64)
                for name in self.methods}

    @property
    def skipped(self) -> Dict[str, str]:
        """Why a method says nothing."""
        return {name: why.replace("give --reference FILE", "give reference=")
                for row in self._record["rows"] for name, why in row["skipped"].items()}

    @property
    def model_rows(self) -> Dict[str, np.ndarray]:
        """What each method asked of the model."""
        return {name: np.array([row["model_rows"].get(name) or 0
                                for row in self._record["rows"]])
                for name in self.methods if name not in self.skipped}

    @property
    def consistency(self) -> Dict[str, Any]:
        """How alike each method and gpa are, over the rows."""
        return {k: v for k, v in self._record["consistency"].items() if v is not None
                and not k.endswith("_reason")}

    @property
    def record(self) -> Dict[str, Any]:
        """Everything, as the JSON has it."""
        return self._record

    def __len__(self) -> int:
        return len(self._record["rows"])

    def to_json(self) -> str:
        """The same bytes that ``gpa compare --json`` writes."""
        return self._text

    @classmethod
    def from_json(cls, text: Union[str, bytes]) -> "Comparison":
        """A comparison from what `to_json` or ``gpa compare --json`` wrote."""
        return cls(text.decode("utf-8") if isinstance(text, bytes) else text)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the JSON into a file."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self._text)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Comparison":
        """Reads what `save` or ``gpa compare --json`` wrote."""
        with open(path, encoding="utf-8", newline="\n") as file:
            return cls.from_json(file.read())

    def to_frame(self) -> Any:
        """A data frame (pandas): one line per row and input, one column per method."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise ImportError("to_frame needs pandas") from None
        scores = self.scores
        return DataFrame([{"row": row, "feature": name,
                           **{m: scores[m][i, k] for m in self.methods}}
                          for i, row in enumerate(self.rows)
                          for k, name in enumerate(self.feature_names)])

    def plot_litmus(self, i: int = 0, *, ax: Any = None, width: float = 0,
                    title: Optional[str] = None) -> Any:
        """What each method says about the i-th row: inputs down, methods across."""
        labels = {m.name: m.label for m in methods()}
        why = self.skipped
        score = np.array([self.scores[m][i] for m in self.methods]).T
        return _plots.litmus(self.feature_names, [labels.get(m, m) for m in self.methods],
                             score, ax, width, title, [why.get(m) for m in self.methods])

    def _repr_html_(self) -> str:
        parts = [f"<p>row {html.escape(name)}</p>{self.plot_litmus(i)}"
                 for i, name in enumerate(self.ids[:5])]
        return f"{_plots.STYLE}<div class='gpa'>{''.join(parts)}</div>"

    def __repr__(self) -> str:
        lines = [f"<{len(self)} rows compared by {', '.join(self.methods)}"]
        for name, figures in self.consistency.items():
            tau = figures["tau"]["mean"]
            lines.append(f"  {name}: tau {'none' if tau is None else format(tau, '.2f')}")
        return "\n".join(lines) + ">"


# Progress comes back through one function; the number says whose it is.
_running: Dict[int, Task] = {}
_numbers = itertools.count(1)


def _progress(key: int, done: int, total: int) -> int:
    try:
        task = _running[key]
        task.done, task.total = done, total
        try:
            task.deliver()
            if task.callbacks:
                task.look()
        except BaseException as error:
            task.error = error
        return 1 if task.stop or task.error is not None else 0
    except BaseException:
        return 1


_thunk = s.PROGRESS(_progress)


def set_baseline(o: s.AttributeOptions, keep: List[Any], given: Any, d: int,
                 reference: Any) -> None:
    if given is None or (isinstance(given, str) and given == "zero"):
        return
    if isinstance(given, str) and given == "reference":
        if reference is None:
            raise ValueError("baseline='reference' needs reference=")
        o.baseline = 1
        return
    keep.append(take_numbers(given, "baseline"))
    if len(keep[-1]) != d:
        raise ValueError(f"baseline: {len(keep[-1])} numbers, {d} inputs")
    o.baseline, o.baseline_x = 2, address(keep[-1])


def set_draws(o: s.AttributeOptions, keep: List[Any], given: Any, d: int,
              reference: Any) -> None:
    """The very draws of sv: (reference rows, orders), or the command's file."""
    if given is None:
        return
    if reference is None:
        raise ValueError("sv_draws needs reference=")
    if isinstance(given, (str, os.PathLike)):
        table = np.loadtxt(given, delimiter=",", ndmin=2)
        given = (table[:, 0], table[:, 1:])
    rows, orders = (np.ascontiguousarray(v, dtype=np.int64) for v in given)
    if orders.shape != (len(rows), d) or (np.sort(orders) != np.arange(d)).any():
        raise ValueError(f"sv_draws: each line is a row of the reference, then an order of "
                         f"the {d} inputs, each once and from 0")
    if ((rows < 0) | (rows >= len(reference))).any():
        raise ValueError(f"sv_draws: reference rows are 0 to {len(reference) - 1}")
    keep += [rows.astype(np.uintp), orders.astype(np.uintp)]
    o.sv_rows, o.sv_orders = address(keep[-2]), address(keep[-1])
    o.sv_configurations, o.shapley = len(rows), 1


def attribute_options(given: Dict[str, Any], seen: Observed,
                      keep: List[Any]) -> s.AttributeOptions:
    o = options(s.AttributeOptions, "attribute_options")
    for name in COUNTS:
        if given.get(name) is not None:
            setattr(o, name, count(name, given[name], 1, MOST_SEED))
    for name in ("lime_l1", "lime_sd"):
        if given.get(name) is not None:
            setattr(o, name, real(name, given[name]))
    if given.get("intervals") is not None:
        o.quadrature = 1
    o.sv_antithetic = bool(given.get("sv_antithetic"))
    ways = ("auto", "sample", "exact")
    if given.get("sv") is not None:
        if given["sv"] not in ways:
            raise ValueError(f"sv: '{given['sv']}' is none of {', '.join(ways)}")
        o.shapley = ways.index(given["sv"])
    set_baseline(o, keep, given.get("baseline"), seen.d, seen.reference)
    set_draws(o, keep, given.get("sv_draws"), seen.d, seen.reference)
    return o


def method_names(given: Any) -> List[str]:
    known = [m.name for m in methods()]
    names = name_list(given)
    for name in names:
        if name not in known:
            raise ValueError(f"methods: no '{name}'; there are {', '.join(known)}")
        if names.count(name) > 1:
            raise ValueError(f"methods: '{name}' twice")
    return names


class Job:
    """A comparison as the library wants it."""

    def __init__(self, seen: Observed, chosen: List[int], threads: int, task: Task) -> None:
        given, self.keep = seen.given, []  # type: ignore[var-annotated]
        self.seen, self.task = seen, task
        self.explain = explain_options(given, seen.rows.names, self.keep)
        self.explain.sigma, self.explain.unit = seen.sigma, address(seen.unit)
        self.attribute = attribute_options(given, seen, self.keep)
        self.attribute.explain = ctypes.pointer(self.explain)
        if seen.reference is not None:
            self.reference = sample_of(seen.reference, None, None)
            self.attribute.reference = ctypes.pointer(self.reference)
            self.explain.reference = ctypes.pointer(self.reference)
        self.options = options(s.CompareOptions, "compare_options")
        self.options.attribute = ctypes.pointer(self.attribute)
        self.options.threads = threads
        if given.get("methods") is not None:
            names = texts(method_names(given["methods"]))
            self.options.methods, self.options.n_methods = names, len(names)
        if given.get("flip") not in (None, "on", "off", True, False):
            raise ValueError(f"flip: '{given['flip']}' is none of on, off")
        self.options.flip = given.get("flip") not in ("off", False)
        self.rows = np.array(chosen, dtype=np.uintp)

    def run(self, session: Session, _: int) -> str:
        number, out = next(_numbers), ctypes.c_void_p()
        _running[number] = self.task
        self.attribute.progress, self.attribute.progress_ctx = _thunk, number
        try:
            session.call("gpa_compare", out, session.pointer, self.seen.sample,
                         address(self.rows), len(self.rows), self.options)
            ids = self.seen.rows.ids
            info, keep = self.seen.origin("compare", list(map(int, self.rows))).info(
                {int(r): ids[int(r)] for r in self.rows} if ids else None)
            return written(lambda t: call("gpa_report_comparison", t, 1, info, out))
        finally:
            del _running[number]
            library().gpa_comparison_free(out)


def compare(model: Any, X: Any, y: Any = None, *, feature_names: Any = None,
            target: Optional[str] = None, features: Any = None, drop: Any = None,
            id: Optional[str] = None, no_header: Optional[bool] = None,
            reference: Any = None, sigma: Optional[float] = None, rows: Any = None,
            top: Optional[int] = None, threshold: Optional[float] = None,
            all: Optional[bool] = None, methods: Any = None, scale: Any = None,
            freeze: Any = None, bounds: Any = None, integer: Any = None, onehot: Any = None,
            solver: Optional[str] = None, eta: Optional[float] = None,
            nu: Optional[float] = None, a0: Optional[float] = None,
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
            batch: Optional[int] = None, progress: Any = None) -> Comparison:
    """All methods on the same rows, side by side, with their consistency.

    The arguments are those of :func:`explain`, and of ``gpa compare``: ``methods`` (names, in
    the order to show), ``baseline`` of ig ("zero", "reference" or numbers), ``intervals`` and
    ``eig_rows`` of ig and eig, ``lime_samples``, ``lime_l1`` and ``lime_sd``, ``sv`` ("auto",
    "sample", "exact"), ``sv_configurations``, ``sv_antithetic`` and ``sv_draws``, ``flip``
    (run each again with y reflected about f). eig, sv and z need ``reference`` rows.

    >>> import gpa, numpy as np
    >>> x = np.random.default_rng(0).normal(size=(50, 3))
    >>> f = lambda x: x @ [2.0, 1.0, 0.0]
    >>> y = f(x) + np.tile([.1, -.1], 25)
    >>> y[5] += 4
    >>> c = gpa.compare(f, x, y, methods=["gpa", "lc"])
    >>> c.rows, sorted(c.scores), c.scores["lc"].shape
    ([5], ['gpa', 'lc'], (1, 3))
    """
    given = given_options(locals())
    seen = Observed(model, X, y, given, feature_names)
    if seen.labelled is not None:
        raise TypeError("compare takes its noise from X: reference is rows without y")
    with seen.work("comparing", progress, threads, batch) as work:
        seen.observe(work)
        seen.scale()
        chosen = select(given, seen.score, False)
        if not chosen:
            raise ValueError(f"no row has a score above {threshold}")
        job = Job(seen, chosen, 1 if work.python else work.threads, work.task)
        return Comparison(work.map(job.run, 1)[0])
