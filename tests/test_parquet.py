#!/usr/bin/env python3
"""Parquet files of every type and encoding, written by parquet_support and by other people's
writers (tests/data/parquet), read by the library: the values are those that were written.

    test_parquet.py ROOT BUILD
"""
import datetime
import decimal
import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import parquet_support as pq  # noqa: E402
from parquet_support import check  # noqa: E402
from parquet_support import I8, I32, Struct, column  # noqa: E402

root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
N = 1000
draw = random.Random(1)


def dump(path, *more):
    done = subprocess.run([build / "tests/table_dump", path, *more], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    check(done.returncode in (0, 1) and not done.stderr,
          "%s: exit %d: %s" % (path, done.returncode, done.stderr.decode()))
    text = done.stdout.decode()
    if done.returncode:
        return text.rstrip("\n")
    rows = [json.loads(line) for line in text.splitlines()]
    return {row[0]: row[1:] for row in rows}


def with_gaps(values):
    return [None if draw.random() < 0.2 else v for v in values]


def same(got, want):
    return len(got) == len(want) and all(
        a == b or (a is None and isinstance(b, float) and math.isnan(b)) for a, b in zip(got, want))


def text_of(values):
    return ["" if v is None else v for v in values]


def date_text(days):
    return str(datetime.date(1970, 1, 1) + datetime.timedelta(days))


def stamp_text(micros, z):
    found = (datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=micros)).isoformat()
    return (found.rstrip("0") if "." in found else found) + z


