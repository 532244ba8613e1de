"""What goes wrong, as exceptions. Each is also the built-in one that people expect."""
from __future__ import annotations


class Error(Exception):
    """Every error of the library; the message names what is wrong and what to do.

    >>> import gpa
    >>> try:
    ...     gpa.load_model("nonsense:x")
    ... except gpa.Error as error:
    ...     print(isinstance(error, ValueError))
    True
    """


class InvalidError(Error, ValueError):
    """An argument that cannot be."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class DataError(Error, ValueError):
    """Malformed or empty data."""


class ModelError(Error, RuntimeError):
    """A model outside Python that failed; one in Python raises its own exceptions."""


class NumericError(Error, ValueError):
    """No finite number where one is needed, such as a prediction of an observed row."""


class MemoryFailure(Error, MemoryError):
    """The library ran out of memory."""


class UnsupportedError(Error, NotImplementedError):
    """Something in a model file that this library does not know."""


class LibraryError(Error, ImportError):
    """libgpa.so is not there, or is another version."""


BY_STATUS = {1: InvalidError, 2: FileError, 3: DataError, 4: ModelError, 5: NumericError,
             6: MemoryFailure, 7: UnsupportedError}
