"""Models: those that the library opens itself, and anything that Python can call."""
from __future__ import annotations

import contextlib
import os
import threading
from time import monotonic
from typing import Any, Callable, ContextManager, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _structs as s
from ._arrays import READ, WRITE, address, matrix, view
from ._data import is_frame
from ._known import MOST_NODES, Read, owner_of, read
from ._known.quick import is_known, quick_function
from ._library import Handle, call, encoded, library, options, pointer_of, texts
from ._task import Task, running
from ._threads import MANY, give_back, hold


class Model:
    """A model that libgpa reads or reaches by itself: no Python in the loop.

    Made by :func:`load_model`. It can be called like a function, shared between threads, and
    given to :func:`explain`, :func:`score` and :func:`compare`.

    >>> import gpa
    >>> model = gpa.load_model("builtin:sinusoid2d")
    >>> model.inputs
    2
    >>> model.predict([[0.0, 0.0], [0.5, 1.0]]).round(6).tolist()
    [2.0, -0.0]
    """

    def __init__(self, main: Handle) -> None:
        self._main = main
        lib, pointer = library(), main.pointer
        self.spec: str = lib.gpa_model_spec(pointer).decode("utf-8", "replace")
        names = [lib.gpa_model_variable(pointer, k) for k in range(self.inputs)]
        self.names: List[str] = ([] if None in names else
                                 [name.decode("utf-8", "replace") for name in names])
        self.in_process: bool = lib.gpa_model_in_process(pointer)
        self.refuses_missing: bool = lib.gpa_model_refuses_missing(pointer)
        self.given: Dict[str, Any] = {}
        # what lives outside is told, for all handles, what the inputs of a question are
        self.alone: ContextManager[Any] = (contextlib.nullcontext() if self.in_process
                                           else threading.Lock())

    @property
    def inputs(self) -> int:
        """How many inputs it takes; 0 for any number, until it was told."""
        return library().gpa_model_dim(self._main.pointer)

    @property
    def feature_names(self) -> Optional[List[str]]:
        """The names of the inputs as the model file knows them, or None."""
        return list(self.names) or None

    def clone(self) -> Handle:
        """A handle of one's own: handles belong to one thread at a time."""
        return Handle("gpa_model_free", pointer_of("gpa_model_clone", self._main.pointer))

    def predict(self, X: Any) -> np.ndarray:
        """One prediction per row of X; what is not finite is passed on."""
        x = matrix(X.to_numpy() if is_frame(X) else X, "X")
        y, handle, (n, d) = np.empty(len(x)), self.clone(), x.shape
        if self.inputs not in (0, d):
            raise ValueError(f"X has {d} columns, the model takes {self.inputs}")

        def work() -> None:
            with self.alone:
                call("gpa_model_set_inputs", handle.pointer, d,
                     texts(self.names or [f"x{k + 1}" for k in range(d)]))
                call("gpa_model_predict", handle.pointer, address(x), n, address(y))
        with Task("predicting", "never") as task:
            task.aside(work)
        return y

    __call__ = predict

    def __repr__(self) -> str:
        return f"gpa.load_model({self.spec!r})"


def load_model(spec: Union[str, "os.PathLike[str]"], *, model_config: Optional[str] = None,
               model_timeout: Optional[float] = None, model_workers: Optional[int] = None,
               model_auth: Optional[str] = None, batch: Optional[int] = None) -> Model:
    """Opens a model by its spec, as the command's ``--model`` does.

    A model file (``mlp:FILE``, ``linear:FILE``, ``xgboost:FILE``, ``lightgbm:FILE``,
    ``onnx:FILE``, or a bare file name recognised by its content), ``plugin:PATH.so``,
    ``exec:COMMAND ARG…``, a server (``v2:URL``, ``mlflow:URL``, ``tfserving:URL``) or
    ``builtin:sinusoid2d``.

    Parameters
    ----------
    spec : which model
    model_config : text handed to a plugin
    model_timeout : seconds a call of a model outside this process may take (60)
    model_workers : child processes or connections at most
    model_auth : where a server's secret is found: ``env:NAME`` or ``file:PATH``
    batch : rows per call of the model at most (4096)

    >>> import gpa
    >>> gpa.load_model("builtin:sinusoid2d")
    gpa.load_model('builtin:sinusoid2d')
    """
    how = options(s.ModelOptions, "model_options")
    how.config, how.auth = encoded(model_config), encoded(model_auth)
    if model_timeout is not None:
        how.timeout = float(model_timeout)
    how.workers = model_workers or 0
    if batch is not None:
        how.batch_rows = batch
    model = Model(Handle("gpa_model_free",
                         pointer_of("gpa_model_open", encoded(os.fspath(spec)), how)))
    if model_config is not None:
        model.given["model_config"] = model_config
    return model


