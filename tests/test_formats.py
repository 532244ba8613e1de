#!/usr/bin/env python3
"""The same table in every format that gpa reads: the same explanation, byte for byte but for the
file's name and its digest; from files and from a pipe.

    test_formats.py ROOT BUILD
"""
import csv
import gzip
import json
import pathlib
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import parquet_support as pq  # noqa: E402
from parquet_support import check  # noqa: E402

root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def run(*words, **options):
    done = subprocess.run([build / "gpa", *map(str, words)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, **options)
    check(done.returncode == 0, "%s: %s" % (words, done.stderr.decode()))
    return done.stdout


def without_file(text, path):
    """What is left when the file's name and digest are taken out."""
    found = re.sub(rb'"input_digest":\s*"[^"]*"', b'"input_digest":""', text)
    check(found != text, "a digest")
    return found.replace(str(path).encode(), b"FILE")


def npy(rows):
    head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }" % (
        len(rows), len(rows[0]))
    head += b" " * (-(10 + len(head) + 1) % 64) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + b"".join(
        struct.pack("<%dd" % len(row), *row) for row in rows)


def write_sqlite(path, names, rows):
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE rows (%s)" % ", ".join('"%s"' % n for n in names))
        db.executemany("INSERT INTO rows VALUES (%s)" % ", ".join("?" * len(names)), rows)
        db.execute("CREATE TABLE other (a)")
    db.close()


def parquet_ways():
    for codec in ("none", "snappy", "gzip", "zstd"):
        for version in (1, 2):
            yield codec, version


def number(cell):
    return None if cell == "" else float(cell)


def diabetes(folder):
    """Numbers alone, as all formats have them."""
    with open(root / "examples/diabetes/spoilt.csv", newline="") as from_:
        names, *rows = list(csv.reader(from_))
    text = (root / "examples/diabetes/spoilt.csv").read_bytes()
    numbers = [[float(c) for c in row] for row in rows]
    files = {"t.csv": text, "t.csv.gz": gzip.compress(text), "t.csv.zst": pq.zstd(text),
             "t.jsonl": "".join(json.dumps(dict(zip(names, row))) + "\n"
                                for row in numbers).encode()}
    files["t.jsonl.gz"] = gzip.compress(files["t.jsonl"])
    paths = []
    for name, data in files.items():
        (folder / name).write_bytes(data)
        paths.append(folder / name)
    write_sqlite(folder / "t.db", names, numbers)
    paths += ["%s?table=rows" % (folder / "t.db"), "%s?query=SELECT * FROM rows" % (folder / "t.db")]
    for codec, version in parquet_ways():
        path = folder / ("t-%s-%d.parquet" % (codec, version))
        encoding = pq.DICTIONARY if version == 2 else pq.PLAIN
        pq.write(path, [pq.column(n, pq.DOUBLE, [row[k] for row in numbers], encoding)
                        for k, n in enumerate(names)], codec, version, group=40, page=17)
        paths.append(path)
    return names, numbers, paths


def test_numbers(folder):
    names, numbers, paths = diabetes(folder)
    ask = ["explain", "--model", root / "examples/diabetes/model.json", "--target",
           names[-1], "--top", "2", "--json"]
    want = without_file(run(*ask, paths[0]), paths[0])
    for path in paths[1:]:
        check(without_file(run(*ask, path), path) == want, "%s: another explanation" % path)
        if "?" not in str(path):
            data = pathlib.Path(path).read_bytes()
            check(without_file(run(*ask, "-", input=data), "-").replace(b"FILE", b"-")
                  == without_file(run(*ask, "-", input=paths[0].read_bytes()), "-").replace(
                      b"FILE", b"-"), "%s through a pipe" % path)
    array = folder / "t.npy"  # has no names: those of the model's order
    array.write_bytes(npy(numbers))
    by_order = folder / "order.csv"
    by_order.write_text("".join(",".join(repr(v) for v in row) + "\n" for row in numbers))
    ask = ["explain", "--model", root / "examples/diabetes/model.json", "--features",
           ",".join("x%d" % (k + 1) for k in range(10)), "--top", "1", "--json"]
    want = without_file(run(*ask, "--no-header", by_order), by_order)
    got = without_file(run(*ask, array), array)
    check(got.replace(b'"no-header":true,', b"") == want.replace(b'"no-header":true,', b""),
          "npy")
    # a reference in one format beside data in another
    ask = ["explain", "--model", root / "examples/diabetes/model.json", "--target", names[-1],
           "--rows", "10", "--scale", "reference", "--json", "--reference"]
    rows = folder / "rows.csv"
    rows.write_bytes(paths[0].read_bytes())
    found = {without_file(run(*ask, path, rows), rows).replace(str(path).encode(), b"REFERENCE")
             for path in paths}
    check(len(found) == 1, "references differ: %d" % len(found))


