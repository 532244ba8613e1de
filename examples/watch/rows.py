#!/usr/bin/env python3
"""rows.py N SEED [FIRST LAST]: N rows of a pump as CSV, one a second; between rows FIRST and
LAST its pressure is read 6 bar too high. pump.json is its model."""
import datetime
import random
import sys

n, seed, first, last = (list(map(int, sys.argv[1:])) + [-1, -1])[:4]
r = random.Random(seed)
start = datetime.datetime(2026, 1, 1, 12)
print("ts,flow,pressure,temp,power")
for i in range(n):
    flow, pressure, temp = r.gauss(20, 3), r.gauss(8, 1), r.gauss(60, 5)
    power = 0.4 * flow + 1.5 * pressure - 0.1 * temp + r.gauss(0, 0.4)
    pressure += 6 * (first <= i <= last)
    print(f"{start + datetime.timedelta(seconds=i):%Y-%m-%dT%H:%M:%SZ},{flow:.3f},"
          f"{pressure:.3f},{temp:.3f},{power:.3f}")
