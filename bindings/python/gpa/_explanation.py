"""What an explanation is in Python."""
from __future__ import annotations

import json
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _plots
from ._arrays import frame
from ._library import call, library, pointer_of, written
from ._record import JSON, SUMMARY, Culprit, Input, Item, Marginal, Verdict, split
from ._study import Filed, Origin, Saved, with_notes

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
    delta, values                the most probable change of each input, in its unit
    delta_raw                    the same in the data's own units
    lower_bounds, upper_bounds   its 90 % interval, in units
    data, y, f, base_values      inputs, outcome, prediction (twice)
    score, f_moved               anomaly score; prediction at x + delta
    verdict, culprit             who did it, in words and as probabilities
    marginals                    the distribution of each input's change
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
        """The names of the inputs."""
        names = self._origin.names
        return list(names) if self._chosen is None else [names[k] for k in self._chosen]

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
                     float(self.probability[k]))

    # Numbers --------------------------------------------------------------------------------

    def _pick(self, a: np.ndarray) -> np.ndarray:
        return a if self._chosen is None else a[..., self._chosen]

    def _each(self, take: Any) -> Any:
        """Of one row what `take` gives; else a list of them."""
        found = [take(item) for item in self._items]
        return found[0] if self._single else found

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
    values: np.ndarray = per_input(lambda item: item.array("delta", item.d), "The same as "
                                   "`delta`, by the name that others use.")
    delta_raw: np.ndarray = per_input(lambda item: item.array("delta_raw", item.d), "The most "
                                      "probable change in the data's own units.")
    lower_bounds: np.ndarray = per_input(lambda item: item.interval(0), "The lower ends of "
                                         "the 90 % intervals of `delta`; NaN without "
                                         "distributions.")
    upper_bounds: np.ndarray = per_input(lambda item: item.interval(1), "The upper ends of "
                                         "the 90 % intervals of `delta`; NaN without "
                                         "distributions.")
    probability: np.ndarray = per_input(lambda item: item.responsible, "The probability that "
                                        "each input is responsible (NaN when not asked for).",
                                        change=False)
    y: Any = per_row("y", "The observed outcome.")
    f: Any = per_row("f", "The prediction.")
    base_values: Any = per_row("f", "The prediction: what the outcome deviates from.")
    score: Any = per_row("score", "The anomaly score.")
    f_moved: Any = per_row("f_moved", "The prediction at x + delta.")
    prior: Any = each(lambda item, _: item.prior, "The paper's letters as they were used.")
    notes: List[Any] = each(lambda item, origin: [
        *origin.notes, *[note for note in item.notes if note not in origin.notes]],
        "What one should know about it, a line each; what holds for the whole table first.")

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
        """Who did it, in words (None when it was not asked for)."""
        def take(item: Item) -> Optional[Verdict]:
            v = item.record(self._origin.info())["verdict"]
            return None if v is None else Verdict(v["kind"], v["text"])
        return self._each(take)

    @property
    def culprit(self) -> Any:
        """Who did it, as probabilities (None when it was not asked for)."""
        def take(item: Item) -> Optional[Culprit]:
            c = item.culprit(self._origin.info())
            if c is None or self._chosen is None:
                return c
            return c._replace(**{name: self._pick(getattr(c, name)) for name in
                                 ("probability", "single", "responsible")},
                              alone=[c.alone[k] for k in self._chosen])
        return self._each(take)

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
        raise AttributeError(f"an explanation has no '{name}'")

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
        return {"text": self._written(JSON), "single": self._single, "chosen": self._chosen}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        whole = Explanation.from_json(state["text"])
        self.__init__(whole._items, state["single"],  # type: ignore[misc]
                      whole._origin, state["chosen"])

    def to_frame(self) -> Any:
        """A data frame (pandas) with one line per explanation and input."""
        return frame([line for e in self._singles() for line in e._lines()])

    def _singles(self) -> List["Explanation"]:
        if self._single:
            return [self]
        return [self._with_items(i) for i in range(len(self._items))]

    def _lines(self) -> Iterator[Dict[str, Any]]:
        rows, ids, marginals, culprit = self.rows, self.ids, self.marginals, self.culprit
        data = np.atleast_2d(self.data)
        columns = {"value": [one_value(data[:, k]) for k in range(data.shape[1])],
                   "delta": self.delta, "delta_raw": self.delta_raw,
                   "lower": self.lower_bounds, "upper": self.upper_bounds,
                   "probability": self.probability, "responsible": self.probability}
        for k, name in enumerate(self.feature_names):
            one: Dict[str, Any] = {"row": rows[0] if len(rows) == 1 else tuple(rows),
                                   "id": ids[0] if len(ids) == 1 else tuple(ids),
                                   "feature": name,
                                   **{key: a[k] for key, a in columns.items()}}
            if culprit:
                normal = culprit.alone[k]
                low, high = normal.value_interval90 or (None, None)
                one.update(value_normal=normal.value, value_low=low, value_high=high,
                           level_normal=normal.level)
            if marginals:
                m = marginals[k]
                one.update(mean=m.mean, sd=m.sd, p_positive=m.p_positive,
                           information=m.information)
            yield one

    def to_html(self) -> str:
        """The command's page (``--html``). Only for explanations made in this process; of a
        saved one ``gpa report`` makes it."""
        self._whole()
        if self._origin.whole is not None:
            raise ValueError("the page of a saved explanation is made by: gpa report FILE")
        return self._written(HTML)

    def to_shap(self) -> "ShapView":
        """The fields of a ``shap.Explanation``, without importing shap:
        ``shap.Explanation(**vars(e.to_shap()))`` makes one."""
        return ShapView(self)

    # For people -----------------------------------------------------------------------------

    def __repr__(self) -> str:
        if not self._items:
            return "<gpa.Explanation of nothing>"
        lines = [e._summary() for e in self._singles()[:5]]
        more = len(self._items) - len(lines)
        return with_notes("\n".join(lines) + (f"\n... and {more} more" if more > 0 else ""),
                          self._origin)

    def _summary(self) -> str:
        what = "row " if len(self.ids) == 1 else "rows "
        y, f = np.mean(self.y), np.mean(self.f)
        verdict = self.verdict
        change = ", ".join(self._changes()[:3]) or "no change"
        notes = "".join(f"\n note: {note}" for note in self._items[0].notes)
        return (f"<{what}{', '.join(self.ids[:5])}: {self.target} {y:.6g}, predicted "
                f"{f:.6g}. {verdict.text + ' ' if verdict else ''}Most probable change: "
                f"{change}>{notes}")

    def _changes(self) -> List[str]:
        """What the most probable change does to each input, largest first."""
        item, inputs, found = self._items[0], _plots.seen(self), []
        delta, raw = item.array("delta", item.d), item.array("delta_raw", item.d)
        then = self._origin.shown(item.array("x", item.n, item.d)[:1] + raw)[0]
        moved = _plots.moves(self, inputs)
        days = {kind["name"] for kind in self.kinds if kind.get("writing") == "date"}
        for k, one in inputs.items():
            size, column = max(abs(delta[j]) for j in one.columns), one.columns[0]
            if size > 0:
                value = then[column]
                value = value.date() if one.name in days and hasattr(value, "date") else value
                text = (_plots.move_text(one, moved[k]) if k in moved else
                        f"{raw[column]:+.4g}" if isinstance(value, float) else f"→ {value}")
                found.append((-size, f"{one.name} {text}"))
        return [text for _, text in sorted(found)]

    def _repr_html_(self) -> str:
        return _plots.page(self)

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
        """Inputs down, explained rows across; colour is the sign and size of the change."""
        return _plots.litmus_of(self, ax, width, title)

    def plot_forest(self, *, ax: Any = None, width: float = 0,
                    title: Optional[str] = None) -> Any:
        """The change of each input with its 50 and 90 % intervals."""
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
    """The attributes of a ``shap.Explanation``: those that read them find them here."""

    def __init__(self, e: Explanation) -> None:
        self.values = e.values
        self.base_values = e.base_values
        self.data = e.data
        self.feature_names = e.feature_names
        self.lower_bounds = e.lower_bounds
        self.upper_bounds = e.upper_bounds
        self.output_names = e.target
        self.instance_names = None if e.ndim == 1 else [ids[0] for ids in e.ids]

    @property
    def shape(self) -> Tuple[int, ...]:
        return self.values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<gpa: a shap.Explanation-like view of shape {self.shape}>"
