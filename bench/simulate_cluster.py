#!/usr/bin/env python3
"""simulate_cluster.py [--workers N] [--shards N] ...: a job on many machines, on paper.

Every shard takes rows x rows-per-explanation x seconds, on a machine with a speed of its own.
Machines are lost at random; with a journal a shard that is begun again does what is left,
without one all of it. Some machines are far slower (stragglers). A server that answers so
many rows a second limits all of them together. What is printed: how long the job takes beside
the ideal (all work at once, no failure), and how busy the machines are.
"""
import argparse
import collections
import heapq
import random


def simulate(a, journal, seed=1):
    """Seconds until the last shard is done; machine-seconds of work done twice; failures."""
    r = random.Random(seed)
    work = a.explanations / a.shards * a.rows * a.seconds  # of a shard, on a usual machine
    # a server that all ask is shared: nobody is served faster than their part of it
    served = a.server / min(a.workers, a.shards) if a.server else None
    slowest = 1 / (served * a.seconds) if served and served * a.seconds < 1 else 1
    speed = [(1 / a.slow if r.random() < a.stragglers else r.uniform(.9, 1.1)) / slowest
             for _ in range(a.workers)]
    # when each machine fails does not depend on what it does
    chance = [random.Random(f"{seed} {w}") for w in range(a.workers)]
    lost = [c.expovariate(1 / a.mtbf) if a.mtbf else float("inf") for c in chance]
    free = [(0.0, w) for w in range(a.workers)]
    heapq.heapify(free)
    todo, end, twice, failures = collections.deque([work] * a.shards), 0.0, 0.0, 0
    while todo:
        now, w = heapq.heappop(free)
        while lost[w] < now:  # idle: nobody noticed
            lost[w] += chance[w].expovariate(1 / a.mtbf)
        left = todo.popleft()
        need = a.start + left / speed[w]
        if lost[w] < now + need:
            failures += 1
            done = max(lost[w] - now - a.start, 0) * speed[w]
            todo.appendleft(left - done if journal else left)  # requeued, as the next
            twice += 0 if journal else done
            heapq.heappush(free, (lost[w] + a.repair, w))
            continue
        end = max(end, now + need)
        heapq.heappush(free, (now + need, w))
    return end, twice, failures


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--workers", type=int, default=1000)
    p.add_argument("--shards", type=int, default=10000)
    p.add_argument("--explanations", type=float, default=1e6)
    p.add_argument("--rows", type=float, default=4500, help="model rows per explanation")
    p.add_argument("--seconds", type=float, default=1e-3, help="per model row")
    p.add_argument("--start", type=float, default=5, help="seconds until a shard begins")
    p.add_argument("--mtbf", type=float, default=86400, help="seconds between failures of a "
                   "machine; 0: none")
    p.add_argument("--repair", type=float, default=120)
    p.add_argument("--stragglers", type=float, default=.02, help="share of slow machines")
    p.add_argument("--slow", type=float, default=5, help="how much slower they are")
    p.add_argument("--server", type=float, default=0, help="model rows a second of one server "
                   "that all ask; 0: each machine has the model")
    a = p.parse_args()
    total = a.explanations * a.rows * a.seconds
    ideal = total / a.workers
    if a.server:
        ideal = max(ideal, a.explanations * a.rows / a.server)
    print(f"{a.explanations:.3g} explanations, {a.workers} workers, {a.shards} shards: "
          f"{total / 3600:.1f} machine hours, ideally {ideal:.1f} s")
    for journal in (True, False):
        runs = [simulate(a, journal, seed) for seed in range(1, 6)]
        end, twice, failures = (sum(v) / len(runs) for v in zip(*runs))
        print(f"{'with' if journal else 'without'} journals: {end:.1f} s, efficiency "
              f"{ideal / end:.3f}, {failures:.0f} machines lost, {twice / 3600:.2f} machine "
              "hours done twice")


if __name__ == "__main__":
    main()
