"""A question to the library: what the caller gave, handed over; what it found, read."""
from __future__ import annotations

import ctypes
import os
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _structs as s
from ._arrays import address, copy_from
from ._data import (Rows, check_labels, is_exchanged, is_frame, is_pandas, is_path, is_stream,
                    outcomes, rows_of, table_of)
from ._errors import DataError, UnsupportedError
from ._frames import LEVEL, NUMBER, Back, Kind, Numbers, as_objects, by_names, copied, frame_of
from ._library import (Handle, call, decoded, encoded, library, options, pointer_of, spoken,
                       texts, texts_of)
from ._model import Callback, Model, TreesModel, as_model, predict
from ._options import Row, input_name, row_numbers, values_of, whole
from ._record import Item
from ._task import Task, progress as told

LABELS = {"explain": "explaining", "compare": "comparing", "score": "scoring"}
LATER = ("rows", "kind", "set", "freeze", "bounds", "integer", "onehot",
         "scale")  # once inputs are known
# Notes that are no warnings: what the inputs are, and how sigma was taken.
USUAL = (b"taken as: ", b"sigma is ")
LARGE = 1e30  # numbers beyond may be too large for floats


def others(pointer: Optional[int], d: int) -> Optional[Dict[str, Any]]:
    """Copies of the rows that pages show explained ones against."""
    if not pointer:
        return None
    of = s.Background.from_address(pointer)
    found: Dict[str, Any] = {name: getattr(of, name) for name in ("n", "d", "total")}
    if of.rows:
        found["rows"] = np.array((ctypes.c_size_t * of.n).from_address(of.rows), dtype=np.uintp)
    for name, width in (("x", d), ("y", 1), ("f", 1), ("score", 1)):
        at = getattr(of, name)
        if at:
            found[name] = copy_from(at, of.n, width) if width > 1 else copy_from(at, of.n)
    return found


class Origin:
    """What a report says about the whole run: nothing of the library's, and of a result that
    was read its text. `backs` turn the numbers of texts and dates into the caller's values."""

    FIELDS = ("model_spec", "target", "target_unit", "input_digest", "model_digest",
              "options_json", "seed")

    def __init__(self, of: s.ReportInfo, names: List[str], ids: Optional[Dict[int, str]],
                 whole: Optional[str] = None,
                 backs: Optional[List[Optional[Back]]] = None, labels: Any = None,
                 shown: bool = False) -> None:
        self.given = {name: getattr(of, name) for name in self.FIELDS}
        self.columns, self.ids, self.whole = names, ids, whole
        self.called = [of.features[k] for k in range(len(names))] if of.features else None
        self.names = names if self.called is None else [  # without their units
            name if encoded(name) == called else decoded(called) or ""
            for name, called in zip(names, self.called)]
        self.units = [of.units[k] for k in range(len(names))] if of.units else None
        self.labels, self.index_name = labels or (None, None)  # those of a frame's index
        self.center = copy_from(of.center, len(names)) if of.center else None
        self.inputs = copied(of.inputs, len(names)) if of.inputs else None
        self.background = others(of.background, len(names)) if shown else None
        self.raw_notes = [of.notes[i] for i in range(of.n_notes)]
        writing = [one.writing for one in self.inputs or ()]
        self.text_inputs = np.array([one == LEVEL for one in writing], dtype=bool)
        self.backs = backs if backs is not None else [
            by_names(Kind(one)) for one in self.inputs] if any(writing) else []

    def __getstate__(self) -> Dict[str, Any]:
        """For scores, which need no inputs."""
        return {**self.__dict__, "inputs": None, "backs": [], "background": None}

    @property
    def notes(self) -> List[str]:
        return [decoded(note) or "" for note in self.raw_notes]

    def text(self, field: str) -> Optional[str]:
        return decoded(self.given[field])

    def name(self, row: int) -> str:
        return str(row) if self.ids is None else self.ids.get(row, str(row))

    def index(self, rows: Sequence[int]) -> Dict[str, Any]:
        """The labels of these rows, where all have some, for a frame about them."""
        if self.labels is None or any(row not in self.labels for row in rows):
            return {}
        return {"labels": [self.labels[row] for row in rows], "name": self.index_name}

    def shown(self, x: np.ndarray) -> np.ndarray:
        """Rows as the caller has them."""
        if not any(self.backs):
            return x
        out = x.astype(object)
        for k, back in enumerate(self.backs):
            if back is not None:
                out[:, k] = as_objects(back(x[:, k]))
        return out

    def info(self) -> s.ReportInfo:
        """The library's struct."""
        info = options(s.ReportInfo, "report_info")
        for name, value in self.given.items():
            setattr(info, name, value)
        info.features, info.center = texts(self.names), address(self.center)
        if self.called is not None:
            info.features = (ctypes.c_char_p * len(self.called))(*self.called)
        if self.units is not None:
            info.units = (ctypes.c_char_p * len(self.units))(*self.units)
        if self.ids is not None:
            rows = sorted(self.ids)
            info.ids = texts([self.ids[row] for row in rows])
            info.id_rows, info.n_ids = (ctypes.c_size_t * len(rows))(*rows), len(rows)
        if self.inputs is not None:
            info.inputs = self.inputs
        if self.background is not None:
            info.others = options(s.Background, "background")  # kept as long as info
            for name, value in self.background.items():
                setattr(info.others, name, address(value) if isinstance(value, np.ndarray)
                        else value)
            info.background = ctypes.addressof(info.others)
        info.notes = (ctypes.c_char_p * len(self.raw_notes))(*self.raw_notes)
        info.n_notes = len(self.raw_notes)
        return info


