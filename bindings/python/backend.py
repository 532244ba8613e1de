"""Builds the wheel and the source archive (PEP 517, 660) with nothing but Python, and with
Meson the library that the wheel carries.

    pip wheel ./bindings/python                                      builds libgpa.so
    pip wheel ./bindings/python --config-settings library=FILE      carries that one
    pip wheel ./bindings/python --config-settings library=system    carries none

The library is built with everything but the C library linked in (libcurl is loaded when a
server is asked for), so the wheel works wherever the C library is as new as here, which its
tag says. A source archive holds the sources of the library, too.
"""
import ast
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sysconfig
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
WHEN = (2020, 1, 1, 0, 0, 0)  # the same files give the same wheel
SONAME = "libgpa.so.0"
# What the library is made of, in the tree and, below libgpa/, in a source archive.
SOURCES = ("meson.build", "meson_options.txt", "LICENSE", "include", "src", "web", "cmake",
           "tools/embed.py", "docs/libgpa.3")
# What is part of every C library that `manylinux` speaks of.
C_LIBRARY = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1",
             "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
TAKES = """libgpa could not be built: see above. It takes a C17 compiler, Meson 1.0, Ninja, \
pkg-config and what libgpa's meson.build names; on Debian:
  sudo apt-get install --no-install-recommends build-essential meson ninja-build \
pkg-config nettle-dev libprotobuf-c-dev protobuf-c-compiler libcurl4-openssl-dev \
zlib1g-dev libzstd-dev libsnappy-dev libsqlite3-dev
Where the library is installed already: --config-settings library=system"""


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


def sources():
    """The folder with the sources of the library: this tree, or that of the archive."""
    for root in HERE / "libgpa", HERE.parent.parent:
        if (root / "include" / "gpa" / "gpa.h").exists():
            return root
    raise SystemExit("the sources of libgpa are not here; --config-settings library=system "
                     "makes a package for a library that is installed")


def surroundings(words):
    """The environment in which a program in Python runs: pip's own, when it came with it, or
    the user's, which pip hides from the programs that it starts."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    for environment in plain, dict(os.environ):
        try:
            subprocess.run([*words, "--version"], env=environment, check=True,
                           capture_output=True)
            return environment
        except (OSError, subprocess.CalledProcessError):
            continue
    raise SystemExit(TAKES)


def build_library():
    """libgpa.so of its own build, and what was linked into it."""
    root = sources()
    build = root / "build-wheel"
    environment = surroundings(["meson"])
    options = ["-Dprograms=false", "-Dprefer_static=true", "-Ddebug=false",
               "-Dc_link_args=-Wl,--strip-all"]
    try:
        if not (build / "build.ninja").exists():
            shutil.rmtree(build, ignore_errors=True)
            subprocess.run(["meson", "setup", build, root, *options], env=environment,
                           check=True)
        subprocess.run(["ninja", "-C", build, "product"], env=environment, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise SystemExit(TAKES)
    lines = (build / "build.ninja").read_text(encoding="utf-8")
    return build / "libgpa.so", set(re.findall(r"/\S+/lib(?!dl|m|pthread|rt)\S+\.a\b", lines))


def licences(archives):
    """Ours, and those of what is linked in, where Debian's packages tell them."""
    files = {"LICENSE": (sources() / "LICENSE").read_bytes()}
    for archive in sorted(archives):
        try:
            owner = subprocess.run(["dpkg", "-S", os.path.realpath(archive)], capture_output=True, text=True,
                                   check=True).stdout.split(":")[0]
            text = pathlib.Path("/usr/share/doc", owner, "copyright").read_bytes()
        except (OSError, subprocess.CalledProcessError):
            continue
        files[owner] = text
    return files


