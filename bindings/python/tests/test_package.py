"""The package as such: installing, finding the library, layouts, types, examples."""
import ast
import ctypes
import ctypes.util
import doctest
import importlib
import importlib.util
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

import numpy as np

from support import BUILD, HERE, ROOT, loud_skip, run_python
import gpa
from gpa import _structs

PACKAGE = HERE.parent / "gpa"
PUBLIC = [name for name in gpa.__all__ if not name.startswith("_")]


class Structs(unittest.TestCase):
    def test_layouts(self):
        """The structs here are those of the headers. Those that begin with their size, and
        those that are only read, may have grown at the end."""
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            print("SKIP: there is no C compiler to compare the structs with", flush=True)
            self.skipTest("no C compiler")
        lines = []
        for name, struct in _structs.NAMES.items():
            fields = [field for field, *_ in struct._fields_]
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            lines += [f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));'
                      for field in fields]
        code = ("#include <gpa/gpa.h>\n#include <gpa/plot.h>\n#include <stddef.h>\n"
                "#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n")
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder, "a.c"), pathlib.Path(folder, "a")
            source.write_text(code)
            subprocess.run([compiler, "-I", ROOT / "include", "-I", BUILD / "include", source,
                            "-o", program], check=True)
            out = subprocess.run([program], check=True, capture_output=True, text=True).stdout
        found = dict(line.split() for line in out.splitlines())
        for name, struct in _structs.NAMES.items():
            grows = (struct._fields_[0][0] == "struct_size"
                     or name in ("gpa_method", "gpa_axis", "gpa_summary", "gpa_marginal",
                                 "gpa_culprit"))
            check = self.assertLessEqual if grows else self.assertEqual
            check(ctypes.sizeof(struct), int(found[name]), name)
            for field, *_ in struct._fields_:
                self.assertEqual(getattr(struct, field).offset, int(found[f"{name}.{field}"]),
                                 f"{name}.{field}")


class Shape(unittest.TestCase):
    def test_versions_agree(self):
        want = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text()).group(1)
        about = (HERE.parent / "pyproject.toml").read_text()
        self.assertIn(f'version = "{want}"', about)
        self.assertEqual((gpa.__version__, gpa.library_version()), (want, want))

    def test_units(self):
        """Said, or in the name of a column: pages and sentences show them."""
        x = np.random.default_rng(1).normal(20, 2, (40, 2))
        y = x @ [1.0, 2.0]
        y[7] += 20
        for names, units in (("a", "b"), {"b": "kg"}), (("a", "b [kg]"), None):
            e = gpa.explain(lambda x: x @ np.array([1.0, 2.0]), x, y, feature_names=names,
                            units=units, rows=[7])
            page = e.to_html()
            self.assertIn('b <span class="u">kg</span>', page)
            self.assertNotIn("[kg] [kg]", page)

    def test_options_are_the_commands(self):
        """The arguments are the options of the library's own table, but for those that are
        about files and terminals."""
        from gpa._library import option_names
        ours = {"model", "X", "y", "feature_names", "n_jobs", "native"}
        terminal = {"fail_above", "json", "json_full", "csv", "html", "svg", "png", "paths",
                    "out", "color", "verbose", "help",
                    "journal", "scores", "shard", "shards"}
        opening = set(inspect.signature(gpa.load_model).parameters) - {"spec", "batch"}
        for name in ("explain", "compare", "score"):
            with self.subTest(name):
                arguments = set(inspect.signature(getattr(gpa, name)).parameters) - ours
                wanted = set(option_names(name)) - terminal - opening - {"model"}
                if name == "score":  # which is soon done, and asks no background
                    wanted -= {"progress", "reference"}
                self.assertGreater(len(wanted), 10)
                self.assertEqual(arguments, wanted)
        self.assertEqual(opening - set(option_names("explain")), set())

    def test_public_things_are_typed_and_documented(self):
        for name in PUBLIC:
            thing = getattr(gpa, name)
            with self.subTest(name):
                self.assertTrue(inspect.getdoc(thing))
                if inspect.isfunction(thing):
                    self.assertIn("return", thing.__annotations__)
                    self.assertIn(">>>", thing.__doc__)
                    for parameter in inspect.signature(thing).parameters:
                        self.assertIn(parameter, thing.__annotations__)
        self.assertTrue((PACKAGE / "py.typed").exists())
        self.assertEqual(set(PUBLIC) - set(dir(gpa)), set())

    def test_examples_in_docstrings(self):
        count = 0
        for path in sorted([*PACKAGE.glob("*.py"), PACKAGE / "_jobs"]):
            if path.stem in ("__init__", "worker", "_matplotlib"):
                continue
            try:
                module = importlib.import_module(f"gpa.{path.stem}")
            except ImportError as error:
                print(f"SKIP: examples of gpa.{path.stem}: {error}", flush=True)
                continue
            done = doctest.testmod(module)
            self.assertEqual(done.failed, 0, path.name)
            count += done.attempted
        self.assertGreater(count, 40)

    def test_examples_in_the_guide(self):
        text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
        if importlib.util.find_spec("pandas") is None:
            loud_skip("the guide's examples of frames need pandas")
            text = re.sub(r"## Frames.*?(?=^## )", "", text, flags=re.S | re.M)
        before = os.getcwd()
        os.chdir(ROOT)  # it names files of the tree
        try:
            runner = doctest.DocTestRunner()
            done = runner.run(doctest.DocTestParser().get_doctest(text, {}, "guide", None, 0))
        finally:
            os.chdir(before)
        self.assertGreater(done.attempted, 25)
        self.assertEqual(done.failed, 0)

    def test_old_pythons(self):
        """The syntax is that of the oldest Python which is promised."""
        for path in [*PACKAGE.rglob("*.py"), HERE.parent / "backend.py", *HERE.glob("*.py")]:
            ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))


