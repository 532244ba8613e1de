"""What an explanation is in Python."""
from __future__ import annotations

import json
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _plots, _words
from ._arrays import address, frame
from ._library import call, library, pointer_of, spoken, written
from ._record import JSON, SUMMARY, Culprit, Input, Item, Marginal, Several, Verdict, split
from ._study import Filed, Origin, Saved

FORMAT = "gpa-explanation/1"
HTML = 3


def of_all(take: Callable[["Explanation"], Any], doc: str) -> Any:
    """A property of the whole run."""
    return property(take, doc=doc)


def each(take: Callable[[Item, Origin], Any], doc: str) -> Any:
    """A property: of one row what `take` gives, of a sequence a list of them."""
    return property(lambda e: e._each(lambda item: take(item, e._origin)), doc=doc)


def per_input(take: Callable[[Item], np.ndarray], doc: str, change: bool = True) -> Any:
    """A property: a number of each input. A change, which is none between texts."""
    return property(lambda e: e._per_input(take, change), doc=doc)


def per_row(what: str, doc: str) -> Any:
    """A property: a number of each row."""
    return property(lambda e: e._per_row(what), doc=doc)


def one_value(values: np.ndarray) -> Any:
    """Of one row its value; of several their mean, or what all of them have."""
    if len(values) == 1:
        return values[0]
    try:
        return np.mean(values)
    except TypeError:
        return values[0] if all(v == values[0] for v in values) else None


