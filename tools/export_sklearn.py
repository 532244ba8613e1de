#!/usr/bin/env python3
"""Writes a scikit-learn regressor as a model file that gpa reads by itself.

    python3 tools/export_sklearn.py MODEL.joblib OUT.json

The same as python3 -m gpa.export, for who has this tree and not the package: see there.
"""
import os
import pathlib
import sys

if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bindings/python"))
from gpa.export import Refused, export, main, write  # noqa: E402,F401

if __name__ == "__main__":
    main()
