"""Builds the wheel and the source archive (PEP 517, 660) with nothing but Python.

The package is plain Python over libgpa.so, so a wheel is its files and a few lines about
them. A wheel made inside the source tree also remembers where the tree's build directory is:
the library is found there when it is not installed.
"""
import ast
import base64
import hashlib
import io
import pathlib
import re
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TAG = "py3-none-any"
WHEN = (2020, 1, 1, 0, 0, 0)  # the same files give the same wheel


def project():
    """The plain `key = value` lines of [project] and of the optional dependencies."""
    text = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    tables, table = {}, {}
    for line in text.splitlines():
        head = re.fullmatch(r"\[([\w.-]+)\]", line.strip())
        pair = re.fullmatch(r"([\w-]+)\s*=\s*(.+)", line.strip())
        if head:
            table = tables.setdefault(head.group(1), {})
        elif pair and not pair.group(2).startswith("{"):
            table[pair.group(1)] = ast.literal_eval(pair.group(2))
    return tables["project"], tables.get("project.optional-dependencies", {})


def name_version():
    about, _ = project()
    return about["name"], about["version"]


def metadata():
    about, extras = project()
    lines = ["Metadata-Version: 2.1", f"Name: {about['name']}",
             f"Version: {about['version']}", f"Summary: {about['description']}",
             "License: Apache-2.0", f"Requires-Python: {about['requires-python']}",
             f"Keywords: {','.join(about['keywords'])}"]
    lines += [f"Classifier: {c}" for c in about["classifiers"]]
    lines += [f"Requires-Dist: {d}" for d in about["dependencies"]]
    for extra, needed in extras.items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {d}; extra == "{extra}"' for d in needed]
    readme = (HERE / about["readme"]).read_text(encoding="utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def wheel_note():
    return f"Wheel-Version: 1.0\nGenerator: gpa\nRoot-Is-Purelib: true\nTag: {TAG}\n"


def remembered():
    """Where the tree's build directory is; nothing outside of the tree."""
    root = HERE.parent.parent
    if not (root / "include" / "gpa" / "gpa.h").exists():
        return {}
    text = ('"""Written while installing: the tree this came from."""\n'
            f"BUILD = {str(root / 'build')!r}\n")
    return {"gpa/_built_from.py": text}


def package():
    files = {}
    for path in sorted((HERE / "gpa").glob("*")):
        if path.suffix in (".py", ".typed"):
            files[f"gpa/{path.name}"] = path.read_text(encoding="utf-8")
    return files


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write_wheel(folder, files):
    name, version = name_version()
    info = f"{name}-{version}.dist-info"
    files = {**files, f"{info}/METADATA": metadata(), f"{info}/WHEEL": wheel_note()}
    wheel = f"{name}-{version}-{TAG}.whl"
    record = ""
    with zipfile.ZipFile(pathlib.Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED) as out:
        for path, text in files.items():
            data = text.encode("utf-8")
            out.writestr(entry(path), data)
            record += record_line(path, data)
        out.writestr(entry(f"{info}/RECORD"), record + f"{info}/RECORD,,\n")
    return wheel


def entry(path):
    member = zipfile.ZipInfo(path, WHEN)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    return member


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name, version = name_version()
    info = f"{name}-{version}.dist-info"
    folder = pathlib.Path(metadata_directory) / info
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "METADATA").write_text(metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(wheel_note(), encoding="utf-8")
    return info


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, {**package(), **remembered()})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that points here."""
    return write_wheel(wheel_directory, {"gpa_editable.pth": f"{HERE}\n"})


def build_sdist(sdist_directory, config_settings=None):
    name, version = name_version()
    base = f"{name}-{version}"
    files = {**package(), "pyproject.toml": (HERE / "pyproject.toml").read_text("utf-8"),
             "backend.py": pathlib.Path(__file__).read_text("utf-8"),
             "README.md": (HERE / "README.md").read_text("utf-8"), "PKG-INFO": metadata()}
    for path in sorted((HERE / "tests").glob("*.py")):
        files[f"tests/{path.name}"] = path.read_text("utf-8")
    archive = f"{base}.tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory) / archive, "w:gz",
                      format=tarfile.PAX_FORMAT) as out:
        for path, text in files.items():
            data = text.encode("utf-8")
            member = tarfile.TarInfo(f"{base}/{path}")
            member.size, member.mode = len(data), 0o644
            out.addfile(member, io.BytesIO(data))
    return archive