def platform_tag(library):
    """How new a C library it takes, where it takes nothing else; else this very platform."""
    here = re.sub(r"\W", "_", sysconfig.get_platform())
    try:
        text = subprocess.run(["readelf", "--wide", "--dynamic", "--version-info", library],
                              capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return here
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", text))
    minors = [int(minor) for minor in re.findall(r"Name: GLIBC_2\.(\d+)", text)]
    if needed - C_LIBRARY or not minors:
        return here
    return here.replace("linux", f"manylinux_2_{max(minors)}", 1)


def package():
    files = {}
    for path in sorted((HERE / "gpa").rglob("*")):
        if path.suffix in (".py", ".typed"):
            files[path.relative_to(HERE).as_posix()] = path.read_bytes()
    return files


def carried(config_settings):
    """The library of a wheel as its files, its licences and the platform it is for."""
    given = (config_settings or {}).get("library")
    if given == "system":
        return {}, {}, "any"
    library, archives = (pathlib.Path(given), ()) if given else build_library()
    if not library.is_file():
        raise SystemExit(f"library={given}: there is no such file; it is a libgpa.so, or "
                         "'system'")
    return ({f"gpa/{SONAME}": library.read_bytes()}, licences(archives) if not given else {},
            platform_tag(library))


def wheel_note(platform):
    return ("Wheel-Version: 1.0\nGenerator: gpa\n"
            f"Root-Is-Purelib: {'true' if platform == 'any' else 'false'}\n"
            f"Tag: py3-none-{platform}\n")


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write_wheel(folder, files, platform, texts=()):
    name, version = name_version()
    info = f"{name}-{version}.dist-info"
    files = {**files, f"{info}/METADATA": metadata().encode(),
             f"{info}/WHEEL": wheel_note(platform).encode(),
             **{f"{info}/licenses/{text}": texts[text] for text in texts}}
    wheel = f"{name}-{version}-py3-none-{platform}.whl"
    record = ""
    with zipfile.ZipFile(pathlib.Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED) as out:
        for path, data in files.items():
            out.writestr(entry(path), data)
            record += record_line(path, data)
        out.writestr(entry(f"{info}/RECORD"), record + f"{info}/RECORD,,\n")
    return wheel


def entry(path):
    member = zipfile.ZipInfo(path, WHEN)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = (0o755 if path.endswith(SONAME) else 0o644) << 16
    return member


def get_requires_for_build_wheel(config_settings=None):
    """Meson and Ninja where there are none and the library is to be built."""
    if (config_settings or {}).get("library"):
        return []
    return [tool + least for tool, least in (("meson", ">=1.0"), ("ninja", ""))
            if shutil.which(tool) is None]


def get_requires_for_build_editable(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_editable


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    library, texts, platform = carried(config_settings)
    return write_wheel(wheel_directory, {**package(), **library}, platform, texts)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that points here; the library is that of the tree's build directory."""
    return write_wheel(wheel_directory, {"gpa_editable.pth": f"{HERE}\n".encode()}, "any")


def library_sources():
    root = sources()
    found = {}
    for start in SOURCES:
        for path in sorted([root / start] if (root / start).is_file()
                           else (root / start).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found[f"libgpa/{path.relative_to(root)}"] = path.read_bytes()
    return found


def build_sdist(sdist_directory, config_settings=None):
    name, version = name_version()
    base = f"{name}-{version}"
    files = {**package(), **library_sources(), "PKG-INFO": metadata().encode()}
    for path in ["pyproject.toml", "backend.py", "README.md",
                 *sorted(f"tests/{path.name}" for path in (HERE / "tests").glob("*.py"))]:
        files[path] = (HERE / path).read_bytes()
    archive = f"{base}.tar.gz"
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.PAX_FORMAT) as out:
        for path, data in files.items():
            member = tarfile.TarInfo(f"{base}/{path}")
            member.size, member.mode = len(data), 0o644
            out.addfile(member, io.BytesIO(data))
    with open(pathlib.Path(sdist_directory) / archive, "wb") as out:
        out.write(gzip.compress(whole.getvalue(), mtime=0))
    return archive
