#!/usr/bin/env python3
"""debian.py: every way to install, from the tree to an answer on a bare Debian 12.

Builds the Debian packages twice, elsewhere each time: the same bytes. lintian finds nothing
that is not stated in debian/. In a fresh chroot (debootstrap) that has nothing else they are
installed, explain, compile a program, answer from Python; the R package is installed over
them; they are removed without a trace; and a wheel answers without them. In another one, with
nothing but make, `make demo` installs what it needs, builds and explains. Takes root and
Debian's archive (GPA_MIRROR). GPA_CHROOT names a chroot that was made before, to be copied,
GPA_PACKAGES a folder with packages that were built, checked and kept before.
"""
import hashlib
import os
import pathlib
import re
import shutil
import sys
import tempfile

from steps import ANSWER, ROOT, copy_tree, expect, step

MIRROR = os.environ.get("GPA_MIRROR", "http://deb.debian.org/debian")


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in folder.glob("*.deb")}


def check_build(work):
    """Two builds of one copy of the tree, in folders of different names."""
    copy_tree(work / "tree")
    for name in "first", "second":
        step([work / "tree" / "tools" / "deb.sh", work / name])
    one, two = digests(work / "first"), digests(work / "second")
    for name in sorted(one):
        print(f"          {one[name][:16]}  {name}")
    if len(one) < 4 or one != two:
        sys.exit(f"not the same bytes: {sorted(n for n in one if one[n] != two.get(n))}")
    said = step(["lintian", "--fail-on", "error,warning,info", "--display-info",
                 *(work / "first").glob("*.changes")])
    print(said, end="")
    return work / "first"


def files_of(root):
    """Every file below the folders that packages write to."""
    found = set()
    for top in "usr", "etc", "var/lib", "opt", "bin", "lib":
        for folder, _, names in os.walk(root / top):
            found.update(os.path.join(folder, name) for name in names)
    # what apt and dpkg note for themselves, and ldconfig
    return {f for f in found if "/var/lib/apt/" not in f and "/var/lib/dpkg/" not in f
            and not f.endswith(("/ld.so.cache", "/aux-cache"))}


def make_bare(root):
    """A Debian that has nothing else."""
    if os.environ.get("GPA_CHROOT"):  # one that was made before
        return os.environ["GPA_CHROOT"]
    step(["debootstrap", "--variant=minbase", "bookworm", root, MIRROR])
    return root


class Chroot:
    def __init__(self, root, bare):
        step(["cp", "-a", bare, root])
        self.root = root
        shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
        (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (root / "usr/sbin/policy-rc.d").chmod(0o755)

    def run(self, command, **more):
        env = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8", "HOME": "/root",
               "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        return step(["chroot", self.root, "sh", "-c", command], env=env, **more)


APT = "apt-get install -y -qq --no-install-recommends"
EXPLAIN = ("cd /tree && gpa explain --model examples/diabetes/model.json --target progression "
           "--rows 10 --freeze age,sex examples/diabetes/spoilt.csv")
R_EXPLAIN = """library(gpa)
d <- read.csv("examples/diabetes/spoilt.csv")
explain("examples/diabetes/model.json", d, "progression", rows = 11, freeze = c("age", "sex"))
"""
PYTHON_EXPLAIN = """import gpa
print(gpa.explain("examples/diabetes/model.json", "examples/diabetes/spoilt.csv",
                  target="progression", rows=[10], freeze=["age", "sex"]))
"""


def fill(chroot, packages):
    """What a user has: the packages, and some files of the tree."""
    (chroot.root / "packages").mkdir()
    for path in packages.glob("*.deb"):
        if "dbgsym" not in path.name:
            shutil.copy(path, chroot.root / "packages")
    for name in "examples", "debian/tests", "bindings/r":
        shutil.copytree(ROOT / name, chroot.root / "tree" / name)
    (chroot.root / "tree" / "explain.R").write_text(R_EXPLAIN)
    (chroot.root / "tree" / "explain.py").write_text(PYTHON_EXPLAIN)


def check_packages(chroot):
    chroot.run(f"cd /packages && {APT} ./gpa_*.deb ./libgpa0_*.deb")
    expect(ANSWER, " ".join(chroot.run(EXPLAIN).split()))
    status, text = chroot.run("cd /tree && gpa score --model v2:http://127.0.0.1:1/v2/models/m "
                              "examples/diabetes/spoilt.csv", check=False)
    if status != 4:
        sys.exit(f"exit {status}, not 4: {text}")
    expect("apt-get install libcurl4", text)  # recommended, and not there
    chroot.run(f"cd /packages && {APT} ./libgpa-dev_*.deb ./python3-gpa_*.deb "
               "build-essential pkg-config")
    for test in "command", "library", "python":  # as autopkgtest runs them
        chroot.run(f"cd /tree && AUTOPKGTEST_TMP=/tmp debian/tests/{test}")


def check_r(chroot):
    chroot.run(f"{APT} r-base-core")
    chroot.run("cd /tree && R CMD INSTALL bindings/r")
    expect(ANSWER, " ".join(chroot.run("cd /tree && Rscript explain.R").split()))
    chroot.run("R CMD REMOVE gpa")


def check_removed(chroot, before):
    chroot.run("apt-get purge -y -qq gpa libgpa0 libgpa-dev python3-gpa")
    left = {f for f in files_of(chroot.root) - before if re.search(r"[/_.-](lib)?gpa", f)}
    if left:
        sys.exit(f"left behind: {sorted(left)}")


def check_wheel(chroot):
    """Where no library is installed, nor anything to build one."""
    step([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index",
          "--no-build-isolation", "--wheel-dir", chroot.root / "packages",
          ROOT / "bindings" / "python"])
    chroot.run(f"{APT} python3-venv python3-numpy")
    chroot.run("python3 -m venv --system-site-packages /environment")
    chroot.run("/environment/bin/pip install --quiet --no-index /packages/gpa-*.whl")
    expect(ANSWER, chroot.run("cd /tree && /environment/bin/python explain.py"))


def check_source(work, bare):
    """The tree alone, where nothing is installed: it sees to all that it needs."""
    chroot = Chroot(work / "source", bare)
    copy_tree(chroot.root / "tree")
    chroot.run("apt-get update -qq")
    chroot.run(f"{APT} make")
    expect(ANSWER, " ".join(chroot.run("cd /tree && make demo").split()))


def main():
    if os.geteuid() != 0:
        sys.exit("a chroot takes root: sudo make test-install")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        given = os.environ.get("GPA_PACKAGES")
        packages = pathlib.Path(given) if given else check_build(work)
        bare = make_bare(work / "bare")
        check_source(work, bare)
        chroot = Chroot(work / "root", bare)
        fill(chroot, packages)
        chroot.run("apt-get update -qq")
        before = files_of(chroot.root)
        check_packages(chroot)
        check_r(chroot)
        check_removed(chroot, before)
        check_wheel(chroot)


if __name__ == "__main__":
    main()
