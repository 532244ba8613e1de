"""Arrow streams and exchanged frames: what polars, pyarrow and DuckDB hand over."""
import ctypes
import csv
import json
import unittest
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p, py_object

from support import MODEL, SPOILT, command, needs, np

import gpa


class Schema(Structure):
    pass


class Array(Structure):
    pass


class Stream(Structure):
    pass


FREE_SCHEMA, FREE_ARRAY = CFUNCTYPE(None, POINTER(Schema)), CFUNCTYPE(None, POINTER(Array))
FREE_STREAM = CFUNCTYPE(None, POINTER(Stream))
Schema._fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p),
                   ("flags", c_int64), ("n_children", c_int64),
                   ("children", POINTER(POINTER(Schema))), ("dictionary", POINTER(Schema)),
                   ("release", FREE_SCHEMA), ("private_data", c_void_p)]
Array._fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64),
                  ("n_buffers", c_int64), ("n_children", c_int64), ("buffers", POINTER(c_void_p)),
                  ("children", POINTER(POINTER(Array))), ("dictionary", POINTER(Array)),
                  ("release", FREE_ARRAY), ("private_data", c_void_p)]
GET_SCHEMA = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))
GET_NEXT = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))
LAST_ERROR = CFUNCTYPE(c_void_p, POINTER(Stream))
Stream._fields_ = [("get_schema", GET_SCHEMA), ("get_next", GET_NEXT),
                   ("get_last_error", LAST_ERROR), ("release", FREE_STREAM),
                   ("private_data", c_void_p)]


class Producer:
    """Batches of columns: (name, format, [buffers of a batch], nulls, dictionary)."""

    def __init__(self, columns, lengths, fails=None):
        self.columns, self.lengths, self.fails = columns, lengths, fails
        self.kept, self.released = [], []

    def keep(self, thing):
        self.kept.append(thing)
        return thing

    def schema(self, format, name, children=(), dictionary=None):
        out = self.keep(Schema(format.encode(), name.encode(), n_children=len(children),
                               release=self.free_schema))
        if children:
            out.children = self.keep((POINTER(Schema) * len(children))(
                *[ctypes.pointer(c) for c in children]))
        if dictionary is not None:
            out.dictionary = ctypes.pointer(dictionary)
        return out

    def array(self, length, buffers, children=(), nulls=0, offset=0, dictionary=None):
        out = self.keep(Array(length, nulls, offset, len(buffers), len(children),
                              release=self.free_array))
        out.buffers = self.keep((c_void_p * max(1, len(buffers)))(
            *[None if b is None else self.keep(b).ctypes.data for b in buffers]))
        if children:
            out.children = self.keep((POINTER(Array) * len(children))(
                *[ctypes.pointer(c) for c in children]))
        if dictionary is not None:
            out.dictionary = ctypes.pointer(dictionary)
        return out

    def __arrow_c_stream__(self, requested_schema=None):
        batch = iter(range(len(self.lengths)))
        free = lambda which, kind: lambda at: (  # noqa: E731
            self.released.append(which), setattr(at.contents, "release", kind()))[0]
        self.free_schema = self.keep(FREE_SCHEMA(free("schema", FREE_SCHEMA)))
        self.free_array = self.keep(FREE_ARRAY(free("array", FREE_ARRAY)))

        def get_schema(_, out):
            children = [self.schema(c[1], c[0], dictionary=None if len(c) < 5 else self.schema(
                c[4][0], "")) for c in self.columns]
            out[0] = self.schema("+s", "", children)
            return 0

        def get_next(_, out):
            k = next(batch, None)
            if self.fails is not None and k == len(self.lengths) - 1:
                return 5
            if k is None:
                ctypes.memset(out, 0, ctypes.sizeof(Array))
                return 0
            children = []
            for c in self.columns:
                words = None
                if len(c) > 4:
                    words = self.array(c[4][1], c[4][2])
                children.append(self.array(self.lengths[k], c[2][k], nulls=c[3],
                                           dictionary=words))
            out[0] = self.array(self.lengths[k], [None], children)
            return 0

        stream = self.keep(Stream(
            self.keep(GET_SCHEMA(get_schema)), self.keep(GET_NEXT(get_next)),
            self.keep(LAST_ERROR(lambda _: ctypes.cast(c_char_p(self.fails), c_void_p).value)),
            self.keep(FREE_STREAM(free("stream", FREE_STREAM)))))
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
        return make(ctypes.addressof(stream), b"arrow_array_stream", None)


def split(values, lengths, wrap):
    out, at = [], 0
    for n in lengths:
        out.append(wrap(values[at:at + n]))
        at += n
    return out


def doubles(name, values, lengths):
    return (name, "g", split(np.asarray(values, float), lengths,
                             lambda v: [None, np.array(v)]), 0)


def spoilt():
    with open(SPOILT) as from_:
        rows = list(csv.reader(from_))
    return rows[0], np.array(rows[1:], dtype=float)