class Explanation(Filed):
    """Which inputs are responsible for a deviation: of one row, or a sequence of such.

    Of one row (``ndim == 1``) arrays have one entry per input; a sequence (``ndim == 2``) has
    one row of them per explanation, and is indexed like an array: ``e[0]``, ``e[2:5]``,
    ``e[mask]``, ``e[:, ["bmi", "s5"]]``. An explanation of one row gives ``e["bmi"]``.

    ============================ =========================================================
    verdict, culprit             who did it, in words and as probabilities
    responsible                  the probability that each input is at fault
    values                       the change that would make each input look normal, in its
                                 unit, times `responsible`
    delta, delta_raw             the most probable change of all inputs together, in units and
                                 in the data's own
    lower_bounds, upper_bounds   its 90 % interval, in units
    marginals                    the distribution of each input's change
    data, y, f, base_values      inputs, outcome, prediction (twice)
    score, f_moved               anomaly score; prediction at x + delta
    feature_names, unit, center  the inputs
    rows, ids                    which rows
    kinds, notes                 what inputs are taken to be; what one should know
    prior, options, ...          how it was found: every key of ``gpa explain --json``
    ============================ =========================================================

    >>> import gpa, numpy as np
    >>> x = np.random.default_rng(0).normal(size=(60, 2))
    >>> y = x @ [2.0, 1.0]
    >>> y[:30] += .1
    >>> y[3] += 5
    >>> e = gpa.explain(lambda x: x @ [2.0, 1.0], x, y, top=2)
    >>> e.shape, e.rows[0]
    ((2, 2), [3])
    >>> one = e[0]
    >>> one.delta.shape, one["x1"].feature
    ((2,), 'x1')
    >>> gpa.Explanation.from_json(e.to_json()).to_json() == e.to_json()
    True
    """

    def __init__(self, items: Sequence[Item], single: bool, origin: Origin,
                 chosen: Optional[Sequence[int]] = None) -> None:
        self._items, self._single, self._origin = list(items), single, origin
        self._chosen = None if chosen is None else list(chosen)  # inputs, if not all

    # The whole run ------------------------------------------------------------------------

    @property
    def feature_names(self) -> List[str]:
        """The names of the inputs, without their units."""
        return self._pick_list(self._origin.names)

    def _pick_list(self, of_all_inputs: List[str]) -> List[str]:
        return list(of_all_inputs) if self._chosen is None else [
            of_all_inputs[k] for k in self._chosen]

    @property
    def unit(self) -> np.ndarray:
        """The unit of each input, in which `delta` is measured."""
        d = len(self._origin.names)
        return self._pick(self._items[0].array("unit", d) if self._items
                          else np.full(d, np.nan))

    @property
    def center(self) -> np.ndarray:
        """The centre of each input."""
        found = self._origin.center
        return self._pick(np.full(len(self._origin.names), np.nan) if found is None
                          else found.copy())

    options: Dict[str, Any] = of_all(
        lambda e: json.loads(e._origin.text("options_json") or "{}"), "The options as given.")
    model: Optional[str] = of_all(lambda e: e._origin.text("model_spec"), "The model's spec.")
    solver: Optional[str] = of_all(
        lambda e: library().gpa_solver_name(e._items[0].summary.solver).decode()
        if e._items else None, "Which solver found it.")
    seed: int = of_all(lambda e: e._origin.given["seed"], "The seed of everything random.")
    target: str = of_all(
        lambda e: e._origin.text("target") or e.options.get("target") or "y",
        "What the outcome is called.")

    @property
    def kinds(self) -> List[Dict[str, Any]]:
        """What each input is taken to be, as the JSON has it: `name`, `kind`, `inferred`, and
        `levels`, or `low` and `high`. A one-hot group is one input, with `columns`."""
        if not self._items:
            return []
        found = self._items[0].record(self._origin.info()).get("kinds", [])
        names = set(self.feature_names)
        return [one for one in found if names & {one["name"], *one.get("columns", [])}]

    # Shape and parts ------------------------------------------------------------------------

    ndim: int = of_all(lambda e: 1 if e._single else 2, "1: of one row (or of several "
                       "together); 2: a sequence of such.")

    @property
    def shape(self) -> Tuple[int, ...]:
        """The shape of `values`."""
        d = len(self.feature_names)
        return (d,) if self._single else (len(self._items), d)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        if self._single:
            return self._input(key) if self._is_one(key) else self._with_inputs(key)
        inputs = None
        if isinstance(key, tuple):
            if len(key) != 2:
                raise IndexError(f"an explanation has 2 axes, not {len(key)}")
            key, inputs = key
        chosen = self._with_items(key)
        if inputs is None:
            return chosen
        if chosen._single:
            return chosen[inputs]
        return chosen._with_inputs([inputs] if self._is_one(inputs) else inputs)

    @staticmethod
    def _is_one(key: Any) -> bool:
        return isinstance(key, (str, int, np.integer)) and not isinstance(key, bool)

    def _with_items(self, key: Any) -> "Explanation":
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            items, single = [self._items[key]], True
        elif isinstance(key, slice):
            items, single = self._items[key], False
        else:
            order = np.arange(len(self._items))[np.asarray(key)]
            items, single = [self._items[i] for i in order], False
        return Explanation(items, single, self._origin, self._chosen)

    def _number(self, name: Any) -> int:
        names = self.feature_names
        if isinstance(name, str):
            columns = self._pick_list(self._origin.columns)
            if name not in names and name in columns:  # with its unit
                return columns.index(name)
            if name not in names:
                raise KeyError(f"no input is called '{name}'; there are {', '.join(names)}")
            return names.index(name)
        return range(len(names))[name]

    def _with_inputs(self, key: Any) -> "Explanation":
        count = range(len(self.feature_names))
        if isinstance(key, slice):
            chosen = list(count[key])
        else:
            array = np.asarray(key)
            chosen = ([int(k) for k in np.flatnonzero(array)] if array.dtype == np.bool_
                      else [self._number(k) for k in key])
        if self._chosen is not None:
            chosen = [self._chosen[k] for k in chosen]
        return Explanation(self._items, self._single, self._origin, chosen)

    def _input(self, key: Any) -> Input:
        k = self._number(key)
        found = self.data[..., k]
        value = found if np.ndim(found) else np.asarray(found)[()]
        return Input(self.feature_names[k], float(value) if isinstance(
            value, np.floating) else value,
                     float(self.delta[k]), float(self.delta_raw[k]),
                     float(self.lower_bounds[k]), float(self.upper_bounds[k]),
                     float(self.responsible[k]))

    # Numbers --------------------------------------------------------------------------------

    def _pick(self, a: np.ndarray) -> np.ndarray:
        return a if self._chosen is None else a[..., self._chosen]

    def _each(self, take: Any, kind: Any = None) -> Any:
        """Of one row what `take` gives; else a list of them, of a `kind` with fields also
        by these."""
        found = [take(item) for item in self._items]
        if self._single:
            return found[0]
        return found if kind is None else Several(found, kind, len(self.feature_names))

    def _per_input(self, take: Callable[[Item], np.ndarray], change: bool) -> np.ndarray:
        d, text = len(self._origin.names), self._origin.text_inputs
        a = np.array([take(item) for item in self._items],
                     dtype=np.float64).reshape(len(self._items), d)
        if change and text.any():
            a[:, text] = np.nan
        return self._pick(a[0] if self._single else a)

    def _per_row(self, what: str) -> Any:
        """A number of each row; a plain one when there is one row."""
        found = [item.array(what, item.n) for item in self._items]
        if self._single:
            return float(found[0][0]) if len(found[0]) == 1 else found[0]
        return np.array([v[0] for v in found])

    rows: List[Any] = each(lambda item, _: item.rows, "The numbers of the explained rows; of "
                           "a sequence one list each.")
    ids: List[Any] = each(lambda item, origin: [origin.name(row) for row in item.rows],
                          "Their names.")
    delta: np.ndarray = per_input(lambda item: item.array("delta", item.d), "The most "
                                  "probable change of each input, in its unit; NaN between "
                                  "texts (see `moved`).")
    delta_raw: np.ndarray = per_input(lambda item: item.array("delta_raw", item.d), "The most "
                                      "probable change in the data's own units.")
    lower_bounds: np.ndarray = per_input(lambda item: item.interval(0), "The lower ends of "
                                         "the 90 % intervals of `delta`; NaN without "
                                         "distributions, or where those are not known (few "
                                         "draws, or a surrogate that is far off: `notes`).")
    upper_bounds: np.ndarray = per_input(lambda item: item.interval(1), "The upper ends of "
                                         "the 90 % intervals of `delta`; NaN without "
                                         "distributions, or where those are not known (few "
                                         "draws, or a surrogate that is far off: `notes`).")
    responsible: np.ndarray = per_input(lambda item: item.responsible, "The probability that "
                                        "each input is at fault (NaN when not asked for).",
                                        change=False)
    y: Any = per_row("y", "The observed outcome.")
    f: Any = per_row("f", "The prediction.")
    base_values: Any = per_row("f", "The prediction: what the outcome deviates from.")
    score: Any = per_row("score", "The anomaly score.")
    f_moved: Any = per_row("f_moved", "The prediction at x + delta.")
    prior: Any = each(lambda item, _: item.prior, "The paper's letters as they were used.")
    notes: List[Any] = each(lambda item, origin: [spoken(note.encode()) for note in (
        *origin.notes, *[note for note in item.record(origin.info()).get("notes", ())
                         if note not in origin.notes])],
        "What changes the reading, a line each, options as arguments of these functions; what "
        "holds for the whole table first.")

    @property
    def values(self) -> np.ndarray:
        """The change that would make each input look normal if it alone were at fault, in its
        unit, times the probability that it is (`responsible`). Another level counts as one
        unit, up or down in the order of levels. NaN without culprits."""
        return self._normal()[0]

    def _normal(self) -> np.ndarray:
        """`values`, and the ends of their 90 % intervals."""
        found = [np.where(e.responsible == 0, 0, _plots.normal_changes(e) * e.responsible)
                 for e in Explanation(self._items, False, self._origin)._singles()]
        a = np.array(found).reshape(len(found), 3, len(self._origin.names)).swapaxes(0, 1)
        return self._pick(a[:, 0] if self._single else a)

    @property
    def data(self) -> np.ndarray:
        """The inputs of the explained rows: numbers, or the caller's own objects where some
        are texts or dates."""
        found = [self._origin.shown(item.array("x", item.n, item.d)) for item in self._items]
        if self._single:
            return self._pick(found[0][0] if len(found[0]) == 1 else found[0])
        return self._pick(np.array(found).reshape(len(found), len(self._origin.names)))

    @property
    def verdict(self) -> Any:
        """Who did it, in words (None when it was not asked for). Of several a list, and
        ``e.verdict.kind`` and ``e.verdict.text`` are lists."""
        def take(item: Item) -> Optional[Verdict]:
            v = item.record(self._origin.info())["verdict"]
            return None if v is None else Verdict(v["kind"], v["text"])
        return self._each(take, Verdict)

    @property
    def culprit(self) -> Any:
        """Who did it, as probabilities (None when it was not asked for). Of several a list,
        and by the same names each field over all: ``e.culprit.responsible`` has one row per
        explanation."""
        def take(item: Item) -> Optional[Culprit]:
            c = item.culprit(self._origin.info())
            if c is None or self._chosen is None:
                return c
            return c._replace(**{name: self._pick(getattr(c, name)) for name in
                                 ("probability", "single", "responsible")},
                              alone=[c.alone[k] for k in self._chosen])
        return self._each(take, Culprit)

    @property
    def marginals(self) -> Any:
        """The distribution of each input's change: a list of :class:`Marginal`, empty when
        none were asked for."""
        def take(item: Item) -> List[Marginal]:
            found = item.marginals(self._origin.names, self._origin.info())
            return found if not found or self._chosen is None else [
                found[k] for k in self._chosen]
        return self._each(take)

    def __getattr__(self, name: str) -> Any:
        """Whatever else stands in the JSON: converged, iterations, model_rows, ess, ..."""
        if not name.startswith("_") and self._items:
            found = [item.number(name) for item in self._items]
            if found[0] is None:
                found = [item.record(self._origin.info()).get(name) for item in self._items]
            if found[0] is not None:
                if self._single or isinstance(found[0], (dict, str)):
                    return found[0] if self._single else found
                array = np.array(found)  # of numbers and texts: each stays what it is
                return np.array(found, dtype=object) if array.dtype.kind == "U" else array
        raise AttributeError(f"an explanation has no '{name}'" + (
            ": 'responsible' is the probability that an input is at fault, and "
            "'culprit.probability' that it is if any input is" * (name == "probability")))

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *SUMMARY, "rows_by_stage"})

    # Out and in -----------------------------------------------------------------------------

    def _whole(self) -> None:
        if self._chosen is not None:
            raise ValueError("this is a selection of inputs, which cannot be saved by itself")

    def _written(self, form: int) -> str:
        if self._origin.whole is not None:
            head = split(self._origin.whole)[0]
            return head + ",".join(f"\n{item.text}" for item in self._items) + "]}\n"
        info = self._origin.info()
        marked = np.array(list(dict.fromkeys(row for item in self._items for row in item.rows)),
                          dtype=np.uintp)
        info.explanations = len(self._items)
        info.marked, info.n_marked = address(marked), len(marked)

        def write(text: Any) -> None:
            first = self._items[0].pointer if self._items else None
            call("gpa_report_begin", text, form, info, first)
            for i, item in enumerate(self._items):
                call("gpa_report_explanation", text, form, info, item.pointer, i)
            call("gpa_report_end", text, form, info)
        return written(write)

    def to_json(self) -> str:
        """The same bytes that ``gpa explain --json`` writes for the same model, data and
        seed."""
        self._whole()
        return self._written(JSON)

    @classmethod
    def from_json(cls, text: Union[str, bytes]) -> "Explanation":
        """An explanation from what `to_json` or ``gpa explain --json`` wrote. One alone comes
        back as one."""
        saved = Saved(text, 1, FORMAT)
        items = [Item(pointer_of("gpa_saved_explanation", saved.pointer, i), one)
                 for i, one in enumerate(split(saved.text)[1])]
        return cls(items, len(items) == 1, saved.origin(items[0].d if items else 0))

    def __getstate__(self) -> Dict[str, Any]:
        return {"text": self._written(JSON), "single": self._single, "chosen": self._chosen,
                "labels": (self._origin.labels, self._origin.index_name)}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        whole = Explanation.from_json(state["text"])
        self.__init__(whole._items, state["single"],  # type: ignore[misc]
                      whole._origin, state["chosen"])
        self._origin.labels, self._origin.index_name = state["labels"]

    def to_frame(self) -> Any:
        """A data frame (pandas) with one line per explanation and input, under the names of the
        command's CSV: its value (`x`), who (`responsible`, `value_normal` with its 90 %
        interval `value_low` to `value_high`, or `level_normal`; of columns that look or are probably
        exchanged the value in the other's place), `verdict` and `p_output`,
        then the change of all inputs together (`delta`, `lo90`, `hi90`, ...). Where X is a
        frame with labels, they are its index."""
        rows = [row for rows in ([self.rows] if self._single else self.rows)
                for row in (rows if len(rows) == 1 else [None]) for _ in self.feature_names]
        return frame([line for e in self._singles() for line in e._lines()],
                     **self._origin.index(rows))

    def _singles(self) -> List["Explanation"]:
        if self._single:
            return [self]
        return [self._with_items(i) for i in range(len(self._items))]

    def _lines(self) -> Iterator[Dict[str, Any]]:
        rows, ids, marginals, culprit = self.rows, self.ids, self.marginals, self.culprit
        data = np.atleast_2d(_words.named(self, self.data))
        change = {"delta": self.delta, "delta_raw": self.delta_raw,
                  "lo90": self.lower_bounds, "hi90": self.upper_bounds}
        blamed, exchanged = self.responsible, self._exchanged()
        for k, name in enumerate(self.feature_names):
            one: Dict[str, Any] = {"rows": rows[0] if len(rows) == 1 else tuple(rows),
                                   "ids": ids[0] if len(ids) == 1 else tuple(ids),
                                   "feature": name, "x": one_value(data[:, k]),
                                   "responsible": blamed[k]}
            if culprit:
                normal = culprit.alone[k]
                low, high = normal.value_interval90 or (None, None)
                value = normal.value
                if name in exchanged:
                    value, low, high = exchanged[name], None, None
                one.update(value_normal=value, value_low=low, value_high=high,
                           level_normal=normal.level, verdict=self.verdict.kind,
                           p_output=culprit.output)
            one.update({key: a[k] for key, a in change.items()})
            if marginals:
                m = marginals[k]
                one.update(mean=m.mean, sd=m.sd, p_positive=m.p_positive,
                           information=m.information)
            if culprit:
                low, high = normal.interval90_raw
                one.update(alone_median_raw=normal.median_raw, alone_lo90_raw=low,
                           alone_hi90_raw=high)
            yield one

    def _exchanged(self) -> Dict[str, Any]:
        """Of columns that look exchanged, the value that stands in the other's place; None of
        several rows, which have none in common."""
        if not self.culprit or not self.culprit.exchanged:
            return {}
        whole, names = Explanation(self._items, self._single, self._origin), self._origin.names
        data = np.atleast_2d(_words.named(whole, whole.data))
        return {names[line["column"]]: data[0, line["exchanged"]] if len(data) == 1 else None
                for line in _words.answer(self)["lines"] if "exchanged" in line}

    def to_html(self) -> str:
        """The command's page (``--html``). Only for explanations made in this process; of a
        saved one ``gpa report`` makes it."""
        self._whole()
        if self._origin.whole is not None:
            raise ValueError("the page of a saved explanation is made by: gpa report FILE")
        return self._written(HTML)

    def to_shap(self, values: str = "normal") -> "ShapView":
        """The fields of a ``shap.Explanation``, without importing shap:
        ``shap.Explanation(**vars(e.to_shap()))`` makes one.

        `values` are "normal": the change that would make each input look normal, in its unit,
        times the probability that it is at fault (`Explanation.values`); or "change": the most
        probable change of all inputs together (`delta`). Both say where an input should go;
        they do not add up to the prediction, as Shapley values do."""
        if values not in ("normal", "change"):
            raise ValueError(f"to_shap: '{values}' is neither 'normal' nor 'change'")
        if values == "normal" and any(item.culprit(self._origin.info()) is None
                                      for item in self._items):
            raise ValueError("to_shap: culprits were not asked for; values='change' gives the "
                             "most probable change")
        return ShapView(self, values)

    # For people -----------------------------------------------------------------------------

    def __repr__(self) -> str:
        return _words.text(self)

    def _repr_html_(self) -> str:
        return _words.page(self)

    def plot(self, name: str = "distributions", **options: Any) -> Any:
        """A picture by its name: distributions, litmus, forest, profiles or scatter. It is
        SVG; with ``ax=True`` or ``ax=AXES`` it is drawn with matplotlib, and the axes are
        returned."""
        kinds = ("distributions", "litmus", "forest", "profiles", "scatter")
        if name not in kinds:
            raise ValueError(f"plot: '{name}' is none of {', '.join(kinds)}")
        return getattr(self, f"plot_{name}")(**options)

    def plot_distributions(self, *, ax: Any = None, width: float = 0,
                           title: Optional[str] = None, most: int = 20) -> Any:
        """How each input may have to change: its distribution before (grey) and after the
        outcome was seen, likeliest culprit first."""
        return _plots.distributions(self._one("plot_distributions"), ax, width, title, most)

    def plot_litmus(self, *, ax: Any = None, width: float = 0,
                    title: Optional[str] = None) -> Any:
        """Inputs down, explained rows across; colour is the sign and size of the joint change. A
        full cell is one usual spread, or the largest of its column if that is more; another
        level counts as one spread, up or down in the order of levels."""
        return _plots.litmus_of(self, ax, width, title)

    def plot_forest(self, *, ax: Any = None, width: float = 0,
                    title: Optional[str] = None) -> Any:
        """The joint change of each input with its 50 and 90 % intervals."""
        return _plots.forest(self._one("plot_forest"), ax, width, title)

    def plot_profiles(self, *, ax: Any = None, width: float = 0,
                      title: Optional[str] = None, most: int = 6) -> Any:
        """f along each input, all others as observed. Only for explanations made in this
        process and with culprits."""
        return _plots.profiles(self._one("plot_profiles"), ax, width, title, most)

    def plot_scatter(self, X: Any, y: Any, *, ax: Any = None, width: float = 0,
                     title: Optional[str] = None, inputs: Any = None) -> Any:
        """Inputs against the outcome, all rows of X in grey, the explained ones marked, with
        an arrow to x + delta. X are the rows that `rows` counts."""
        return _plots.scatter(self, X, y, ax, width, title, inputs)

    def _one(self, what: str) -> "Explanation":
        if self._single:
            return self
        if len(self._items) == 1:
            return self._with_items(0)
        raise ValueError(f"{what} shows one explanation at a time: e[0].{what}()")


class ShapView:
    """The attributes of a ``shap.Explanation``: those that read them find them here. What
    `values` are is said by :meth:`Explanation.to_shap`; the bounds are theirs."""

    def __init__(self, e: Explanation, values: str = "normal") -> None:
        self.values, self.lower_bounds, self.upper_bounds = (
            e._normal() if values == "normal" else
            (e.delta, e.lower_bounds, e.upper_bounds))
        self.base_values = e.base_values
        self.data = e.data
        self.feature_names = e.feature_names
        self.output_names = e.target
        self.instance_names = None if e.ndim == 1 else [ids[0] for ids in e.ids]

    @property
    def shape(self) -> Tuple[int, ...]:
        return self.values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<gpa: a shap.Explanation-like view of shape {self.shape}>"
