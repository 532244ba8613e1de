#!/usr/bin/env python3
"""Every call that can fail does (tests/faults.c): what must then be true of the command.

    test_torture.py ROOT BUILD [--full] [--jobs N] [FORM...]

For every form of command, every kind of call and every k: the k-th call fails, once or for
ever, with an error that suits it, or is cut short. Then the exit code is a documented one;
a failure is said; old outputs are as they were, or all new ones are there; no temporary
file, no descriptor and no process is left; and the code of success never comes with other bytes. EINTR
and short reads and writes change nothing at all. Without --full only some k are tried.
"""
import argparse
import concurrent.futures
import errno
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

DOCUMENTED = {0, 1, 2, 3, 4, 5}
OLD = "old\n"
FAULTS = [("malloc", errno.ENOMEM), ("read", errno.EIO), ("read", errno.EINTR), ("read", 0),
          ("write", errno.ENOSPC), ("write", errno.EFBIG), ("write", errno.EINTR), ("write", 0),
          ("open", errno.EIO), ("open", errno.EMFILE), ("open", errno.EINTR),
          ("fsync", errno.EIO), ("fsync", errno.EINTR),
          ("rename", errno.EIO), ("rename", errno.EINTR),
          ("close", errno.EIO), ("close", errno.EINTR),
          ("mkdir", errno.ENOSPC), ("mkdir", errno.EINTR)]
HARMLESS = {errno.EINTR, 0}  # once: for ever nothing could be done
TIMEOUT = 60
QUICK, QUICK_MALLOC = 2, 6  # how many k of a kind are tried


class Form:
    def __init__(self, name, words, outputs=(), same=True, stdin=None, code=0):
        self.name, self.words, self.outputs, self.code = name, words, outputs, code
        self.same, self.stdin = same, stdin  # same: the same bytes in every run