class Library(unittest.TestCase):
    def test_missing(self):
        status, _, err = run_python("import gpa; gpa.methods()", GPA_LIBRARY="/nowhere/x.so")
        self.assertEqual(status, 1)
        self.assertIn("LibraryError", err)
        self.assertIn("GPA_LIBRARY", err)
        self.assertIn("/nowhere/x.so", err)

    def test_another_version(self):
        status, _, err = run_python("import gpa; gpa.methods()",
                                    GPA_LIBRARY=ctypes.util.find_library("m") or "libm.so.6")
        self.assertEqual(status, 1)
        self.assertIn("another version", err)

    def test_is_loaded_when_needed(self):
        """The worker of exec: models does without it, and without NumPy until it is asked."""
        code = ("import sys, gpa, gpa.worker\n"
                "assert 'gpa._library' not in sys.modules and 'numpy' not in sys.modules\n"
                "import gpa._library as l; assert l._library is None\n"
                "gpa.explain; assert l._library is None\n")
        self.assertEqual(run_python(code, GPA_LIBRARY="/nowhere/x.so"), (0, "", ""))

    def test_from_the_tree(self):
        """build/ beside the package is found without being told."""
        if not (ROOT / "build" / "libgpa.so").exists():
            self.skipTest("no build in the tree")
        code = "import gpa._library as l; print(next(l.candidates()))"
        _, out, err = run_python(code, GPA_BUILD_ROOT="", GPA_LIBRARY="")
        self.assertEqual(out.strip(), str(ROOT / "build" / "libgpa.so"), err)


def backend():
    sys.path.insert(0, str(HERE.parent))
    try:
        import backend as found
    finally:
        sys.path.pop(0)
    return found


class Installing(unittest.TestCase):
    """With the library of this build; `make test-install` lets the backend build its own."""
    CARRIED = {"library": str(BUILD / "libgpa.so")}

    def test_wheel(self):
        with tempfile.TemporaryDirectory() as folder:
            first = pathlib.Path(folder, backend().build_wheel(folder, self.CARRIED))
            self.assertRegex(first.name, r"^gpa-[\d.]+-py3-none-(many)?linux_\w+\.whl$")
            data = first.read_bytes()
            again = pathlib.Path(folder, backend().build_wheel(folder, self.CARRIED))
            self.assertEqual((again, again.read_bytes()), (first, data))  # reproducible
            with zipfile.ZipFile(again) as wheel:
                self.assertLessEqual({"gpa/worker.py", "gpa/py.typed", "gpa/libgpa.so.0"},
                                     set(wheel.namelist()))
                self.assertEqual(wheel.read("gpa/libgpa.so.0"),
                                 (BUILD / "libgpa.so").read_bytes())

    def test_wheel_for_the_system(self):
        with tempfile.TemporaryDirectory() as folder:
            wheel = backend().build_wheel(folder, {"library": "system"})
            self.assertTrue(wheel.endswith("-py3-none-any.whl"))
            with zipfile.ZipFile(pathlib.Path(folder, wheel)) as files:
                self.assertEqual([n for n in files.namelist() if ".so" in n], [])
        with self.assertRaisesRegex(SystemExit, "no such file"):
            backend().build_wheel(".", {"library": "/nowhere/libgpa.so"})

    def test_source_archive(self):
        """It holds what the library's meson.build names, and is the same each time."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, backend().build_sdist(folder))
            data = path.read_bytes()
            backend().build_sdist(folder)
            self.assertEqual(path.read_bytes(), data)
            with tarfile.open(path) as archive:
                names = {n.partition("/")[2] for n in archive.getnames()}
        for want in ("pyproject.toml", "backend.py", "gpa/worker.py", "libgpa/meson.build",
                     "libgpa/src/model/onnx/onnx.proto", "libgpa/include/gpa/version.h.in"):
            self.assertIn(want, names)

    def test_pip_without_network(self):
        """In an environment that sees the system's packages; it brings its library."""
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run([sys.executable, "-m", "venv", "--system-site-packages",
                                   folder], capture_output=True, text=True)
            if made.returncode:
                loud_skip("no module venv (python3-venv) for this Python")
                self.skipTest("no venv")
            python = pathlib.Path(folder, "bin", "python")
            environment = {k: v for k, v in os.environ.items()
                           if k not in ("GPA_BUILD_ROOT", "GPA_LIBRARY")}
            environment.update(PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
            done = subprocess.run([python, "-m", "pip", "install", "--quiet",
                                   "--config-settings", f"library={BUILD / 'libgpa.so'}",
                                   HERE.parent], env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertFalse((HERE.parent / "gpa.egg-info").exists())
            code = ("import gpa; print(gpa.explain('builtin:sinusoid2d', "
                    "[[0., 0], [.1, .3], [.2, .1]], [2, 1, .5], scale='none').rows)\n"
                    "print({l.split()[-1] for l in open('/proc/self/maps') if 'libgpa' in l})")
            done = subprocess.run([python, "-c", code], env=environment, cwd=folder,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            rows, libraries = done.stdout.splitlines()
            self.assertRegex(rows, r"\[\d\]")
            self.assertEqual([os.path.realpath(path) for path in ast.literal_eval(libraries)],
                             [os.path.realpath(next(pathlib.Path(folder).rglob("libgpa.so.0")))])


if __name__ == "__main__":
    unittest.main()
