"""A Python model as a child process of gpa: exec:python3 -m gpa.worker MODEL

MODEL is one of

    model.joblib, model.pkl   a saved model: anything with predict(X), or callable
    package.module:name       a function, or an object with predict, that can be imported
    file.py:name              the same in a file

It is asked for many rows at once: X is a NumPy array of shape (rows, inputs), of doubles,
and one prediction per row is expected. It is a pandas data frame for a model that was
fitted on one, and when there are texts or dates among the inputs: texts as objects,
"True" and "False" as pandas reads them, dates as datetime64, missing ones as NaN and NaT.
A file is a program: unpickling or importing one runs what is in it. docs/connect/exec.md
describes the frames that go to and fro.
"""
import argparse
import importlib
import importlib.util
import os
import struct
import sys
import warnings

VERSION = 2  # takes texts, when it is told what stands for them
MOST_TEXT = 65536  # bytes of an error message
MOST_KINDS = 1 << 27  # bytes that may tell what the inputs are
NUMBER, TEXT, DATE, TIME = range(4)
TRUTH = {word: truth for truth in (True, False) for word in
         (str(truth), str(truth).lower(), str(truth).upper())}


def one_thread():
    """gpa starts as many workers as it has threads; more threads in each would fight."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                 "BLIS_NUM_THREADS", "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")


def take_stdio():
    """Descriptors for the frames; whatever prints from now on prints to standard error."""
    read, write = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)
    os.close(nowhere)
    return read, write


def load_file(path):
    try:
        import joblib
    except ImportError:
        if path.endswith(".joblib"):
            raise
        import pickle
        with open(path, "rb") as file:
            return pickle.load(file)
    return joblib.load(path)  # reads plain pickles, too


def load_name(where, name):
    if where.endswith(".py"):
        sys.path.insert(0, os.path.dirname(os.path.abspath(where)))
        spec = importlib.util.spec_from_file_location(os.path.basename(where)[:-3], where)
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(spec.name, module)
        spec.loader.exec_module(module)
    else:
        sys.path.insert(0, os.getcwd())
        module = importlib.import_module(where)
    found = module
    for part in name.split("."):
        found = getattr(found, part)
    return found


def load(model):
    where, colon, name = model.rpartition(":")
    if colon and name and not os.path.exists(model):
        return load_name(where, name)
    if not os.path.exists(model):
        raise SystemExit(f"{model}: no such file; a function is MODULE:NAME or FILE.py:NAME")
    return load_file(model)


def load_here(model):
    """With this Python, which may not be the one that the model was made with."""
    try:
        return load(model)
    except ModuleNotFoundError as problem:
        raise SystemExit(f"{model}: {problem}: write the path of the python that has it, "
                         "exec:/path/to/python3 -m gpa.worker ...")


def parts_of(loaded):
    """It, and what is inside a search or a pipeline."""
    yield loaded
    if getattr(loaded, "best_estimator_", None) is not None:
        yield from parts_of(loaded.best_estimator_)
    steps = getattr(loaded, "steps", None)
    for step in steps if isinstance(steps, list) else []:
        if isinstance(step, tuple) and len(step) == 2:
            yield from parts_of(step[1])
    if getattr(loaded, "regressor_", None) is not None:
        yield from parts_of(loaded.regressor_)


def encoded_texts(loaded):
    """By column: the levels that an encoder was fitted with, where all of them are text.
    "80331" stands in a file as 80331 does, and an encoder of texts knows no numbers."""
    found = {}
    for part in parts_of(loaded):
        for one in getattr(part, "transformers_", None) or []:
            _, inside, columns = one
            columns = [columns] if isinstance(columns, str) else columns
            lists = [p.categories_ for p in parts_of(inside) if hasattr(p, "categories_")]
            if not lists or isinstance(columns, slice) or len(columns) != len(lists[0]):
                continue
            for column, levels in zip(columns, lists[0]):
                known = [v for v in levels if v is not None and v == v]
                if known and all(isinstance(v, str) for v in known) and isinstance(column, str):
                    found[column] = known
    return found


def as_texts(name, values, levels):
    """Numbers as the levels that they are, written as they were."""
    import numpy as np
    written = {}
    for level in levels:
        try:
            written.setdefault(float(level), level)
        except ValueError:
            pass
    out = np.empty(len(values), dtype=object)
    out[:] = np.nan
    for i in np.flatnonzero(~np.isnan(values)):
        v = float(values[i])
        text = written.get(v) or format(v, ".15g")
        if not v.is_integer() and len(text) > 10:  # nobody wrote that
            raise ValueError(f"column {name!r} held text when the model was fitted "
                             f"({levels[0]!r}, ...), and {v:g} is between its levels: "
                             f"say --kind {name}=choice")
        out[i] = text
    return out


class Column:
    """One input: what the numbers that stand for it mean."""

    def __init__(self, writing, name, codes, texts):
        import numpy as np
        if writing not in (NUMBER, TEXT, DATE, TIME):
            raise ValueError(f"column {name!r}: a kind of input that this worker does not "
                             "know; it is older than gpa")
        self.writing, self.name, self.codes = writing, name, np.asarray(codes)
        self.truth = bool(texts) and all(text in TRUTH for text in texts)
        values = [TRUTH[text] for text in texts] if self.truth else texts
        self.values = np.empty(len(values) + 1, dtype=object)
        self.values[:] = [*values, np.nan]

    def texts(self, v, missing):
        import numpy as np
        place = np.minimum(np.searchsorted(self.codes, v), len(self.codes))
        place[missing] = len(self.codes)
        known = np.append(self.codes, np.nan)[place] == v
        if not np.all(known | missing):
            wrong = v[~(known | missing)][0]
            raise ValueError(f"column {self.name!r}: {wrong:g} is the code of no level")
        values = self.values[place]
        return values.astype(bool) if self.truth and not missing.any() else values

    def restore(self, v):
        """The column as it was before it became numbers."""
        import numpy as np
        missing = np.isnan(v)
        if self.writing == NUMBER:
            return v
        if self.writing == TEXT:
            return self.texts(v, missing)
        whole = np.where(missing, 0, np.floor(v)).astype(np.int64)
        when = whole.astype("datetime64[D]" if self.writing == DATE else "datetime64[s]")
        when[missing] = np.datetime64("NaT")
        return when


def read_columns(body, count):
    """What the frame GPAK says of `count` inputs: writing, name, and levels each."""
    at, columns = 0, []

    def take(form):
        nonlocal at
        values = struct.unpack_from(form, body, at)
        at += struct.calcsize(form)
        return values[0]

    def text():
        size = take("<I")
        return take(f"<{size}s").decode("utf-8", "replace")

    for _ in range(count):
        writing, name, levels = take("<I"), text(), take("<I")
        pairs = [(take("<d"), text()) for _ in range(levels)]
        columns.append(Column(writing, name, [c for c, _ in pairs], [t for _, t in pairs]))
    if at != len(body):
        raise ValueError(f"{len(body) - at} bytes too many say what the inputs are")
    return columns


class Model:
    """predict(X) of whatever was loaded, with what it tells about its inputs."""

    def __init__(self, loaded, inputs=None):
        self.function = getattr(loaded, "predict", loaded)
        if not callable(self.function):
            raise SystemExit(f"{type(loaded).__name__}: has no predict and is no function")
        for part in parts_of(loaded):
            if getattr(part, "n_jobs", None) not in (None, 1):
                part.n_jobs = 1
        self.names = self.names_of(loaded)
        self.inputs = int(getattr(loaded, "n_features_in_", 0) or len(self.names))
        if inputs is not None:
            if self.inputs not in (0, inputs):
                raise SystemExit(f"--inputs {inputs}, but the model takes {self.inputs}")
            self.inputs = inputs
        self.frame = self.frame_type() if self.names else None
        self.encoded = encoded_texts(loaded) if self.names else {}
        self.columns = None  # until there are texts or dates among them

    @staticmethod
    def names_of(loaded):
        """The names it was fitted with; none if they could not be told apart again."""
        names = getattr(loaded, "feature_names_in_", None)
        names = [] if names is None else [str(name) for name in names]
        return [] if any(set(name) & set("\n\0") for name in names) else names

    @staticmethod
    def frame_type():
        """Models fitted with names want them back; without pandas they go without."""
        try:
            from pandas import DataFrame
        except ImportError:
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            return None
        return DataFrame

    def restored(self, x):
        """The rows as a data frame, with texts and dates where numbers stand for them."""
        from pandas import DataFrame
        if x.shape[1] != len(self.columns):
            raise ValueError(f"{x.shape[1]} inputs, {len(self.columns)} were announced")
        frame = DataFrame({k: c.restore(x[:, k]) for k, c in enumerate(self.columns)})
        names = self.names or [c.name for c in self.columns]
        if any(names):
            frame.columns = names
        return frame

    def predict(self, x):
        import numpy as np
        rows = len(x)
        if self.columns is not None:
            x = self.restored(x)
        elif self.frame is not None:
            x = self.frame(x, columns=self.names)
        for name in self.encoded if hasattr(x, "columns") else ():
            if x[name].dtype.kind == "f":
                x[name] = as_texts(name, x[name].to_numpy(), self.encoded[name])
        y = self.function(x)
        if isinstance(y, np.ma.MaskedArray):  # masked: no prediction
            y = y.astype(np.float64).filled(np.nan)
        y = np.asarray(y)
        if y.dtype.kind == "c":
            raise TypeError("the model gives complex numbers; real ones are wanted")
        y = y.astype(np.float64, copy=False)
        if y.shape not in ((rows,), (rows, 1)):
            raise ValueError(f"one prediction per row is wanted, shape ({rows},), "
                             f"but the model gives shape {y.shape}")
        return y.reshape(rows)


def read_exactly(read, view):
    """Fills a memoryview; False at the end of the input."""
    done = 0
    while done < len(view):
        count = os.readv(read, [view[done:]])
        if count == 0:
            return False
        done += count
    return True


def write_all(write, *pieces):
    pieces = [memoryview(piece) for piece in pieces]
    while pieces:
        count = os.writev(write, pieces)
        while pieces and count >= len(pieces[0]):
            count -= len(pieces.pop(0))
        if pieces:
            pieces[0] = pieces[0][count:]


def hello(model):
    names = "".join(name + "\n" for name in model.names).encode()
    return struct.pack("<4s3I", b"GPAH", VERSION, model.inputs, len(names)) + names


def answer(write, model, x):
    """Predictions, or what went wrong in one line."""
    try:
        y = model.predict(x)
    except Exception as error:  # the model's, whatever it is: gpa reports it
        text = f"{type(error).__name__}: {error}".encode("utf-8", "replace")[:MOST_TEXT]
        write_all(write, struct.pack("<4s2I", b"GPAR", 0, len(text)), text)
    else:
        write_all(write, struct.pack("<4s2I", b"GPAR", len(y), 0), y.astype("<f8").tobytes())


def hear_columns(read, count, size):
    if size > MOST_KINDS:
        raise SystemExit(f"{size} bytes to say what the inputs are, {MOST_KINDS} at most")
    body = bytearray(size)
    if not read_exactly(read, memoryview(body)):
        raise SystemExit("the input ends while it says what the inputs are")
    return read_columns(body, count)


def serve(read, write, model):
    """Answers until gpa hangs up."""
    import numpy as np
    head = bytearray(12)
    write_all(write, hello(model))
    while read_exactly(read, memoryview(head)):
        magic, rows, inputs = struct.unpack("<4s2I", head)
        if magic == b"GPAK":
            model.columns = hear_columns(read, count=rows, size=inputs)
            continue
        if magic != b"GPAQ":
            raise SystemExit(f"expected a request (GPAQ), got {magic!r}")
        x = np.empty(rows * inputs, dtype="<f8")
        if not read_exactly(read, memoryview(x.view(np.uint8))):
            break
        answer(write, model, x.astype(np.float64, copy=False).reshape(rows, inputs))


def main():
    parser = argparse.ArgumentParser(prog="gpa.worker", usage="exec:python3 -m gpa.worker "
                                     "MODEL [--inputs N]", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("--inputs", type=int, metavar="N", help="how many inputs a row has, "
                        "for a model that does not say so itself")
    args = parser.parse_args()
    one_thread()
    if os.isatty(0) or os.isatty(1):
        parser.error("this is for gpa to start: gpa score --model 'exec:python3 -m "
                     "gpa.worker MODEL' ...")
    read, write = take_stdio()
    try:
        serve(read, write, Model(load_here(args.model), args.inputs))
    except (BrokenPipeError, KeyboardInterrupt):
        return 1  # gpa has gone
    return 0


if __name__ == "__main__":
    sys.exit(main())