class Saved(Handle):
    """A result of the command, read from its JSON."""

    def __init__(self, text: Union[str, bytes], kind: int, what: str) -> None:
        self.text = text if isinstance(text, str) else text.decode("utf-8")
        raw = self.text.encode("utf-8", "surrogatepass")
        try:
            pointer = pointer_of("gpa_saved_parse", raw, len(raw), b"text")
        except (DataError, UnsupportedError) as error:
            raise ValueError(f"this is no {what}: {error}") from None
        super().__init__("gpa_saved_free", pointer)
        if library().gpa_saved_type(pointer) != kind:
            raise ValueError(f"this is no {what}, but another result")

    def origin(self, d: int) -> Origin:
        info = library().gpa_saved_info(self.pointer).contents
        ids = {int(info.id_rows[i]): decoded(info.ids[i]) or "" for i in range(info.n_ids)}
        return Origin(info, [decoded(info.features[k]) or "" for k in range(d)], ids,
                      self.text)


def with_notes(text: str, origin: Origin) -> str:
    """What is printed, and below it what one should know about the whole table."""
    return text + "".join(f"\nnote: {spoken(note.encode())}" for note in origin.notes)


class Filed:
    """What can be saved as the command saves it."""

    to_json: Callable[..., str]
    from_json: Any

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the JSON into a file; ``gpa report`` reads it, too."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self.to_json())

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> Any:
        """Reads what `save` or the command's ``--json`` wrote."""
        with open(path, encoding="utf-8", newline="\n") as file:
            return cls.from_json(file.read())