def stamps(values, z):
    """Times as other files have them: dates where all are midnight."""
    if all(m is None or m % 86400000000 == 0 for m in values):
        return text_of([None if m is None else date_text(m // 86400000000) for m in values])
    return text_of([None if m is None else stamp_text(m, z) for m in values])


WHOLE32 = [draw.randrange(-2**31, 2**31) for _ in range(N - 3)] + [-2**31, 2**31 - 1, 0]
STEPS = [k * k - 3000 for k in range(N)]
WHOLE64 = [draw.randrange(-2**53, 2**53) for _ in range(N)]
FAR64 = [-2**63 if k % 3 else 2**63 - 1 - k for k in range(N)]
REALS = [draw.gauss(0, 1) * 10**draw.randrange(-200, 200) for _ in range(N - 4)] + [
    0.0, math.nan, 5e-324, 1.7976931348623157e308]
SINGLES = [struct.unpack("<f", struct.pack("<f", draw.gauss(0, 100)))[0] for _ in range(N)]
TRUTHS = [draw.random() < 0.5 for _ in range(N)]
LONG_RUNS = [k // 100 % 2 == 0 for k in range(N)]
TEXTS = [draw.choice(["red", "green", "blue", "", "NA", "ünï", 'a "b" \\', "x" * 300])
         for _ in range(N)]
WORDS = sorted("word%05d/%s" % (draw.randrange(10**5), "z" * draw.randrange(9)) for _ in range(N))
DAYS = [draw.randrange(-30000, 60000) for _ in range(N)]
MICROS = [draw.randrange(-10**15, 4 * 10**15) // 1000 * 1000 for _ in range(N - 1)] + [0]


def numbers(values):
    return [None if v is None else float(v) for v in values]


def every_column():
    """(column, what it must be) of every type and encoding."""
    p = pq
    for gaps in (False, True):
        g = with_gaps if gaps else list
        tag = "_gaps" if gaps else ""
        for name, kind, values, encodings in (
                ("int32", p.INT32, WHOLE32, (p.PLAIN, p.DELTA, p.SPLIT, p.DICTIONARY)),
                ("steps", p.INT32, STEPS, (p.DELTA,)),
                ("int64", p.INT64, WHOLE64, (p.PLAIN, p.DELTA, p.SPLIT, p.PLAIN_DICTIONARY)),
                ("far64", p.INT64, FAR64, (p.PLAIN, p.DELTA, p.DICTIONARY)),
                ("float", p.FLOAT, SINGLES, (p.PLAIN, p.SPLIT, p.DICTIONARY)),
                ("double", p.DOUBLE, REALS, (p.PLAIN, p.SPLIT, p.DICTIONARY))):
            for encoding in encodings:
                v = g(values)
                yield column("%s_%d%s" % (name, encoding, tag), kind, v, encoding), numbers(v)
        for name, values in (("truth", TRUTHS), ("long", LONG_RUNS)):
            for encoding in (p.PLAIN, p.RLE):
                v = g(values)
                yield column("%s_%d%s" % (name, encoding, tag), p.BOOLEAN, v, encoding), numbers(v)
        for name, values in (("text", TEXTS), ("words", WORDS)):
            for encoding in (p.PLAIN, p.DELTA_LENGTH, p.DELTA_BYTES, p.DICTIONARY):
                v = g(values)
                yield column("%s_%d%s" % (name, encoding, tag), p.BYTES, v, encoding,
                             converted=0), text_of(v)
        v = g(DAYS)
        yield (column("date" + tag, p.INT32, v, p.DELTA, converted=6),
               text_of([None if d is None else date_text(d) for d in v]))
        v = g(MICROS)
        for name, units, logical, converted, z in (
                ("millis", 1000, None, 9, "Z"), ("micros", 1, None, 10, "Z"),
                ("local", 1, Struct({8: Struct({1: False, 2: Struct({2: Struct()})})}), None, ""),
                ("nanos", 0.001, Struct({8: Struct({1: True, 2: Struct({3: Struct()})})}), None,
                 "Z")):
            raw = [None if m is None else m // units if units >= 1 else m * 1000 for m in v]
            yield (column("%s%s" % (name, tag), p.INT64, raw, p.PLAIN, converted=converted,
                          logical=logical),
                   stamps(v, z))
        raw = [None if m is None else struct.pack("<qi", m % 86400000000 * 1000,
                                                  m // 86400000000 + 2440588) for m in v]
        yield (column("int96" + tag, p.INT96, raw, p.DICTIONARY),
               stamps(v, ""))
        midnights = [None if m is None else m // 86400000000 * 86400000000 for m in v]
        yield (column("midnights" + tag, p.INT64, midnights, p.DELTA, converted=10),
               stamps(midnights, "Z"))
        mixed = [m if m is None or k % 3 else m // 86400000000 * 86400000000
                 for k, m in enumerate(v)]
        yield column("mixed" + tag, p.INT64, mixed, converted=10), stamps(mixed, "Z")
        yield (column("clock" + tag, p.INT64, [None if m is None else m % 86400000000 for m in v],
                      converted=8), [None if m is None else m % 86400000000 / 1e6 for m in v])
        v = g(WHOLE64)
        want = [None if w is None else float(decimal.Decimal(w).scaleb(-3)) for w in v]
        yield column("decimal64" + tag, p.INT64, v, converted=5, scale=3), want
        digits = [draw.randrange(-10**37, 10**37) for _ in range(N)]
        v = g(digits)
        want = [None if w is None else float(decimal.Decimal(w).scaleb(-20)) for w in v]
        fixed = [None if w is None else w.to_bytes(16, "big", signed=True) for w in v]
        for encoding in (p.PLAIN, p.DELTA_BYTES, p.SPLIT, p.DICTIONARY):
            yield column("decimal_%d%s" % (encoding, tag), p.FIXED, fixed, encoding, length=16,
                         logical=Struct({5: Struct({1: I32(20), 2: I32(38)})})), want
        short = [None if w is None else w.to_bytes(w.bit_length() // 8 + 1, "big", signed=True)
                 for w in v]
        yield column("decimal_b" + tag, p.BYTES, short, p.DELTA_LENGTH, converted=5, scale=20), want
    unsigned = [draw.randrange(2**64) for _ in range(N)]
    yield column("uint64", p.INT64, unsigned, converted=14), numbers(unsigned)
    unsigned = [draw.randrange(2**32) for _ in range(N)]
    yield column("uint32", p.INT32, unsigned,
                 logical=Struct({10: Struct({1: I8(32), 2: False})})), numbers(unsigned)
    small = [draw.randrange(-128, 128) for _ in range(N)]
    yield column("int8", p.INT32, small,
                 logical=Struct({10: Struct({1: I8(8), 2: True})})), numbers(small)
    halves = [struct.pack("<e", v / 100) for v in range(N)]
    yield (column("half", p.FIXED, halves, p.SPLIT, length=2, logical=Struct({15: Struct()})),
           [struct.unpack("<e", h)[0] for h in halves])
    uuid = [bytes(draw.randrange(256) for _ in range(16)) for _ in range(N)]
    yield (column("uuid", p.FIXED, uuid, length=16, logical=Struct({14: Struct()})),
           ["%s-%s-%s-%s-%s" % (h[:8], h[8:12], h[12:16], h[16:20], h[20:])
            for h in (u.hex() for u in uuid)])
    nothing = [None] * N
    yield column("no_numbers", p.DOUBLE, nothing), nothing
    yield column("no_text", p.BYTES, nothing, converted=0), nothing


def test_every(folder):
    whole = list(every_column())
    path = folder / "every.parquet"
    names = [c.name for c, _ in whole]
    check(len(set(names)) == len(names), "names differ")
    ways = [("none", 1, 1 << 30, 1 << 30), ("none", 2, 1 << 30, 1 << 30), ("gzip", 1, 300, 70),
            ("gzip", 2, 300, 70), ("snappy", 1, 450, 1 << 30), ("snappy", 2, 1 << 30, 333),
            ("zstd", 1, 500, 500), ("zstd", 2, 500, 500)]
    for codec, version, group, page in ways:
        pq.write(path, [c for c, _ in whole], codec, version, group, page, crc=group < 400)
        got = dump(path)
        check(isinstance(got, dict), got)
        check(list(got) == names, "the columns")
        for c, want in whole:
            check(same(got[c.name], want), "%s, %s, version %d: %s" % (
                c.name, codec, version,
                [(k, a, b) for k, (a, b) in enumerate(zip(got[c.name], want)) if a != b][:3]))
    few = [(c, w) for c, w in whole if c.optional]
    pq.write(path, [c for c, _ in few], old_levels=True)
    got = dump(path)
    for c, want in few:
        check(same(got[c.name], want), c.name + ", levels as they were once packed")


def test_text_beside(folder):
    """The column that names rows has its text, with all digits."""
    path = folder / "id.parquet"
    ids = [2**60 + k for k in range(5)]
    pq.write(path, [column("id", pq.INT64, ids), column("y", pq.DOUBLE, [1.5] * 5)])
    check(dump(path, "id")["id"] == [str(k) for k in ids], "whole numbers as names")
    pq.write(path, [column("id", pq.BOOLEAN, [True, None, False, True, True]),
                    column("y", pq.DOUBLE, [1.5, 2.0, math.inf, None, -1.0])])
    got = dump(path, "id")
    check(got["id"] == ["true", None, "false", "true", "true"], "truths as names")
    check(got["y"] == ["1.5", "2", "inf", "", "-1"], "an infinity makes text")


def refused(path, want):
    got = dump(path)
    check(got == "%s: %s" % (path, want), "%r instead of %r" % (got, want))


def test_refused(folder):
    path = folder / "refused.parquet"
    one = [column("a", pq.DOUBLE, [1.0, 2.0]), column("b", pq.DOUBLE, [3.0, 4.0])]
    pq.write(path, one)
    good = path.read_bytes()
    refuse = lambda data, want: (path.write_bytes(data), refused(path, want))  # noqa: E731
    refuse(good[:-20], "the Parquet file is cut off")
    refuse(good[:6], "the Parquet file is cut off")
    refuse(good[:-4] + b"PARE", "an encrypted Parquet file: decrypt it first")
    refuse(good[:-8] + struct.pack("<I", 10**6) + b"PAR1", "the Parquet file is cut off")
    pq.write(path, one, "lz4")
    refused(path, 'column "a" is compressed with LZ4, which is not read: write it with snappy, '
                  "gzip, zstd or none")
    pq.write(path, [one[0], one[0]])
    refused(path, 'columns 1 and 2 are both named "a"')
    pq.write(path, [column("a", pq.DOUBLE, [])])
    refused(path, "empty, no rows")
    pq.write(path, [column("a", pq.BYTES, ["x\0y", "z"], converted=0)])
    refused(path, 'row 0 (counted from 0), column "a": a zero byte, this is not text')
    pq.write(path, [column("a", pq.FIXED, [b"abc", b"def"], length=3)])
    refused(path, 'column "a" is bytes of a fixed length, which is not read: leave it out')
    pq.write(path, one, crc=True)
    spoilt = bytearray(path.read_bytes())
    spoilt[spoilt.index(struct.pack("<d", 2.0))] ^= 1
    path.write_bytes(spoilt)
    refused(path, 'column "a": a page is spoilt: its checksum is another')
    pq.write(path, [column("__index_level_0__", pq.INT64, [5, 6]), *one])
    check(list(dump(path)) == ["a", "b"], "the index of pandas is no column")


def nested_file(path, encrypted=False):
    """A group of two leaves and a list beside a column that is flat."""
    values = struct.pack("<2d", 1.0, 2.0)
    page = pq.page_header(0, 16, values, Struct({1: I32(2), 2: I32(0), 3: I32(3), 4: I32(3)}),
                          False) + values
    out, chunks = bytearray(b"PAR1"), []
    for _ in range(4):
        meta = Struct({1: I32(5), 2: [I32(0)], 3: ["x"], 4: I32(0), 5: pq.I64(2),
                       6: pq.I64(len(page)), 7: pq.I64(len(page)), 9: pq.I64(len(out))})
        chunks.append(Struct({2: pq.I64(0), 3: meta}))
        out += page
    if encrypted:
        chunks[3][8] = Struct({1: Struct()})
    leaf = lambda name, repeated=0: Struct({1: I32(5), 3: I32(repeated), 4: name})  # noqa: E731
    schema = [Struct({4: "schema", 5: I32(3)}), Struct({3: I32(0), 4: "place", 5: I32(2)}),
              leaf("x"), leaf("y"), leaf("many", 0 if encrypted else 2), leaf("flat")]
    footer = pq.thrift(Struct({1: I32(1), 2: schema, 3: pq.I64(2),
                               4: [Struct({1: chunks, 2: pq.I64(1), 3: pq.I64(2)})]}))
    path.write_bytes(out + footer + struct.pack("<I", len(footer)) + b"PAR1")


def test_nested(folder):
    """Refused by name where they are asked for, and in nobody's way where they are not."""
    path = folder / "nested.parquet"
    nested_file(path)
    refused(path, 'column "place" is nested, which is not read: leave it out')
    model = folder / "flat.json"
    model.write_text('{"type": "linear", "variables": ["flat"], "w": [2], "b": 1}')

    def score(*more):
        done = subprocess.run([build / "gpa", "score", "--model", model, "--sigma", "1", *more,
                               path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stderr.decode()

    why = 'column "many" is a list (repeated), which is not read: leave it out'
    code, said = score("--target", "many")
    check(code == 3 and why in said, said)
    copy = folder / "copy.json"
    copy.write_text('{"type": "linear", "w": [2], "b": 1}')
    code, said = score("--model", copy, "--features", "flat", "--target", "place")
    check(code == 3 and 'column "place" is nested, which is not read' in said, said)
    nested_file(path, True)
    code, said = score("--target", "many")
    check(code == 3 and 'column "flat" is encrypted, which is not read' in said, said)
    pq.write(path, [column("wide", pq.FIXED, [b"ab", b"cd", b"ef"], length=2),
                    column("y", pq.DOUBLE, [3.0, 5.5, 7.0]),
                    column("flat", pq.DOUBLE, [1.0, 2.0, 3.0])])
    code, said = score("--target", "y")
    check(code == 0, said)  # "wide", which cannot be read, is not asked for


def test_bomb(folder):
    """Two thousand million rows in a few bytes are stopped at the limit of plain files."""
    path = folder / "bomb.parquet"
    n = 2**31 - 1
    levels = pq.varint(n << 1) + b"\0"
    data = struct.pack("<I", len(levels)) + levels
    page = pq.page_header(0, len(data), data, Struct({1: I32(n), 2: I32(0), 3: I32(3), 4: I32(3)}),
                          False) + data
    meta = Struct({1: I32(5), 2: [I32(0)], 3: ["a"], 4: I32(0), 5: pq.I64(n),
                   6: pq.I64(len(page)), 7: pq.I64(len(page)), 9: pq.I64(4)})
    footer = pq.thrift(Struct({
        1: I32(1), 2: [Struct({4: "schema", 5: I32(1)}), Struct({1: I32(5), 3: I32(1), 4: "a"})],
        3: pq.I64(n), 4: [Struct({1: [Struct({2: pq.I64(0), 3: meta})], 2: pq.I64(1),
                                  3: pq.I64(n)})]}))
    path.write_bytes(b"PAR1" + page + footer + struct.pack("<I", len(footer)) + b"PAR1")
    refused(path, "larger than the limit of 2147483648 bytes")


def test_others():
    """Files by other people's writers: hyparquet-writer, and Arrow's in Rust (parquet-wasm)."""
    folder = root / "tests/data/parquet"
    found = sorted(folder.glob("*.parquet"))
    check(len(found) >= 5, "fixtures")
    for path in found:
        want = json.loads((folder / (path.name.split("-")[0] + ".json")).read_text())
        got = dump(path)
        check(isinstance(got, dict), got)
        check(list(got) == list(want), "%s: columns" % path)
        for name, values in want.items():
            check(same(got[name], values), "%s: %s" % (path, name))


with tempfile.TemporaryDirectory() as name:
    test_every(pathlib.Path(name))
    test_text_beside(pathlib.Path(name))
    test_refused(pathlib.Path(name))
    test_nested(pathlib.Path(name))
    test_bomb(pathlib.Path(name))
test_others()
print("%d checks" % pq.checks)