def serve(root):
    """A server on loopback, which ends with its standard input; and its port."""
    server = subprocess.Popen([sys.executable, str(root / "tests/servers/liar.py")],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return server, int(server.stdout.readline())


def forms(root, build, port):
    more, home = root / "tests/data", root / "examples/diabetes"
    known = ["--model", "mixer.json", "--id", "batch", "--sigma", "1"]
    mixer = [*known, "--threads", "1"]
    two = ["--rows", "0-1"]
    results = ("r.json", "r.html")
    worker = "exec:" + str(build / "tests/gpa_test_worker")
    return [
        Form("score", ["score", *known, "mixer.csv"]),
        Form("score-out", ["score", *known, "--json", "--out", "r.json", "mixer.csv"], results[:1]),
        Form("score-stdin", ["score", *known, "-"], stdin="mixer.csv"),
        Form("explain", ["explain", *mixer, *two, "--json", "--out", "r.json", "--html", "r.html",
                         "mixer.csv"], results),
        Form("explain-svg", ["explain", *mixer, *two, "--out", "r.json", "--svg", "pictures",
                             "mixer.csv"], ("r.json", "pictures/scores.svg")),
        Form("explain-new", ["explain", *mixer, *two, "--csv", "--out", "r.csv", "--svg",
                             "new/pictures", "mixer.csv"]),
        Form("compare", ["compare", *mixer, *two, "--methods", "gpa,lc,lime", "--json", "--out",
                         "r.json", "--html", "r.html", "mixer.csv"], results),
        Form("reference", ["explain", *mixer, "--rows", "0", "--reference", "mixer.jsonl",
                           "--html", "r.html", "mixer.csv"], results[1:]),
        Form("report", ["report", "--html", "r.html", "--out", "r.json", "saved.json"], results),
        Form("report-stdin", ["report", "--csv", "-"], stdin="saved.json"),
        Form("merge", ["merge", "--out", "r.json", "--html", "r.html", "shard-1.json",
                       "shard-2.json"], results),
        Form("scores", ["explain", *mixer, *two, "--scores", "scores.json", "--json", "--out",
                        "r.json", "mixer.csv"], results[:1]),
        Form("verify", ["verify", "saved.json"]),
        Form("model", ["model", "--model", "mixer.json", "--json", "--out", "r.json"],
             results[:1], same=False),
        Form("methods", ["methods", "--json", "--out", "r.json"], results[:1]),
        Form("methods-stdout", ["methods", "--json"]),
        Form("lightgbm", ["score", "--model", str(more / "lightgbm/pandas.txt"),
                          "--no-header", "--top", "2", "lightgbm.csv"]),
        Form("xgboost", ["model", "--model", str(next((more / "xgboost").glob("*.json")))],
             same=False),
        Form("ubj", ["model", "--model", str(next((more / "xgboost").glob("*.ubj")))], same=False),
        Form("onnx", ["model", "--model", str(more / "onnx/gemm.onnx")],
             same=False),
        Form("exec", ["score", "--model", worker, "--model-timeout", "20", "--out", "r.json",
                      "two.csv"], results[:1]),
        Form("exec-explain", ["explain", "--model", worker, "--model-timeout", "20", "--rows",
                              "0", "--json", "--out", "r.json", "two.csv"], results[:1]),
        Form("http", ["score", "--model", "v2:http://127.0.0.1:%d/v2/models/ok" % port,
                      "--model-timeout", "20", "--out", "r.json", "three.csv"], results[:1]),
        Form("no-model", ["score", "--model", "nowhere.json", "--out", "r.json", "mixer.csv"],
             results[:1], code=3),
        Form("help", ["explain", "--help"]),
        Form("bench", ["bench", "planted", "--model", str(home / "model.json"), "--plant", "1",
                       "--methods", "lc", "--threads", "1", "--json", "--out", "r.json",
                       str(home / "heldout.csv")], results[:1]),
    ]


def prepare(gpa, root, base):
    """The files that all forms start from."""
    data = root / "tests/cli/data"
    for name in ("mixer.csv", "mixer.json"):
        shutil.copy(data / name, base / name)
    rows = (base / "mixer.csv").read_text().splitlines()
    keys = rows[0].split(",")
    (base / "mixer.jsonl").write_text("".join(
        "{" + ",".join('"%s":%s' % (k, v if k != "batch" else '"%s"' % v)
                       for k, v in zip(keys, row.split(","))) + "}\n" for row in rows[1:]))
    (base / "two.csv").write_text("a,b,y\n" + "".join(
        "%d,%d,%d\n" % (i, i * i % 7, 3 * i % 5) for i in range(12)))
    (base / "three.csv").write_text("a,b,c,y\n" + "".join(
        "%d,%d,%d,%d\n" % (i, i * i % 7, i * 5 % 9, 3 * i % 5) for i in range(12)))
    lines = (root / "tests/data/lightgbm/rows.csv").read_text().splitlines()[:40]
    (base / "lightgbm.csv").write_text("".join(line + ",1\n" for line in lines))
    known = ["--model", "mixer.json", "--id", "batch", "--sigma", "1"]
    two = ["explain", *known, "--rows", "0-1", "--json-full"]
    for words in (["explain", "--model", "mixer.json", "--id", "batch", "--rows", "0-1", "--json",
                   "--out", "saved.json"],
                  ["score", *known, "--json", "--out", "scores.json"],
                  [*two, "--shard", "1/2", "--out", "shard-1.json"],
                  [*two, "--shard", "2/2", "--out", "shard-2.json"]):
        subprocess.run([gpa, *words, "mixer.csv"], cwd=base, check=True,
                       stderr=subprocess.DEVNULL)


def fresh(base, work, form):
    shutil.copytree(base, work)
    for name in form.outputs:
        path = work / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(OLD)


def files(work):
    """Every file with a digest of what is in it."""
    return {str(p.relative_to(work)): hashlib.sha256(p.read_bytes()).hexdigest()
            for p in sorted(work.rglob("*")) if p.is_file()}


def left_over(session):
    """Processes of a session; zombies do not count, their parent has gone."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = pathlib.Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if stat[3] == str(session) and stat[0] not in "ZX":
                found.append(int(entry))
    return found


class Bench:
    def __init__(self, args, root, build, top):
        self.gpa, self.library = str(build / "gpa"), str(build / "tests/gpa_faults.so")
        self.base, self.top, self.args = top / "base", top, args
        self.lock, self.failures, self.runs = threading.Lock(), [], 0
        self.base.mkdir()
        prepare(self.gpa, root, self.base)

    def run(self, form, call="malloc", code=errno.ENOMEM, at=0, ever=False):
        """Exit code, output, messages, files; and the counts when nothing fails."""
        place = pathlib.Path(tempfile.mkdtemp(dir=self.top))
        work, counts = place / "work", place / "counts"
        fresh(self.base, work, form)
        env = dict(os.environ, LD_PRELOAD=self.library, GPA_FAULT=call, GPA_FAULT_AT=str(at),
                   GPA_FAULT_EVER=str(int(ever)), GPA_FAULT_ERRNO=str(code),
                   GPA_FAULT_IN="gpa gpa-lab", LC_ALL="C.UTF-8", TERM="dumb",
                   GPA_FAULT_COUNT=str(counts), MALLOC_PERTURB_="0")
        stdin = open(work / form.stdin) if form.stdin else subprocess.DEVNULL
        with subprocess.Popen([self.gpa, *form.words], cwd=work, env=env, stdin=stdin,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as p:
            try:
                out, err = p.communicate(timeout=TIMEOUT)
                exit_code = p.returncode
            except subprocess.TimeoutExpired:
                os.killpg(p.pid, signal.SIGKILL)
                out, err = p.communicate()
                exit_code = "no end"
            orphans = left_over(p.pid)
        if form.stdin:
            stdin.close()
        for pid in orphans:
            os.kill(pid, signal.SIGKILL)
        said = counts.read_text().split() if counts.exists() else []
        result = (exit_code, out, err.decode("utf-8", "backslashreplace"), files(work),
                  len(orphans), dict(zip(said[::2], map(int, said[1::2]))))
        shutil.rmtree(place)
        with self.lock:
            self.runs += 1
        return result

    def plan(self, form, counts):
        """All faults to try, as (call, errno, k, for ever)."""
        for call, code in FAULTS:
            n = counts.get(call, 0)
            for ever in (False, True):
                if ever and code in HARMLESS:
                    continue
                most = n if self.args.full else QUICK_MALLOC if call == "malloc" else QUICK
                if self.args.full and n > self.args.most:
                    most = self.args.most
                tried = sorted({1 + i * (n - 1) // max(most - 1, 1) for i in range(min(most, n))})
                for k in tried:
                    yield call, code, k, ever

    def check(self, form, good, fault):
        call, code, k, ever = fault
        exit_code, out, err, there, orphans, counts = self.run(form, *fault)
        want_code, want_out, _, want_files, _, _ = good
        names = set(self.start[form.name]) | set(want_files)
        wrong = []
        success = exit_code == want_code
        old = all(there.get(f) == self.start[form.name].get(f) for f in names)
        new = all(there.get(f) == want_files.get(f) for f in names) if form.same else not old
        if not isinstance(exit_code, int) or exit_code not in DOCUMENTED:
            wrong.append("exit %s" % exit_code)
        if code in HARMLESS and not success:
            wrong.append("exit %s instead of %s" % (exit_code, want_code))
        if success and form.same and out != want_out:
            wrong.append("success, and other bytes on standard output")
        if success and want_code == 0 and form.outputs and not new:
            wrong.append("success, and other outputs")
        if not success and "gpa: " not in err:
            wrong.append("nothing said")
        # what was put in place cannot be taken back without the call that does it
        if not success and not old and not (call == "rename" and ever and k > 1):
            wrong.append("outputs changed after a failure")
        if set(there) - names:
            wrong.append("files left: %s" % " ".join(sorted(set(there) - names)))
        if counts.get("left", 0) > 0:
            wrong.append("%d descriptors left" % counts["left"])
        if orphans:
            wrong.append("%d processes left" % orphans)
        if wrong:
            with self.lock:
                self.failures.append("%s: %s %s at %d%s: %s: %s" % (
                    form.name, call, errno.errorcode.get(code, "short"), k,
                    " for ever" if ever else "", "; ".join(wrong), err.strip()[-200:]))

    def torture(self, all_forms):
        self.start, jobs = {}, []
        for form in all_forms:
            place = pathlib.Path(tempfile.mkdtemp(dir=self.top)) / "w"
            fresh(self.base, place, form)
            self.start[form.name] = files(place)
            good = self.run(form)
            if not good[5] or good[0] != form.code:
                sys.exit("%s: exit %s without a fault: %s" % (form.name, good[0], good[2]))
            if good[5]["left"] > 0:
                sys.exit("%s: %d descriptors left" % (form.name, good[5]["left"]))
            jobs += [(form, good, fault) for fault in self.plan(form, good[5])]
        done = 0
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            for (form, _, _), _ in zip(jobs, pool.map(lambda job: self.check(*job), jobs)):
                done += 1
                last = done == len(jobs) or jobs[done][0] is not form
                if last and self.args.full:
                    print("%s: %d of %d done, %d failures" % (
                        form.name, done, len(jobs), len(self.failures)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--most", type=int, default=100000, help="k of a kind at most")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("forms", nargs="*")
    args = parser.parse_args()
    root, build = args.root.resolve(), args.build.resolve()
    server, port = serve(root)
    with tempfile.TemporaryDirectory(prefix="gpa-torture-") as top, server:
        bench = Bench(args, root, build, pathlib.Path(top))
        chosen = [f for f in forms(root, build, port) if not args.forms or f.name in args.forms]
        bench.torture(chosen)
        server.stdin.close()
    for line in bench.failures[:40]:
        print(line)
    print("%d runs of %d forms, %d failures" % (bench.runs, len(chosen), len(bench.failures)))
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
