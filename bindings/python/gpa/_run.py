"""What explain, score and compare have in common: the model at work on the caller's rows."""
from __future__ import annotations

import ctypes
import os
import threading
import warnings
from typing import Any, Callable, Dict, List, Optional

import numpy as np

from . import _structs as s
from ._arrays import address
from ._data import Rows, take_reference, take_rows
from ._errors import NumericError
from ._library import call, encoded, library, options, texts
from ._model import AnyModel, PythonModel, Session, as_model
from ._options import KEPT, count, options_json, positive, rows_text, scale_of
from ._task import Task


def given_options(arguments: Dict[str, Any]) -> Dict[str, Any]:
    """The options among a function's arguments that the caller has given."""
    return {name: arguments[name] for name in KEPT
            if arguments.get(name) is not None and name != "model"}


class Work:
    """A model at work. One in Python is asked on this thread, in turn; others by as many
    threads as there are jobs for, while this one waits and can be interrupted."""

    def __init__(self, model: AnyModel, rows: Rows, label: str, progress: Any = None,
                 threads: Optional[int] = None, batch: Optional[int] = None) -> None:
        self.python = isinstance(model, PythonModel)
        self.task = Task(label, 1, progress, callbacks=self.python)
        self.arguments = (model, rows.x.shape[1], rows.labels,
                          None if batch is None else count("batch", batch), self.task)
        self.given_threads = threads if threads is None else count("threads", threads, 1,
                                                                   1024)
        self.own = threading.local()
        self.sessions: List[Session] = []

    @property
    def threads(self) -> int:
        return self.given_threads or os.cpu_count() or 1

    def __enter__(self) -> "Work":
        self.task.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        for session in self.sessions:
            session.__exit__()
        self.task.__exit__(*error)

    def session(self) -> Session:
        """This thread's own handle on the model."""
        if not hasattr(self.own, "session"):
            self.own.session = Session(*self.arguments)
            if self.python:
                self.sessions.append(self.own.session)
        return self.own.session

    def map(self, job: Callable[[Session, int], Any], jobs: int) -> List[Any]:
        self.task.total, self.task.done = jobs, 0
        if not self.python:
            return self.task.in_threads(lambda i: job(self.session(), i), jobs, self.threads)
        results = []
        for i in range(jobs):
            results.append(job(self.session(), i))
            self.task.done += 1
            self.task.look()
        return results


def sample_of(x: np.ndarray, y: Optional[np.ndarray], f: Optional[np.ndarray]) -> s.Sample:
    return s.Sample(address(x), address(y), address(f), *x.shape)


class Origin:
    """What a report says about the whole run; put into words when somebody asks."""

    def __init__(self, spec: Optional[str], rows: Rows, center: Optional[np.ndarray],
                 f: np.ndarray, command: str, given: Dict[str, Any],
                 chosen: Optional[List[int]]) -> None:
        self.spec, self.target, self.names = spec, rows.target, rows.names
        self.ids, self.center, self.digest = rows.ids, center, rows.digest
        self.f, self.command, self.file = f, command, rows.file
        self.given, self.chosen = given, chosen

    def options_text(self) -> str:
        given = self.given
        if given.get("rows") is not None and self.chosen is not None:
            given = {**given, "rows": rows_text(self.chosen)}
        return options_json(self.command, self.file, given)

    def info(self, ids: Optional[Dict[int, str]] = None) -> Any:
        """The struct, and what must stay alive beside it. `ids` names only these rows."""
        info = options(s.ReportInfo, "report_info")
        features = texts(self.names)
        info.model_spec, info.target = encoded(self.spec), encoded(self.target)
        info.features = features
        keep: List[Any] = [features]
        if ids:
            named = (ctypes.c_char_p * (max(ids) + 1))()
            for row, name in ids.items():
                named[row] = encoded(name)
            info.ids = named
            keep.append(named)
        info.center = address(self.center)
        info.input_digest = encoded(self.digest)
        info.model_digest = encoded(digest(self.f))
        info.options_json = encoded(self.options_text())
        info.seed = int(self.given.get("seed", 1))
        return info, keep


