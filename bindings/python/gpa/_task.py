"""One long call: how far it is, who wants it to end, what the model raised meanwhile."""
from __future__ import annotations

import itertools
import queue
import sys
import threading
import time
from typing import Any, Callable, Dict, Optional, Tuple

import _signal  # what signal wraps in enums, which cost more than the calls themselves

from . import _structs as s, _threads
from ._library import library, raise_for

PATIENCE = 0.5  # seconds from Ctrl-C until a call that does not listen is left behind
LONG = 1.0  # seconds after which progress is shown
FAILED = (4, 8)  # GPA_MODEL, GPA_STOPPED: what the model raised is why


class Bar:
    """Progress: the bar that people know, or else one line on standard error."""

    def __init__(self, label: str) -> None:
        self.label, self.start, self.bar = label, time.monotonic(), None
        try:
            from tqdm.auto import tqdm
            self.bar = tqdm(total=1, desc=label, leave=False)
        except Exception:  # not there, or not fit for this terminal
            pass

    def show(self, done: int, total: int, detail: str) -> None:
        if self.bar is not None:
            self.bar.total = total
            self.bar.set_postfix_str(detail.lstrip(", "), refresh=False)
            self.bar.update(done - self.bar.n)
            self.bar.refresh()
            return
        spent = time.monotonic() - self.start
        left = f", {spent / done * (total - done):.0f} s left" if 0 < done < total else ""
        self.write(f"{self.label} {done}/{total}{left}{detail}")

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        else:
            self.write("")

    @staticmethod
    def write(line: str) -> None:
        sys.stderr.write(f"\r\033[K{line}")
        sys.stderr.flush()


running: Dict[int, "Task"] = {}  # by number: what the library calls back knows its task
_numbers = itertools.count(1)


class Task:
    """One long call of the library.

    A model in Python is asked on the thread of the caller. ctypes prints and forgets an
    exception that is raised between the library and our first line, which is just where
    Python would handle a Ctrl-C that came meanwhile. So while such a call runs (`callback`),
    Ctrl-C is noted, and handled at once only while the model's own code runs.
    """

    def __init__(self, label: str, progress: Any = None, callback: Any = None) -> None:
        self.label, self.total, self.done, self.rows = label, 1, 0, 0
        self.stop = self.inside = self.pending = False
        self.callback, self.number = callback, next(_numbers)
        self.error: Optional[BaseException] = None  # what the model raised
        self.old: Any = None
        self.bar: Any = None
        self.progress = progress
        if progress not in (None, "auto", "always", "never", True, False):
            raise ValueError(f"progress: '{progress}' is none of auto, always, never")
        self.next_look = time.monotonic() + (0.0 if progress in ("always", True) else LONG)

    def wants_bar(self) -> bool:
        if self.progress in (None, "auto"):
            return "ipykernel" in sys.modules or bool(sys.stderr and sys.stderr.isatty())
        return self.progress in ("always", True)

    def interrupted(self, number: int, frame: Any) -> None:
        if self.inside:
            self.old(number, frame)
        else:
            self.pending = True

    def deliver(self) -> None:
        """Handles the Ctrl-C that was noted, here where an exception can be caught."""
        if self.pending:
            self.pending = False
            self.old(_signal.SIGINT, None)

    def __enter__(self) -> "Task":
        running[self.number] = self
        if self.callback is not None:
            _threads.hold()
        here = threading.current_thread()
        if self.callback is not None and here is threading.main_thread():
            old = _signal.getsignal(_signal.SIGINT)
            if callable(old):
                self.old = old
                _signal.signal(_signal.SIGINT, self.interrupted)
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        running.pop(self.number, None)
        if self.callback is not None:
            _threads.give_back()
        self.callback = None
        if self.old is not None:
            _signal.signal(_signal.SIGINT, self.old)
        if self.bar is not None:
            self.bar.close()
        self.deliver()

    def look(self) -> None:
        """Shows how far it is, five times a second at most."""
        now = time.monotonic()
        if now < self.next_look:
            return
        self.next_look = now + 0.2
        if self.bar is None:
            if not self.wants_bar():
                self.next_look = float("inf")
                return
            self.bar = Bar(self.label)
        self.bar.show(self.done, self.total, f", {self.rows} model rows" if self.rows else "")

    def call(self, name: str, *arguments: Any) -> None:
        """A function of the library that may ask a model. What one in Python raised is
        raised again, as it was; unless the library did without that answer, as it does
        without rows that the model refuses."""
        err = s.ErrorText()
        status = getattr(library(), name)(*arguments, err)
        error, self.error = self.error, None
        if error is not None and (status in FAILED or not isinstance(error, Exception)):
            try:
                raise error
            finally:
                del error  # or the traceback would keep everything alive
        self.deliver()
        if status != 0:
            raise_for(status, err)

    def aside(self, work: Callable[[], Any]) -> Any:
        """What `work` gives, off this thread: it can be interrupted here, and what does not
        end soon is left to end by itself."""
        finished: "queue.SimpleQueue[Tuple[Any, Optional[BaseException]]]"
        finished = queue.SimpleQueue()

        def labour() -> None:
            try:
                finished.put((work(), None))
            except BaseException as error:  # for the caller, whatever it is
                finished.put((None, error))

        thread = threading.Thread(target=labour, name="gpa", daemon=True)
        try:
            thread.start()
            while True:
                try:
                    result, error = finished.get(timeout=0.1)
                    break
                except queue.Empty:
                    self.look()
        except BaseException:  # Ctrl-C
            self.stop = True
            if thread.ident is not None:
                thread.join(PATIENCE)
            raise
        if error is not None:
            try:
                raise error
            finally:
                del error
        return result


def _progress(number: int, done: int, total: int) -> int:
    try:
        task = running[number]
        task.done, task.total = done, total
        try:
            task.deliver()
            if task.callback is not None:
                task.look()
        except BaseException as error:
            task.error = error
            return 1
        return int(task.stop)
    except BaseException:  # nobody waits for it any more
        return 1


progress = s.PROGRESS(_progress)  # one for all; the number says which
