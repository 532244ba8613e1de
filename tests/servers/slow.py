"""A child process for `exec:`, f = x1 + 2 x2, that takes its time or dies as a file says:
slow.py FILE, which holds the seconds of every call, or "die". It adds a line with the
number of rows to FILE.calls before each answer."""
import os
import struct
import sys
import time

out = os.fdopen(1, "wb", buffering=0)
out.write(b"GPAH" + struct.pack("<3I", 1, 2, 6) + b"x1\nx2\n")
while True:
    head = sys.stdin.buffer.read(12)
    if len(head) < 12:
        break
    rows, inputs = struct.unpack("<2I", head[4:])
    x = struct.unpack(f"<{rows * inputs}d", sys.stdin.buffer.read(8 * rows * inputs))
    with open(sys.argv[1], encoding="ascii") as file:
        word = file.read().strip()
    with open(sys.argv[1] + ".calls", "a", encoding="ascii") as file:
        file.write(f"{rows}\n")
    if word == "die":
        sys.exit(3)
    time.sleep(float(word))
    y = [x[2 * i] + 2 * x[2 * i + 1] for i in range(rows)]
    out.write(b"GPAR" + struct.pack("<2I", rows, 0) + struct.pack(f"<{rows}d", *y))
