"""A Python model as a child process of gpa: exec:python3 -m gpa.worker MODEL

MODEL is one of

    model.joblib, model.pkl   a saved model: anything with predict(X), or callable
    package.module:name       a function, or an object with predict, that can be imported
    file.py:name              the same in a file

It is asked for many rows at once: X is a NumPy array of shape (rows, inputs), of doubles,
and one prediction per row is expected. A file is a program: unpickling or importing one
runs what is in it. docs/connect/exec.md describes the frames that go to and fro.
"""
import argparse
import importlib
import importlib.util
import os
import struct
import sys
import warnings

VERSION = 1
MOST_TEXT = 65536  # bytes of an error message


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
            raise SystemExit(f"{path}: needs the module joblib")
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


def parts_of(loaded):
    """It, and what is inside a search or a pipeline."""
    yield loaded
    if getattr(loaded, "best_estimator_", None) is not None:
        yield from parts_of(loaded.best_estimator_)
    steps = getattr(loaded, "steps", None)
    for step in steps if isinstance(steps, list) else []:
        if isinstance(step, tuple) and len(step) == 2:
            yield from parts_of(step[1])


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

    def predict(self, x):
        import numpy as np
        rows = len(x)
        if self.frame is not None:
            x = self.frame(x, columns=self.names)
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


def serve(read, write, model):
    """Answers until gpa hangs up."""
    import numpy as np
    head = bytearray(12)
    write_all(write, hello(model))
    while read_exactly(read, memoryview(head)):
        magic, rows, inputs = struct.unpack("<4s2I", head)
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
        serve(read, write, Model(load(args.model), args.inputs))
    except (BrokenPipeError, KeyboardInterrupt):
        return 1  # gpa has gone
    return 0


if __name__ == "__main__":
    sys.exit(main())
