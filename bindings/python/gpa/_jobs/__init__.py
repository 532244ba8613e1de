"""Explanations by several processes: the rows are divided, the question is the same in all of
them, and so are the bytes of the answer."""
from __future__ import annotations

import functools
import importlib
import os
import pickle
import threading
import warnings
from typing import Any, Callable, Iterable, Iterator, List, Optional, Sequence, Tuple

from .._data import is_frame
from .._model import Model, load_model
from .._options import whole
from .._record import Item
from .._study import Study

PIECES = 4  # parts per process: who is done early takes another


def portable(model: Any) -> Any:
    """A model that can be sent: one that the library opens goes as its spec."""
    if isinstance(model, Model):
        return functools.partial(load_model, model.spec, **model.given)
    if isinstance(model, (str, os.PathLike)):
        return functools.partial(load_model, os.fspath(model))
    return functools.partial(itself, model)


def itself(model: Any) -> Any:
    return model


def packed(what: Any) -> bytes:
    """Pickled once, whatever the number of processes; functions by what they do, where
    cloudpickle is there, if only the one that joblib brings."""
    for name in "cloudpickle", "joblib.externals.cloudpickle":
        try:
            return importlib.import_module(name).dumps(what)
        except ImportError:
            continue
    try:
        return pickle.dumps(what)
    except (AttributeError, TypeError, pickle.PicklingError) as error:
        raise TypeError(f"the model cannot be sent to other processes ({error}): install "
                        "cloudpickle, or give a model by its spec") from error


_own = threading.local()  # a study belongs to one thread


def opened(question: bytes) -> Study:
    """The question in this process and thread: opened once, asked for many parts."""
    if getattr(_own, "question", None) == question:
        return _own.study
    model, X, y, feature_names, given, batch = pickle.loads(question)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # who asked is told the same
        study = Study("explain", model(), X, y, given, feature_names, 1, batch, "never")
        study.answer(lambda: None)
    _own.question, _own.study = question, study
    return study


def explain_part(question: bytes, rows: Sequence[int]) -> List[bytes]:
    """These rows, in a process of whatever kind."""
    study = opened(question)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [item.packed() for item in study.answer(
            lambda: study.explanations(rows, False))]


def parts_of(rows: Sequence[int], n: int) -> List[List[int]]:
    """At most n parts, of rows far from each other: those that take long are not in one."""
    rows = [int(row) for row in rows]
    return [rows[i::n] for i in range(min(n, len(rows)))]


def in_order(parts: Iterable[List[bytes]]) -> List[Item]:
    """The explanations of all parts in the order of the rows."""
    parts = list(parts)
    return [Item.unpacked(part[i]) for i in range(max(map(len, parts), default=0))
            for part in parts if i < len(part)]


Run = Callable[[bytes, List[List[int]]], Iterable[List[bytes]]]


def with_joblib(n_jobs: int) -> Optional[Tuple[int, Run]]:
    """How many processes there will be, and how they are run; None: this one is enough."""
    n_jobs = whole("n_jobs", n_jobs)
    if n_jobs == 0:
        raise ValueError("n_jobs: 0 processes explain nothing; -1 is one per core")
    if n_jobs == 1:
        return None
    try:
        import joblib
    except ImportError:
        raise ImportError("n_jobs needs joblib (python3-joblib)") from None

    def run(question: bytes, parts: List[List[int]]) -> Iterable[List[bytes]]:
        return joblib.Parallel(n_jobs=n_jobs)(  # whichever backend the caller chose
            joblib.delayed(explain_part)(question, part) for part in parts)
    return joblib.effective_n_jobs(n_jobs), run


def explain_rows(study: Study, question: Tuple[Any, ...], rows: Sequence[int],
                 workers: int, run: Run) -> List[Item]:
    """The rows of a study that is open here, explained elsewhere."""
    return in_order(run(packed(question), parts_of(rows, PIECES * workers)))


def explain_batches(batches: Iterable[Any], model: Any, y: Any = None, *, reference: Any,
                    **options: Any) -> Iterator[Any]:
    """Explains data frames that come one after the other: of each a frame, as
    :meth:`Explanation.to_frame` gives it.

    Made for engines that hand their workers batches of rows. Rows are judged by
    ``reference`` alone (rows with the outcome, or a pair (X, y)), so that it does not matter
    how they are divided: every row has the answer it would have in one process. All rows
    that can be used are explained, unless ``rows``, ``top`` or ``threshold`` choose (within
    each batch). A model named by its spec is opened once.

    Spark (``mapInPandas``) and Ray (``map_batches``), neither of which is tested here::

        rows.mapInPandas(lambda batches: gpa.explain_batches(
            batches, "xgboost:model.json", "y", reference=normal), schema)
        rows.map_batches(lambda batch: next(gpa.explain_batches(
            [batch], "xgboost:model.json", "y", reference=normal)), batch_format="pandas")

    >>> import gpa, numpy as np, pandas
    >>> rng = np.random.default_rng(1)
    >>> normal = pandas.DataFrame(rng.normal(size=(200, 2)), columns=["a", "b"])
    >>> normal["y"] = 3 * normal.a + normal.b + rng.normal(size=200) * .1
    >>> model = lambda x: 3 * x.a + x.b
    >>> frames = gpa.explain_batches([normal[:3], normal[3:5]], model, "y", reference=normal)
    >>> [len(frame) for frame in frames]                     # rows times inputs
    [6, 4]
    """
    from .._explain import explain
    if is_frame(batches) or hasattr(batches, "predict"):
        raise TypeError("batches come first, one frame after the other: [frame] of a single one")
    if isinstance(model, (str, os.PathLike)):
        model = load_model(model)
    if not isinstance(reference, tuple) and isinstance(y, str):
        reference = (reference, y)
    options.setdefault("plausible", "reference")  # never the batch's own rows
    for batch in batches:
        if len(batch) > 0:
            yield explain(model, batch, y, reference=reference, **options).to_frame()