def test_kinds(folder):
    """Text, dates, truths, gaps and whole numbers."""
    draw = __import__("random").Random(3)
    rows = []
    for k in range(60):
        rows.append([draw.choice(["red", "green", "blue"]), "2024-%02d-%02d" % (
            1 + k % 12, 1 + k % 28), k % 3 == 0, draw.randrange(5),
            "" if k % 9 == 4 else round(draw.gauss(10, 2), 3), round(draw.gauss(5, 3), 2)])
    names = ["colour", "day", "open", "count", "size", "y"]
    text = ",".join(names) + "\n" + "".join(
        ",".join([r[0], r[1], str(r[2]).lower(), *map(str, r[3:])]) + "\n" for r in rows)
    first = folder / "k.csv"
    first.write_text(text)
    (folder / "k.csv.zst").write_bytes(pq.zstd(text.encode()))
    (folder / "k.jsonl").write_text("".join(json.dumps(dict(zip(names, [
        None if v == "" else v for v in r]))) + "\n" for r in rows))
    paths = [folder / "k.csv.zst", folder / "k.jsonl"]
    import datetime
    days = [(datetime.date.fromisoformat(r[1]) - datetime.date(1970, 1, 1)).days for r in rows]
    gaps = [None if r[4] == "" else r[4] for r in rows]
    for codec, version in parquet_ways():
        path = folder / ("k-%s-%d.parquet" % (codec, version))
        pq.write(path, [
            pq.column("colour", pq.BYTES, [r[0] for r in rows], pq.DICTIONARY, converted=0),
            pq.column("day", pq.INT32, days, pq.DELTA, converted=6),
            pq.column("open", pq.BOOLEAN, [r[2] for r in rows], pq.RLE),
            pq.column("count", pq.INT64, [r[3] for r in rows], pq.DELTA),
            pq.column("size", pq.DOUBLE, gaps, pq.SPLIT),
            pq.column("y", pq.DOUBLE, [r[5] for r in rows])], codec, version, 25, 10)
        paths.append(path)
    worker = folder / "model.py"
    worker.write_text(
        "import sys\nsys.path.insert(0, %r)\n"
        "class Model:\n"
        "    def predict(self, x):\n"
        "        day = (x['day'] - x['day'].iloc[0]).dt.days if hasattr(x['day'], 'dt') else 0\n"
        "        return ((x['colour'] == 'red') * 3.0 + x['open'].astype(float) + x['count']\n"
        "                + x['size'].fillna(10) * 0.3 + 0 * day).to_numpy(float)\n"
        "model = Model()\n" % str(root / "bindings/python"))
    spec = "exec:%s -m gpa.worker %s:model" % (sys.executable, worker)
    ask = ["explain", "--model", spec, "--target", "y", "--top", "1", "--marginals", "none",
           "--json"]
    import os
    env = dict(os.environ, PYTHONPATH=str(root / "bindings/python"),
               GPA_BUILD_ROOT=str(build.resolve()))
    try:
        import pandas  # noqa: F401
    except ImportError:
        print("SKIP: no pandas for a model that takes text")
        return
    want = without_file(run(*ask, first, env=env), first)
    for path in paths:
        got = without_file(run(*ask, path, env=env), path)
        check(got == want, "%s: another explanation of text, dates and truths" % path)


def test_databases(folder):
    """One of several tables, also of a database that is packed or comes through a pipe; the rows
    are the same, and so is their digest."""
    folder = folder / "databases"
    folder.mkdir()
    names, numbers, _ = diabetes(folder)
    plain = (folder / "t.db").read_bytes()
    (folder / "t.db.gz").write_bytes(gzip.compress(plain))
    (folder / "t.db.zst").write_bytes(pq.zstd(plain))
    ask = ["score", "--model", root / "examples/diabetes/model.json", "--target", names[-1], "--json"]
    for rest in "?table=rows", "?query=SELECT * FROM rows WHERE age > 40":
        want = run(*ask, str(folder / "t.db") + rest).replace(b"t.db" + rest.encode(), b"FILE")
        for name in "t.db.gz", "t.db.zst":
            got = run(*ask, str(folder / name) + rest)
            check(got.replace(name.encode() + rest.encode(), b"FILE") == want, name + rest)
        for data in plain, (folder / "t.db.gz").read_bytes():
            got = run(*ask, "-" + rest, input=data)
            check(got.replace(b"-" + rest.encode(), bytes(folder) + b"/FILE") == want, "-" + rest)


def test_outputs(folder):
    """Packed by the ending of the name, any output; read again as it is; the same bytes."""
    data = root / "examples/diabetes/spoilt.csv"
    ask = ["explain", "--model", root / "examples/diabetes/model.json", "--rows", "10", "--target",
           "progression", "--json-full"]
    plain = run(*ask, data)
    for ending, unpack in ((".gz", gzip.decompress), (".zst", None)):
        out, page = folder / ("out.json" + ending), folder / ("page.html" + ending)
        run(*ask, "--out", out, "--html", page, data)
        packed = out.read_bytes()
        check(len(packed) < len(plain) / 2, "smaller")
        if unpack:
            check(unpack(packed) == plain, "the same text")
            check(unpack(page.read_bytes()).startswith(b"<!doctype html>"), "a page")
        run(*ask, "--out", out, "--html", page, data)
        check(out.read_bytes() == packed, "the same bytes")
        (folder / "out.json").write_bytes(plain)
        check(run("report", out) == run("report", folder / "out.json"), "a report of it")


with tempfile.TemporaryDirectory() as name:
    test_numbers(pathlib.Path(name))
    test_databases(pathlib.Path(name))
    test_outputs(pathlib.Path(name))
    test_kinds(pathlib.Path(name))
print("%d checks" % pq.checks)