def digest(a: np.ndarray) -> str:
    out = ctypes.create_string_buffer(72)
    library().gpa_digest(address(a), a.nbytes, out)
    return out.value.decode()


class Observed:
    """The caller's rows, predicted and scored; the reference beside them."""

    def __init__(self, model: Any, X: Any, y: Any, given: Dict[str, Any],
                 feature_names: Any) -> None:
        self.model: AnyModel = as_model(model)
        self.given = given
        self.rows = take_rows(self.model, X, y, feature_names, given.get("target"),
                              given.get("features"), given.get("drop"), given.get("id"),
                              bool(given.get("no_header")))
        self.x, self.n, self.d = self.rows.x, *self.rows.x.shape
        self.model.set_inputs(self.d, self.rows.names)
        self.reference: Optional[np.ndarray] = None
        self.labelled: Optional[np.ndarray] = None  # y of the reference
        if given.get("reference") is not None:
            self.reference, self.labelled = take_reference(
                self.model, given["reference"], self.rows.names,
                bool(given.get("no_header")))
        self.sigma = self.collective = float("nan")

    def work(self, label: str, progress: Any, threads: Any, batch: Any) -> Work:
        return Work(self.model, self.rows, label, progress, threads, batch)

    def predict(self, session: Session, x: np.ndarray, y: Optional[np.ndarray]) -> Any:
        f = np.empty(len(x))
        session.call("gpa_predict_observed", session.pointer, sample_of(x, y, None),
                     address(f))
        return f

    def ask(self, session: Session, _: int) -> None:
        self.f = self.predict(session, self.x, self.rows.y)
        if self.reference is not None and self.labelled is not None:
            self.reference_f = self.predict(session, self.reference, self.labelled)

    def observe(self, work: Work) -> None:
        """Predicts and scores every row."""
        work.map(self.ask, 1)
        self.sample = sample_of(self.x, self.rows.y, self.f)
        self.context = self.sample
        if self.reference is not None and self.labelled is not None:
            self.context = sample_of(self.reference, self.labelled, self.reference_f)
        self.score = np.full(self.n, np.nan)
        self.find_sigma()
        if np.isfinite(self.sigma):
            collective = ctypes.c_double()
            call("gpa_score", self.sample, self.sigma, address(self.score), collective)
            self.collective = collective.value

    def find_sigma(self) -> None:
        if self.given.get("sigma") is not None:
            self.sigma = positive("sigma", self.given["sigma"])
            return
        sigma = ctypes.c_double()
        try:
            if self.context.n < 2:
                raise NumericError
            call("gpa_residual_sigma", self.context, sigma)
            self.sigma = sigma.value
        except NumericError:
            chosen = (self.n == 1 or self.given.get("rows") is not None
                      or self.given.get("all"))
            if self.given.get("b0") is not None and chosen:
                return  # nobody needs it
            raise ValueError(
                f"sigma, the standard deviation of y - f, cannot be taken from "
                f"{self.context.n} row{'s whose y - f do not differ' * (self.n > 1)}: give "
                "sigma=, or reference=(X, y) with observed rows") from None

    def scale(self) -> None:
        """Centre and unit of each input. With few rows of its own X is measured by the
        reference."""
        if self.given.get("scale") is None and self.reference is not None and (
                self.n < 5 or self.labelled is not None):
            self.given["scale"] = "reference"
        self.center, self.unit, flat = scale_of(self.given.get("scale"), self.x,
                                                self.reference, self.rows.names)
        if flat.any():
            by_reference = self.given.get("scale") == "reference"
            where = "the reference" if by_reference else "X"
            few = len(self.reference if by_reference else self.x) < 5  # type: ignore
            names = ", ".join(n for n, b in zip(self.rows.names, flat) if b)
            warnings.warn(f"fewer than 5 rows in {where}: the unit of every input is 1; give "
                          "reference= or scale=" if few else
                          f"without spread in {where}, unit 1: {names}", stacklevel=4)

    def origin(self, command: str, chosen: Optional[List[int]] = None) -> Origin:
        given = {**self.given, **self.model.given, "model": self.model.spec}
        return Origin(self.model.spec, self.rows, getattr(self, "center", None), self.f,
                      command, given, chosen)
