#!/usr/bin/env python3
"""How fast tables are read, on one core, in seconds of the processor, beside pandas's C reader
and beside the same table as Parquet.

    bench_read.py BENCH_READ [ROWS]

Ten columns of doubles with all their digits, and a table as people have them: whole numbers and
reals of a few digits. Targets: CSV twice as fast as it was (143 and 83 MB/s when it was 1) or 200
MB/s; Parquet 5 times as fast as CSV.
"""
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "tests"))
import parquet_support as pq  # noqa: E402

READ, ROWS = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 500000
PIECE = 100000


def least(call, times=3):
    found = []
    for _ in range(times):
        begin = time.process_time()
        call()
        found.append(time.process_time() - begin)
    return min(found)


def ours(path, times=3):
    out = subprocess.run([READ, path, str(times)], stdout=subprocess.PIPE, check=True).stdout
    seconds, rows, size, memory = out.split()
    return float(seconds), int(rows), int(size), int(memory)


def write_csv(path, names, rows, form):
    with open(path, "w") as to:
        to.write(",".join(names) + "\n")
        for piece in rows:
            to.write("".join(form % tuple(row) for row in piece.tolist()))


def main():
    draw = np.random.default_rng(1)
    pieces = [draw.normal(size=(min(PIECE, ROWS - at), 10)) for at in range(0, ROWS, PIECE)]
    few = [np.column_stack([draw.integers(0, 100, (len(p), 5)), p[:, :5] * 30 + 100])
           for p in pieces[:5]]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        names = ["x%d" % k for k in range(10)]
        write_csv(folder / "full.csv", names, pieces, ",".join(["%.17g"] * 10) + "\n")
        write_csv(folder / "few.csv", names, few, ",".join(["%d"] * 5 + ["%.2f"] * 5) + "\n")
        pq.plain = lambda c, v: np.asarray(v, dtype="<f8").tobytes()
        pq.write(folder / "full.parquet",
                 [pq.column(n, pq.DOUBLE, np.concatenate([p[:, k] for p in pieces]), optional=False)
                  for k, n in enumerate(names)], group=2 * PIECE, page=20000)
        print("| table | rows | s | MB/s | pandas MB/s | ratio | memory, MB | of it the table |")
        print("|---|---|---|---|---|---|---|---|")
        took = {}
        for name, has in (("full.csv", True), ("few.csv", True), ("full.parquet", False)):
            seconds, rows, size, memory = ours(folder / name)
            took[name] = seconds
            peer = least(lambda: pd.read_csv(folder / name), 2) if has else 0
            print("| %s | %d | %.3f | %.0f | %s | %s | %.0f | %.0f |" % (
                name, rows, seconds, size / seconds / 1e6,
                "%.0f" % (size / peer / 1e6) if has else "",
                "%.1f" % (peer / seconds) if has else "", memory / 1e3, rows * 80 / 1e6), flush=True)
        print("Parquet is %.1f times as fast as CSV (target 5)" % (
            took["full.csv"] / took["full.parquet"]))


main()