class Streams(unittest.TestCase):
    def explain(self, producer, **more):
        return gpa.explain(str(MODEL), producer, y="progression", rows=[10], **more)

    def test_same_answer(self):
        names, table = spoilt()
        lengths = [40, 0, len(table) - 40]
        producer = Producer([doubles(n, table[:, k], lengths) for k, n in enumerate(names)],
                            lengths)
        got = json.loads(self.explain(producer).to_json())
        want = json.loads(command("explain", "--model", MODEL, "--target", "progression",
                                  "--rows", "10", "--json", SPOILT))
        self.assertEqual(got["explanations"], want["explanations"])
        self.assertEqual(producer.released.count("stream"), 1)
        self.assertEqual(producer.released.count("array"), 3)

    def test_types(self):
        from gpa._data import rows_of
        bits = np.packbits([1, 0, 1, 1, 0], bitorder="little")
        text = b"redblue\xc3\xa9"
        views = np.zeros((5, 16), np.uint8)
        for k, word in enumerate([b"", b"short", b"twelve bytes", b"more than twelve", b"x"]):
            views[k, :4] = np.frombuffer(np.int32(len(word)).tobytes(), np.uint8)
            if len(word) <= 12:
                views[k, 4:4 + len(word)] = np.frombuffer(word, np.uint8)
        more = np.frombuffer(b"....more than twelve", np.uint8)
        views[3, 12:16] = np.frombuffer(np.int32(4).tobytes(), np.uint8)
        offsets = np.array([0, 3, 3, 7, 9, 9], np.int32)
        decimals = b"".join(int(v).to_bytes(16, "little", signed=True)
                            for v in (12345, -1, 0, 10**30, -10**20))
        words = ("u", 2, [None, np.array([0, 2, 5], np.int32), np.frombuffer(b"nosur", np.uint8)])
        one = [
            ("small", "c", [[None, np.array([-1, 2, 3, 4, 127], np.int8)]], 0),
            ("large", "L", [[None, np.array([1, 2**63, 3, 4, 5], np.uint64)]], 0),
            ("gaps", "i", [[bits, np.array([1, 2, 3, 4, 5], np.int32)]], 2),
            ("real", "g", [[bits, np.array([1.5, 2, 3, 4, 5])]], 2),
            ("half", "e", [[None, np.array([1, 2, 3, 0.5, 5], np.float16)]], 0),
            ("truth", "b", [[None, bits]], 0),
            ("text", "u", [[None, offsets, np.frombuffer(text, np.uint8)]], 0),
            ("view", "vu", [[None, views, more]], 0),
            ("date", "tdD", [[None, np.array([0, 1, -1, 19782, 5], np.int32)]], 0),
            ("stamp", "tsu:UTC", [[None, np.array([0, 1, 86400000000, 1500000, -1])]], 0),
            ("days", "tsu:UTC", [[None, np.array([0, 1, -1, 2, 3]) * 86400000000]], 0),
            ("clock", "ttm", [[None, np.array([0, 1500, 3, 4, 5], np.int32)]], 0),
            ("decimal", "d:38,2", [[None, np.frombuffer(decimals, np.uint8)]], 0),
            ("word", "c", [[bits, np.array([0, 1, 1, 0, 0], np.int8)]], 2, words),
            ("nothing", "n", [[]], 5),
        ]
        rows = rows_of(Producer(one, [5]), "X")
        got = {n: c if isinstance(c, list) else c.tolist()
               for n, c in zip(rows.names, rows.columns)}
        nan = float("nan")
        want = {"small": [-1, 2, 3, 4, 127], "large": [1, 2.0**63, 3, 4, 5],
                "gaps": [1, nan, 3, 4, nan], "real": [1.5, nan, 3, 4, nan],
                "half": [1, 2, 3, 0.5, 5], "truth": [1, 0, 1, 1, 0],
                "text": ["red", None, "blue", "\u00e9", None],
                "view": [None, "short", "twelve bytes", "more than twelve", "x"],
                "date": ["1970-01-01", "1970-01-02", "1969-12-31", "2024-02-29", "1970-01-06"],
                "stamp": ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000001Z",
                          "1970-01-02T00:00:00Z", "1970-01-01T00:00:01.5Z",
                          "1969-12-31T23:59:59.999999Z"],
                "days": ["1970-01-01", "1970-01-02", "1969-12-31", "1970-01-03", "1970-01-04"],
                "clock": [0, 1.5, 0.003, 0.004, 0.005],
                "decimal": [123.45, -0.01, 0, 1e28, -1e18],
                "word": ["no", None, "sur", "no", None], "nothing": [nan] * 5}
        for name in want:
            self.assertEqual(repr(got[name]), repr([
                float(v) if isinstance(v, int) else v for v in want[name]]), name)

    def test_refused(self):
        names, table = spoilt()
        with self.assertRaisesRegex(gpa.DataError, 'column "many" is of Arrow\'s type \\+l'):
            self.explain(Producer([("many", "+l", [[None, np.zeros(2, np.int32)]], 0)], [1]))
        columns = [doubles(n, table[:, k], [40, 40]) for k, n in enumerate(names)]
        with self.assertRaisesRegex(gpa.DataError, "the Arrow stream failed: out of luck"):
            self.explain(Producer(columns, [40, 40], fails=b"out of luck"))
        with self.assertRaisesRegex(gpa.DataError, "no rows"):
            self.explain(Producer(columns, []))


class Exchanged(unittest.TestCase):
    @needs("pandas")
    def test_frame(self):
        import pandas as pd

        class Foreign:
            def __init__(self, frame):
                self.frame = frame

            def __dataframe__(self, nan_as_null=False, allow_copy=True):
                return self.frame.__dataframe__(nan_as_null, allow_copy)

        frame = pd.read_csv(SPOILT, dtype=float)
        ask = dict(y="progression", rows=[10])
        self.assertEqual(gpa.explain(str(MODEL), Foreign(frame), **ask).to_json(),
                         gpa.explain(str(MODEL), frame, **ask).to_json())


if __name__ == "__main__":
    unittest.main()