def function_of(model: Any) -> Callable[[Any], Any]:
    """model.predict, or the model itself when it is a function."""
    function = getattr(model, "predict", None)
    if callable(function):
        return function
    if callable(model):
        return model
    raise TypeError(f"{type(model).__name__} has no predict and cannot be called: a model is "
                    "anything with .predict(X), a function of X, or gpa.load_model(SPEC)")


def name_of(model: Any) -> str:
    kind = model if hasattr(model, "__qualname__") else type(model)
    return f"python:{getattr(kind, '__module__', None) or 'builtins'}.{kind.__qualname__}"


class PythonModel:
    """Anything with .predict, or callable, as the rest of the package sees models."""

    def __init__(self, model: Any) -> None:
        self.function = function_of(model)
        self.spec = name_of(model)
        names = getattr(model, "feature_names_in_", None)
        self.names: List[str] = [] if names is None else [str(name) for name in names]
        self.labels = None if names is None else list(names)
        self.inputs = int(getattr(model, "n_features_in_", 0) or len(self.names))
        # scikit-learn warns about names that it was not fitted with
        self.nameless = (names is None and is_known(owner_of(model))
                         and not hasattr(owner_of(model), "steps"))
        self.given: Dict[str, Any] = {}
        self.alone: ContextManager[Any] = contextlib.nullcontext()

    def wrapper(self, labels: Optional[Sequence[Any]]) -> Optional[Callable[[Any], Any]]:
        """Rows as the data frame that the model was fitted with, where it was."""
        labels = labels if labels is not None else self.labels
        if labels is None or self.nameless:
            return None
        try:
            from pandas import DataFrame
        except ImportError:
            return None
        columns = list(labels)
        return lambda x: DataFrame(x, columns=columns, copy=False)


class TreesModel(Model):
    """Trees of a model in Python, asked by the library."""

    def __init__(self, main: Handle, read: Read, called: PythonModel) -> None:
        super().__init__(main)
        self.called, self.read = called, read  # the model itself, where that is needed
        trees = read.trees
        self.spec = called.spec
        self.note = (f"asked in the library: the model's {trees} "
                     f"{'trees' if trees != 1 else 'tree'} (native=False: its predict)")


AnyModel = Union[Model, PythonModel]


def as_model(model: Any, native: Optional[bool] = False) -> AnyModel:
    """`native`: trees that are known are asked without Python; None: unless reading them takes
    longer than one explanation saves."""
    if isinstance(model, (Model, PythonModel)):
        return model
    if isinstance(model, (str, os.PathLike)):
        return load_model(model)
    called, owner = PythonModel(model), owner_of(model)
    behind = called if owner is model else PythonModel(owner)
    found = None if native is False else read(
        owner, behind.inputs, behind.names, behind.wrapper(None),
        None if native else MOST_NODES)
    if found is None or found.handle is None:
        return called
    return TreesModel(found.handle, found, called)


def answers(y: Any, n: int) -> np.ndarray:
    """What the model gave, as one double per row."""
    y = np.asarray(y)
    if y.shape != (n,):
        if y.shape != (n, 1):
            raise ValueError(f"the model was asked for {n} rows and gave shape {y.shape}: one "
                             f"prediction per row is needed, shape ({n},) or ({n}, 1)")
        y = y.reshape(n)
    if y.dtype.kind not in "fiub":
        if y.dtype.kind != "O":
            raise TypeError(f"the model gave {y.dtype} where numbers are needed")
        y = y.astype(np.float64)
    return y


class Callback:
    """A Python function on its way into the library, for one call of it."""

    wrap: Optional[Callable[[Any], Any]] = None

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function, self.rows, self.failed = function, 0, False
        self.quick = quick_function(function)

    def ask_many(self, rows: Any) -> Any:
        """Its libraries have the caller's threads meanwhile."""
        give_back()
        try:
            return self.function(rows)
        finally:
            hold()

    def predict(self, task: Task, x: int, n: int, d: int, y: int) -> int:
        if task.error is not None:
            if not isinstance(task.error, Exception):
                return 1
            task.error = None  # the library goes on without that answer
        if task.pending:
            task.deliver()
        rows = np.frombuffer(view(x, 8 * n * d, READ)).reshape(n, d).copy()
        if self.wrap is not None:
            rows = self.wrap(rows)
        task.inside = True
        given = self.quick(rows) if n < MANY else self.ask_many(rows)
        task.inside = False
        np.frombuffer(view(y, 8 * n, WRITE))[:] = (
            given if type(given) is np.ndarray and given.shape == (n,)
            and given.dtype == np.float64 else answers(given, n))
        self.rows += n
        task.rows += n
        if monotonic() > task.next_look:
            task.look()
        return 0


def _predict(number: int, x: int, n: int, d: int, y: int) -> int:
    """Whatever the model raises is kept; the library is told to stop."""
    try:
        task = running[number]
        return task.callback.predict(task, x, n, d, y)
    except BaseException as error:
        try:
            task.inside = False
            task.error, task.callback.failed = error, True
        except NameError:
            pass
        return 1


predict = s.PREDICT(_predict)  # one for all; the number says which
