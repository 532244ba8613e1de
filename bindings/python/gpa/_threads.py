"""Threads of the model's libraries: one, while it is asked for few rows at a time.

A model is asked some twenty times for some hundred rows. Starting threads for each takes longer
than the work, many times longer where processors have other things to do. So those of OpenMP
and of linear algebra are held at one while the library asks, and given back afterwards, and
whenever MANY rows are asked for at once.
"""
from __future__ import annotations

import ctypes
import re
import sys
import threading
from typing import Any, Callable, List, NamedTuple, Optional, Tuple

MANY = 4096  # rows in one call: a whole batch, worth several threads
OPENMP = re.compile(r"\S*/lib(?:gomp|i?omp5?)\b[^/\s]*\.so[^/\s]*$", re.MULTILINE)


class Pool(NamedTuple):
    """Threads of one library."""

    get: Callable[[], int]
    set: Callable[[int], Any]
    private: bool  # to the calling thread, as OpenMP's number is; else the whole process's


def listed() -> List[Pool]:
    """Those that threadpoolctl knows."""
    from threadpoolctl import ThreadpoolController
    return [Pool(one.get_num_threads, one.set_num_threads, one.user_api == "openmp")
            for one in ThreadpoolController().lib_controllers]


def mapped() -> List[Pool]:
    """OpenMP's, as they lie in memory."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
        paths = sorted(set(OPENMP.findall(file.read())))
    found = [ctypes.CDLL(path) for path in paths]
    return [Pool(one.omp_get_max_threads, one.omp_set_num_threads, True) for one in found]


_known: Tuple[int, List[Pool]] = (0, [])  # for so many modules


def pools() -> List[Pool]:
    """Those that there are. Libraries come with modules: nothing new without a new one."""
    global _known
    if _known[0] != len(sys.modules):
        found: List[Pool] = []
        for look in (listed, mapped):
            try:
                found = look()
                break
            except Exception:  # whatever is not there or not as expected: nothing is held
                continue
        _known = len(sys.modules), found
    return _known[1]


class Held:
    """Pools at one thread, and what they had before; counted, as calls overlap."""

    def __init__(self, private: bool) -> None:
        self.private, self.calls = private, 0
        self.before: List[Tuple[Pool, int]] = []

    def hold(self) -> None:
        self.calls += 1
        if self.calls == 1:
            found = [(one, one.get()) for one in pools() if one.private == self.private]
            self.before = [(one, n) for one, n in found if n is not None and n > 1]
            for one, _ in self.before:
                one.set(1)

    def give_back(self) -> None:
        self.calls -= 1
        if self.calls == 0:
            for one, n in self.before:
                one.set(n)
            self.before = []


class Own(threading.local):
    held: Optional[Held] = None


_lock, _shared, _own = threading.Lock(), Held(private=False), Own()


def hold() -> None:
    """One thread from now on, on this thread and in what all share."""
    _own.held = _own.held or Held(private=True)
    _own.held.hold()
    with _lock:
        _shared.hold()


def give_back() -> None:
    """As before, once nobody asks any more."""
    if _own.held is not None:
        _own.held.give_back()
    with _lock:
        _shared.give_back()
