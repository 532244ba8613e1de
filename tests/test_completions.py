#!/usr/bin/env python3
"""test_completions.py ROOT BUILD: shells complete, and pages explain, what --help lists.

Real shells are asked: bash and fish by their functions, zsh on a terminal of its own. What
is not installed is skipped with a line that says so.
"""
import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

BUILD = pathlib.Path(sys.argv[2])
MADE = BUILD / "completions"
FILES = ("folder.csv", "data.csv")
# What the last word may become: all of these, and nothing else but files of the folder.
CASES = [
    ("explain --solver ", {"fast", "thorough", "paper", "paper-det"}),
    ("explain --svg ", {"folder"}),
    ("explain --scale fold", {"folder", "folder.csv"}),
    ("explain --model built", {"builtin:sinusoid2d"}),
    ("explain --model e", {"exec:"}),
    ("compare --baseline z", {"zero"}),
    ("explain fold", {"folder", "folder.csv"}),
    ("paper b", {"boston"}),
    ("bench p", {"planted"}),
    ("help met", {"methods"}),
    ("--v", {"--version"}),
]


def fail(text):
    print(text)
    fail.count += 1


fail.count = 0


def said(*words):
    return subprocess.run([BUILD / "gpa", *words], check=True, capture_output=True,
                          text=True).stdout


def commands():
    """Every command and its options, as the help prints them."""
    names = re.findall(r"^  ([a-z]+) ", said("--help").split("\n\n")[2], re.M)
    return {name: set(re.findall(r"^  (--[a-z0-9-]+)", said(name, "--help"), re.M))
            for name in names}


class Bash:
    CODE = ('. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gpa; '
            'printf "%s\\n" "${COMPREPLY[@]%% }"')

    def complete(self, words):
        out = subprocess.run(["bash", "-c", self.CODE, MADE / "gpa", "gpa",
                              *words.split(" ")], check=True, capture_output=True, text=True)
        return set(filter(None, out.stdout.splitlines()))


class Fish:
    def complete(self, words):
        code = f"source {MADE / 'gpa.fish'}; complete -C 'gpa {words}'"
        home = os.path.join(os.getcwd(), ".home")
        env = {**os.environ, "HOME": home, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home}
        out = subprocess.run(["fish", "-N", "-c", code], check=True, capture_output=True,
                             text=True, env=env)
        return {line.split("\t")[0].rstrip("/") for line in out.stdout.splitlines()}


class Zsh:
    """Lists possibilities only on a terminal, so it gets one; no prompt, no colours."""
    START = (f"fpath=({MADE} $fpath); autoload -Uz compinit; compinit -u -D; PROMPT=; "
             "RPS1=; LISTMAX=10000; unsetopt prompt_sp prompt_cr; zstyle ':completion:*' "
             "list-packed true; bindkey '^T' list-choices; bindkey '^U' kill-whole-line; "
             "print is re\"\"ady\n")

    def __init__(self):
        pid, self.fd = pty.fork()
        if pid == 0:
            os.environ.update(TERM="dumb", HISTFILE="", ZDOTDIR=os.getcwd())
            os.execvp("zsh", ["zsh", "-f", "-i"])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 500, 200, 0, 0))
        os.write(self.fd, self.START.encode())
        self.read("is ready\r\n")

    def read(self, until=None, quiet=0.4, most=30.0):
        """What it prints, until that comes, or (None) until it has been quiet for so long."""
        text, end = "", time.monotonic() + most
        while time.monotonic() < end and not (until and until in text):
            if select.select([self.fd], [], [], quiet)[0]:
                text += os.read(self.fd, 65536).decode("utf-8", "replace")
            elif until is None and text:
                break
        return text

    def complete(self, words):
        os.write(self.fd, f"gpa {words}\x14".encode())
        text = self.read()
        os.write(self.fd, b"\x15")
        self.read(quiet=0.1, most=1.0)
        text = text.replace("\r", "").partition("\n")[2].rpartition("\n")[0]
        found = set()
        for line in text.splitlines():
            line = line.partition("  -- ")[0]
            found |= {w.rstrip("/=") for w in line.split()}
        return found


def check_shell(name, shell, known):
    for words, want in CASES:
        got = shell.complete(words)
        if got != want:
            fail(f"{name}: 'gpa {words}' completes to {sorted(got)}, not {sorted(want)}")
    got = shell.complete("")
    if not set(known) | {"help"} <= got:
        fail(f"{name}: no {sorted(set(known) - got)}")
    for command, options in known.items():
        got = shell.complete(f"{command} --")
        if got != options:
            fail(f"{name}: {command} completes {sorted(got ^ options)} and --help does not, "
                 "or the other way round")


def check_pages(known):
    pages = {path.name for path in (MADE / "man1").iterdir()}
    if pages != {f"gpa-{name}.1" for name in known}:
        fail(f"pages: {sorted(pages)}")
    for command, options in known.items():
        page = MADE / "man1" / f"gpa-{command}.1"
        text = page.read_text(encoding="utf-8").replace("\\-", "-")
        found = set(re.findall(r"^\\fB(--[a-z0-9-]+)\\fR", text, re.M))
        if found != options:
            fail(f"{page.name}: {sorted(found ^ options)}")
        if shutil.which("man"):
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", page],
                                  capture_output=True, text=True,
                                  env={**os.environ, "MANWIDTH": "80"})
            if done.returncode or done.stderr:
                fail(f"man {page.name}: {done.stderr}")


def main():
    known = commands()
    if len(known) < 10 or min(map(len, known.values())) < 4:
        sys.exit(f"the help lists little: {known}")
    check_pages(known)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir("folder")
        for name in FILES:
            pathlib.Path(name).touch()
        for name, shell in ("bash", Bash), ("zsh", Zsh), ("fish", Fish):
            if shutil.which(name) is None:
                print(f"SKIP: completions of {name}, which is not installed", flush=True)
            else:
                check_shell(name, shell(), known)
        os.chdir("/")
    print(f"{len(known)} commands, {fail.count} failed")
    return fail.count > 0


if __name__ == "__main__":
    sys.exit(main())
