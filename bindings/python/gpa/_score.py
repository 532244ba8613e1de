"""gpa.score: how anomalous each row is."""
from __future__ import annotations

import ctypes
from typing import Any, List, Optional, Sequence

import numpy as np

from . import _plots, _structs as s
from ._arrays import address, frame
from ._library import call, library, options, spoken, written
from ._options import given_options
from ._study import Study, with_notes


class Scores:
    """Anomaly scores: of every row (`scores`, `y`, `f`), and which are shown, worst first
    (`rows`). NumPy takes it as the array of all scores."""

    def __init__(self, study: Study) -> None:
        self.scores: np.ndarray = study.array("score")
        self.y: np.ndarray = study.array("y")
        self.f: np.ndarray = study.array("f")
        self.sigma: float = library().gpa_study_sigma(study.pointer)
        self.collective: float = library().gpa_study_collective(study.pointer)
        self.rows: List[int] = study.chosen_rows()
        self._origin = study.origin(range(study.n))

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self.scores, dtype=dtype)

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, key: Any) -> Any:
        return self.scores[key]

    def to_json(self) -> str:
        """The same bytes that ``gpa score --json`` writes."""
        # inputs do not matter here: the predictions stand in for them
        x = address(self.f)
        sample = s.Sample(x, address(self.y), x, len(self.f), 1)
        order = np.array(self.rows, dtype=np.uintp)
        found = options(s.ScoreList, "score_list")
        found.sample, found.score = ctypes.pointer(sample), address(self.scores)
        found.order, found.n_shown = address(order), len(order)
        found.sigma, found.collective = self.sigma, self.collective
        return written(lambda t: call("gpa_report_scores", t, 1, self._origin.info(), found))

    def to_frame(self) -> Any:
        """A data frame (pandas), worst first."""
        return frame({"row": self.rows, "id": [self._origin.name(r) for r in self.rows],
                      "y": self.y[self.rows], "f": self.f[self.rows],
                      "score": self.scores[self.rows]}, **self._origin.index(self.rows))

    def plot(self, *, mark: Optional[Sequence[int]] = None,
             threshold: Optional[float] = None, ax: Any = None, width: float = 0,
             title: Optional[str] = None) -> Any:
        """The scores of all rows; `mark` names rows (the five worst). SVG, or with ``ax=``
        matplotlib axes."""
        marked = [int(r) for r in (self.rows[:5] if mark is None else mark)]
        names = [self._origin.name(r) for r in marked]
        return _plots.scores(self.scores, marked, names, threshold, ax, width, title)

    def _repr_html_(self) -> str:
        return self.plot()

    def __repr__(self) -> str:
        name = self._origin.name
        worst = ", ".join(f"{name(r)}: {self.scores[r]:.3g}" for r in self.rows[:5])
        return with_notes(f"<scores of {len(self)} rows, sigma {self.sigma:.4g}; worst "
                          f"{worst}>", self._origin)

    @property
    def notes(self) -> List[str]:
        """What one should know about the whole table, a line each."""
        return [spoken(note.encode()) for note in self._origin.notes]


def score(model: Any, X: Any, y: Any = None, *, feature_names: Any = None,
          target: Optional[str] = None, features: Any = None, drop: Any = None,
          id: Optional[str] = None, no_header: Optional[bool] = None,
          sigma: Optional[float] = None, rows: Any = None, top: Optional[int] = None,
          threshold: Optional[float] = None, all: Optional[bool] = None, kind: Any = None,
          levels: Any = None, units: Any = None, batch: Optional[int] = None,
          strict: Optional[bool] = None) -> Scores:
    """The anomaly score of every row: -ln N(y | f, sigma^2), worst first.

    The arguments are those of :func:`explain`; without a choice all rows are shown. Rows that
    cannot be used, for lack of an outcome or a prediction, have NaN for a score.

    >>> import gpa, numpy as np
    >>> x = np.arange(20.0).reshape(-1, 1)
    >>> y = 2 * x[:, 0] + np.tile([0.1, -0.1], 10)
    >>> y[13] += 3
    >>> s = gpa.score(lambda x: 2 * x[:, 0], x, y)
    >>> s.rows[0], len(s), bool(s[13] > 4 * s[12])
    (13, 20, True)
    """
    given = given_options(locals(), score.__annotations__)
    return scores_of(Study("score", model, X, y, given, feature_names, batch=batch))


def scores_of(study: Study) -> Scores:
    study.answer(lambda: None)
    return Scores(study)