class Study:
    """The caller's model, rows and options, as a gpa_study."""

    def __init__(self, command: str, model: Any, X: Any, y: Any, given: Dict[str, Any],
                 feature_names: Any = None, threads: Any = None, batch: Any = None,
                 progress: Any = "never") -> None:
        if is_path(X) and y is None and given.get("native", True):
            try:  # what a file holds is known when it is open
                self.open(command, model, X, y, given, feature_names, threads, batch, progress)
                if not isinstance(self.model, TreesModel):
                    return
                self.call("gpa_study_open", self.pointer)
                self.opened = True
                if not self.written():
                    return
            except Exception:
                if not isinstance(getattr(self, "model", None), TreesModel):
                    raise
                # the model itself may take it, or say what is wrong
            given = {**given, "native": False}
        self.open(command, model, X, y, given, feature_names, threads, batch, progress)

    def written(self) -> bool:
        """Whether the numbers of an input stand for texts or dates."""
        return any(library().gpa_study_kind(self.pointer, k).contents.writing
                   for k in range(len(self.names)))

    def open(self, command: str, model: Any, X: Any, y: Any, given: Dict[str, Any],
             feature_names: Any, threads: Any, batch: Any, progress: Any) -> None:
        self.task = Task(LABELS[command], progress)
        self.handle = Handle("gpa_study_free", pointer_of("gpa_study_new", command.encode()))
        self.pointer, self.given = self.handle.pointer, dict(given)
        native = self.given.pop("native", None)
        self.model = as_model(model, False if command == "score" else native)
        self.callback: Optional[Callback] = None
        self.rows: Optional[Rows] = None
        self.command = command
        self.observed = self.single = self.opened = False
        self.outcome = self.given.get("target")
        self.names: List[str] = []
        self.tables: List[Handle] = []
        self.hand_over_rows(X, y, feature_names)
        if isinstance(self.model, TreesModel) and self.rows is not None and not (
                self.all_numbers() and (not self.model.read.scaled or self.all_doubles())
                and (not self.model.read.floats or self.all_floats())):
            self.model = self.model.called  # which knows what to make of others
        for name, value in {**self.model.given, **self.given}.items():
            if name not in LATER and name != "reference":
                self.set(name, value)
        self.hand_over_model(command, threads, batch)
        with self.model.alone:
            self.call("gpa_study_open_rows", self.pointer)
        self.n: int = library().gpa_study_rows(self.pointer)
        self.find_inputs()
        if self.given.get("reference") is not None:
            self.hand_over_reference(self.given["reference"])
        self.say_kinds()
        for name in LATER[1:]:
            if self.given.get(name) is not None:
                self.set(name, self.given[name])
        self.chosen = self.choose(self.given.get("rows"))

    def set(self, name: str, value: Any) -> None:
        if name == "set" and isinstance(value, dict):
            value = {column: self.word(column, one) for column, one in value.items()}
        found = values_of(name, value, self.names)
        if isinstance(found, np.ndarray):
            call("gpa_study_set_numbers", self.pointer, name.encode(), address(found),
                 len(found))
            return
        for text in found:
            call("gpa_study_set", self.pointer, name.encode(), encoded(text))

    def say_kinds(self) -> None:
        """What the types of a frame say, and the caller does not."""
        types = {} if self.rows is None else self.rows.types
        kinds = {name: types[name].said() for name in self.names
                 if name in types and name not in self.said()}
        if any(kinds.values()):
            self.set("kind", {name: kind for name, kind in kinds.items() if kind is not None})

    def word(self, column: Any, value: Any) -> str:
        """A value of an input, as the command would be told it; nothing where it is missing."""
        if value is None or value != value:
            return ""
        name = input_name("set", column, self.names)
        types = {} if self.rows is None else self.rows.types
        return types[name].word(value) if name in types else str(
            int(value) if isinstance(value, (bool, np.bool_)) else value)

    def table(self, rows: Rows, what: str) -> Any:
        """The library's copy of them, kept as long as the study."""
        handle = table_of(rows, what)
        self.tables.append(handle)
        return handle.pointer

    def call(self, name: str, *arguments: Any) -> None:
        """A function of the library that looks at the rows, or asks the model."""
        lib = library()
        self.task.call(name, *arguments)
        if self.callback is None:
            return
        asked = lib.gpa_model_rows(lib.gpa_study_model(self.pointer))
        if self.callback.failed:  # and the library did without
            self.callback.rows, self.callback.failed = asked, False
        if self.callback.rows != asked:
            raise RuntimeError("an exception was raised between gpa and the model; it is on "
                               "standard error")

    # What the caller gave -------------------------------------------------------------------

    def hand_over_rows(self, X: Any, y: Any, feature_names: Any) -> None:
        """The file, or a table of X with y as its last column."""
        target, name = self.given.get("target"), self.given.get("id")
        if isinstance(y, str):  # a column of X
            if target is not None:
                raise TypeError("y is a column's name, and target= names one, too")
            y, target = None, y
            self.given["target"] = self.outcome = target
        if is_path(X):
            call("gpa_study_set_file", self.pointer, os.fsencode(X))
            if y is None:
                return
        elif y is None and target is None:
            raise TypeError("y is missing: the observed outcomes, one per row of X, or the "
                            "name of their column (y='outcome')")
        if feature_names is None and y is not None and name is None:
            feature_names = self.known_names(X)
        rows = rows_of(X, "X", feature_names, name, bool(self.given.get("no_header")),
                       other=self.reference_frame(), said=self.said())
        if rows.n == 0:
            raise ValueError("X has no rows")
        if y is not None:
            called = str(target if target is not None else getattr(y, "name", None) or "y")
            while target is None and called in rows.names:
                called = f"observed {called}"
            check_labels(y, X, "y", "X")
            rows, self.outcome = rows.place(called, outcomes(y, rows.n)), called
        self.rows, self.single = rows, rows.single
        library().gpa_study_set_table(self.pointer, self.table(rows, "X"))

    def reference_frame(self) -> Any:
        """The reference, where it is a frame of pandas's."""
        given = self.given.get("reference")
        given = given[0] if isinstance(given, tuple) and given else given
        return given if is_frame(given) and is_pandas(given) else None

    def said(self) -> Dict[str, str]:
        """What the caller takes columns to be, by their names."""
        kind = self.given.get("kind")
        kind = kind.split(",") if isinstance(kind, str) else kind
        if isinstance(kind, (list, tuple)):
            kind = dict(str(one).rpartition("=")[::2] for one in kind)
        return {str(name): str(one) for name, one in (kind or {}).items()}

    def known_names(self, X: Any) -> Optional[List[str]]:
        """The names that the model knows, for an array that has none."""
        if (is_path(X) or is_frame(X) or is_stream(X) or is_exchanged(X)
                or hasattr(X, "to_numpy")):
            return None
        shape, names = np.shape(X), self.model.names
        return list(names) if names and shape and shape[-1] == len(names) else None

    def hand_over_model(self, command: str, threads: Any, batch: Any) -> None:
        lib, python = library(), not isinstance(self.model, Model)
        self.set("model", self.model.spec)
        if batch is not None:
            self.set("batch", whole("batch", batch))
        if threads is not None:
            self.set("threads", whole("threads", threads))
        if not python:
            self.model_handle = self.model.clone()  # type: ignore[union-attr]
            lib.gpa_study_set_model(self.pointer, self.model_handle.pointer)
            return
        if command == "explain" and self.given.get("marginals") is None:
            self.set("marginals", "surrogate")  # as for every model outside the library
        if command != "score":
            self.set("threads", 1)  # it is asked here, and nowhere else
        self.callback = self.task.callback = Callback(
            self.model.function)  # type: ignore[union-attr]
        known = self.model.names if len(self.model.names) == self.model.inputs else None
        self.known = texts(known) if known else None
        lib.gpa_study_set_predict(self.pointer, predict, self.task.number, self.model.inputs,
                                  self.known)

    def find_inputs(self) -> None:
        """The inputs that were chosen, by the caller's own names."""
        lib = library()
        found = [lib.gpa_study_input(self.pointer, k)
                 for k in range(lib.gpa_study_dim(self.pointer))]
        self.names = [decoded(name) or "" for name in found]
        if self.rows is None:
            labels = None
        else:
            place = {encoded(name): k for k, name in enumerate(self.rows.names)}
            self.names = [self.rows.names[place[name]] for name in found]
            labels = self.rows.labels and [self.rows.labels[place[name]] for name in found]
        if self.rows is not None:
            self.rows.check(self.names, "X")
        if self.callback is not None:
            self.callback.wrap = self.wrapper(labels)

    def wrapper(self, labels: Optional[List[Any]]) -> Optional[Callable[[Any], Any]]:
        """Rows of numbers as the model knows them. What texts and dates there are is settled
        when it is first asked."""
        types = {} if self.rows is None else self.rows.types
        usual = self.model.wrapper(labels)  # type: ignore[union-attr]
        floats = None if self.rows is None else self.rows.floats
        if floats is not None and floats != np.float64:  # scalers, for one, round as these
            return lambda x: (usual or np.asarray)(x.astype(floats))
        if self.rows is not None and all(types[name].plain for name in self.names
                                         if name in types) and not self.has_text():
            return usual

        def first(x: np.ndarray) -> Any:
            backs = self.backs(self.command == "compare")
            wrap = frame_of(self.names if labels is None else labels,
                            backs) if any(backs) else usual
            self.callback.wrap = wrap  # type: ignore[union-attr]
            return x if wrap is None else wrap(x)
        return first

    def all_numbers(self) -> bool:
        """Whether no column is anything else, in a type of NumPy's."""
        rows = self.rows
        return rows is not None and all(
            isinstance(kind, Numbers) and getattr(kind.dtype, "kind", "") in "fiub"
            and isinstance(kind.dtype, np.dtype) for kind in rows.types.values()) and not any(
            isinstance(column, list) for column in rows.columns)

    def all_doubles(self) -> bool:
        """Whether no column has shorter ones, in which scalers would compute."""
        types = [kind.dtype for name, kind in self.rows.types.items()  # type: ignore[union-attr]
                 if name != self.outcome]
        return all(one == np.float64 or one.kind != "f"
                   for one in (*types, self.rows.floats or np.dtype(np.float64)))

    def all_floats(self) -> bool:
        """Whether no number is too large for a float, also once it is scaled."""
        return not any(np.nanmax(np.abs(column), initial=0) > LARGE
                       for name, column in zip(self.rows.names,  # type: ignore[union-attr]
                                               self.rows.columns)
                       if isinstance(column, np.ndarray) and column.dtype.kind in "fiu"
                       and name != self.outcome)

    def has_text(self) -> bool:
        """Whether a column came as text without a type."""
        rows = self.rows
        return rows is not None and any(isinstance(rows.columns[rows.names.index(name)], list)
                                        for name in self.names)

    def kinds(self) -> List[Kind]:
        """What the inputs are, once the study is open or asks its model."""
        return [Kind(library().gpa_study_kind(self.pointer, k).contents)
                for k in range(len(self.names))]

    def backs(self, numbers: bool = False) -> List[Optional[Back]]:
        """From numbers to the caller's values, of each input. `numbers`: fractions of whole
        ones may be asked for, too."""
        found: List[Optional[Back]] = []
        types = {} if self.rows is None else self.rows.types
        steps = {name for option in ("freeze", "integer") if self.given.get(option) is not None
                 for text in values_of(option, self.given[option], self.names)
                 for name in str(text).split(",")}  # which the kinds do not say at first
        for k, (name, kind) in enumerate(zip(self.names, self.kinds())):
            kind.kind = "number" if numbers else "whole" if name in steps else kind.kind
            found.append(types[name].back(kind, lambda k=k: self.column(k))
                         if name in types else by_names(kind))
        return found

    def column(self, k: int) -> np.ndarray:
        """The numbers of one input."""
        start = library().gpa_study_x(self.pointer)
        return copy_from(start, self.n, len(self.names))[:, k].copy()

    def hand_over_reference(self, given: Any) -> None:
        y = None
        if isinstance(given, tuple):
            if len(given) != 2:
                raise TypeError("reference is rows X, or a pair (X, y)")
            given, y = given
        self.observed = y is not None
        if self.n < 5 and self.given.get("scale") is None and not self.observed:
            self.given["scale"] = "reference"  # so few rows have no units of their own
        if is_path(given) and y is None:
            self.set("reference", given)
            return
        rows = rows_of(given, "reference", no_header=bool(self.given.get("no_header")),
                       types=self.rows.types if self.rows is not None else None)
        target = decoded(library().gpa_study_target(self.pointer)) or "y"
        if isinstance(y, str):
            if y not in rows.names and target.partition(" [")[0] == y:
                y = target  # the library found it without its unit
            y = rows.numbers(y, "reference")
        if not rows.named:
            if len(rows.names) != len(self.names):
                raise ValueError(f"the reference has {len(rows.names)} columns, X has "
                                 f"{len(self.names)} inputs")
            rows.names = list(self.names)
        rows.check(self.names, "reference")
        if y is not None:
            check_labels(y, given, "the reference's y", "its X")
            rows = rows.place(target, outcomes(y, rows.n, "reference y"))
        self.set("reference", f"{rows.n} rows")
        library().gpa_study_set_reference(self.pointer, self.table(rows, "reference"),
                                          self.observed)

    def choose(self, rows: Any) -> Optional[Sequence[int]]:
        """The rows in the caller's own order; None: the library chooses."""
        index = None if self.rows is None else self.rows.index
        chosen = None if rows is None else row_numbers(rows, self.n, index)
        if rows is not None and chosen != ():
            self.set("rows", rows if chosen is None else ",".join(map(str, chosen)))
        return chosen

    # What the library finds -----------------------------------------------------------------

    def answer(self, question: Callable[[], Any], outer: int = 4) -> Any:
        """Opens it, the first time, and asks. A model in Python is asked on this thread; for others this
        thread waits and can be interrupted. Warnings point `outer` frames up, to whoever
        called gpa.explain."""
        def work() -> Any:
            with self.model.alone:
                self.tell_inputs()
                if not self.opened:
                    self.call("gpa_study_open", self.pointer)
                self.opened = True
                return question()
        self.task.callback = self.callback  # also when it is asked again
        with self.task as task:
            found = work() if self.callback is not None else task.aside(work)
        for note in texts_of(library().gpa_study_note, self.pointer):
            if not note.startswith(USUAL):
                warnings.warn(spoken(note), stacklevel=outer)
        return found

    def tell_inputs(self) -> None:
        """Tells a model outside this process, which others may have asked since, how this
        question's inputs are called."""
        lib = library()
        if isinstance(self.model, Model) and not self.model.in_process:
            d = lib.gpa_study_dim(self.pointer)
            call("gpa_model_set_inputs", self.model_handle.pointer, d, (ctypes.c_char_p * d)(
                *[lib.gpa_study_input(self.pointer, k) for k in range(d)]))

    def show_progress(self, jobs: int) -> None:
        """Tells how many of several jobs are done; a single one is not slowed by it."""
        self.task.total = jobs
        if jobs > 1:
            library().gpa_study_set_progress(self.pointer, told, self.task.number)

    def chosen_rows(self) -> List[int]:
        n = ctypes.c_size_t()
        start = library().gpa_study_chosen(self.pointer, n)
        return [Row(row) for row in (ctypes.c_size_t * n.value).from_address(
            start)] if n.value else []

    def explanations(self, rows: Sequence[int], together: bool) -> List[Item]:
        """Of each row, or one of all."""
        jobs = 1 if together and rows else len(rows)
        numbers, out = np.array(rows, dtype=np.uintp), (ctypes.c_void_p * jobs)()
        self.show_progress(jobs)
        if jobs:
            self.call("gpa_study_explanations", self.pointer, address(numbers), len(rows),
                      together, out)
        return [Item(ctypes.c_void_p(one)) for one in out]

    def comparison(self, rows: Sequence[int]) -> Handle:
        """Every method on each row."""
        numbers, out = np.array(rows, dtype=np.uintp), ctypes.c_void_p()
        self.show_progress(len(rows) + 1)  # by methods, too: never one job
        self.call("gpa_study_compare", self.pointer, address(numbers), len(rows), out)
        return Handle("gpa_comparison_free", out)

    def array(self, what: str) -> np.ndarray:
        """y, f or score of every row."""
        return copy_from(getattr(library(), f"gpa_study_{what}")(self.pointer), self.n)

    def origin(self, rows: Sequence[int]) -> Origin:
        """What reports say; the names of these rows."""
        info = library().gpa_study_info(self.pointer).contents
        ids: Optional[Dict[int, str]] = None
        labels = None
        if info.ids:
            ids = {row: decoded(info.ids[row]) or "" for row in rows}
        elif self.rows is not None and self.rows.ids is not None:
            ids = {row: self.rows.ids[row] for row in rows}
            labels = {row: self.rows.index[row] for row in rows}, self.rows.index.name
        text = self.written()
        origin = Origin(info, self.names, ids, backs=[
            back if kind.writing != NUMBER else None
            for back, kind in zip(self.backs(), self.kinds())] if text else [],
            labels=labels, shown=self.command == "explain")
        if isinstance(self.model, TreesModel):
            origin.raw_notes.append(self.model.note.encode())
        return origin

    def usable(self) -> List[int]:
        """The rows that were not left out."""
        return np.flatnonzero(np.isfinite(self.array("y")) & np.isfinite(
            self.array("f"))).tolist()
