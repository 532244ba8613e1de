#!/usr/bin/env python3
"""run.py ROOT BUILD: the recipes of examples/cluster with the real programs.

Slurm (slurmctld and two slurmd on this machine, one of which is killed with all it runs),
mpirun with a killed rank, GNU parallel with a killed worker: finished after the requeue, the
retry or the rerun, with the bytes of one run. A Kubernetes Job against its schema. What is
not installed is skipped, loudly; Dask is in bindings/python/tests/test_jobs.py.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ROOT, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
RECIPES = ROOT / "examples/cluster"
SHARDS = 4


def lacks(*programs):
    paths = os.environ["PATH"] + ":/usr/sbin"
    missing = [p for p in programs if shutil.which(p, path=paths) is None]
    return f"no {', '.join(missing)}" if missing else None


def skip_unless(*programs):
    why = lacks(*programs)
    if why:
        print(f"SKIP: {why}: NOT tested", flush=True)
    return unittest.skipIf(why, why)


def children(marker):
    """Processes of gpa explain whose command line has `marker`."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = pathlib.Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"/gpa") and b"explain" in words[:2] and any(
                marker.encode() in word for word in words):
            found.append(int(entry))
    return found


def wait_for(what, seconds, why):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{why}: not within {seconds} s")


def wait_until_kept(work, n):
    """Until n journals have grown since they were seen first: each keeps an explanation."""
    first = {}

    def grown():
        sizes = {p: p.stat().st_size for p in (work / "journal").glob("*.gpaj")}
        for path, size in sizes.items():
            if size > 0:
                first.setdefault(path, size)
        return sum(size > first.get(path, size) for path, size in sizes.items()) >= n
    wait_for(grown, 60, f"{n} journals that grow")


class Recipes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp(prefix="gpa-cluster-"))
        os.chmod(cls.top, 0o755)
        r = random.Random(5)
        lines = ["a,b,c,d,y"]
        for _ in range(48):
            x = [r.gauss(0, 1) for _ in range(4)]
            lines.append(",".join("%.6f" % v for v in [*x, x[0] + x[2] * x[3] + r.gauss(0, 1)]))
        (cls.top / "d.csv").write_text("\n".join(lines) + "\n")
        # a few seconds of work in all
        cls.model = "plugin:" + str(BUILD / "tests/gpa_test_counting_plugin.so")
        cls.env = {**os.environ, "GPA": str(BUILD / "gpa"),
                   "BOTH": f"--model-config {cls.top}/count,150"}
        cls.more = ["--all", "--marginal-rows", "256"]
        one = subprocess.run([cls.env["GPA"], "explain", "--model", cls.model,
                              *cls.env["BOTH"].split(), *cls.more, "--json", cls.top / "d.csv"],
                             stdout=subprocess.PIPE, check=True)
        cls.one = one.stdout

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.top)

    def words(self, recipe, work, n=SHARDS):
        return [str(RECIPES / recipe), str(work), str(n), self.model, str(self.top / "d.csv"),
                *self.more]

    def check(self, work):
        self.assertEqual((work / "all.json").read_bytes(), self.one)
        self.assertTrue(list((work / "journal").iterdir()))

    @skip_unless("parallel")
    def test_parallel(self):
        work = self.top / "parallel"
        child = subprocess.Popen(self.words("parallel.sh", work), env=self.env,
                                 stderr=subprocess.PIPE, text=True)
        victim = wait_for(lambda: children(str(work)), 30, "a worker")[0]
        wait_until_kept(work, 1)
        os.kill(victim, signal.SIGKILL)
        _, err = child.communicate(timeout=120)
        self.assertEqual(child.returncode, 0, err)
        self.check(work)

    @skip_unless("mpirun")
    def test_mpi(self):
        work = self.top / "mpi"
        env = {**self.env, "MPIRUN": "mpirun --oversubscribe" + (
            " --allow-run-as-root" if os.geteuid() == 0 else "")}
        child = subprocess.Popen(self.words("mpi.sh", work), env=env, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
        ranks = wait_for(lambda: len(p := children(str(work))) == SHARDS and p, 60, "all ranks")
        wait_until_kept(work, 1)
        os.kill(ranks[1], signal.SIGKILL)
        _, err = child.communicate(timeout=120)
        self.assertNotEqual(child.returncode, 0)
        self.assertFalse((work / "all.json").exists())
        again = subprocess.run(self.words("mpi.sh", work), env=env, timeout=120, text=True,
                               capture_output=True)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("are there already", again.stderr)
        self.check(work)

    def test_kubernetes(self):
        try:
            import yaml
            from jsonschema import Draft202012Validator
        except ImportError as error:
            print(f"SKIP: {error}: the Kubernetes Job is NOT checked", flush=True)
            self.skipTest(str(error))
        job = yaml.safe_load((RECIPES / "kubernetes.yaml").read_text())
        schema = json.loads((ROOT / "tests/cluster/job.schema.json").read_text())
        wrong = [e.message for e in Draft202012Validator(schema).iter_errors(job)]
        self.assertEqual(wrong, [])
        spec = job["spec"]
        command = spec["template"]["spec"]["containers"][0]["command"]
        self.assertEqual(command[command.index("--shards") + 1], str(spec["completions"]))
        # what the container would do, with the number that Kubernetes sets
        data = self.top / "d.csv"
        done = subprocess.run(
            [self.env["GPA"], "explain", "--model", self.model, *self.env["BOTH"].split(),
             "--rows", "1-3", "--marginal-rows", "256",
             *command[command.index("--shard"):command.index("--out")], str(data)],
            env={**self.env, "JOB_COMPLETION_INDEX": "2"}, capture_output=True, text=True)
        self.assertEqual(json.loads(done.stdout)["shard"]["index"], 3, done.stderr)

    @skip_unless("slurmctld", "slurmd", "munged", "sbatch")
    def test_slurm(self):
        if os.geteuid() != 0:
            self.skipTest("Slurm's daemons want root")
        with Slurm(self.top / "slurm") as slurm:
            work = self.top / "array"
            env = {**self.env, "SLURM_CONF": str(slurm.conf)}
            subprocess.run(self.words("slurm.sh", work), env=env, check=True, timeout=60,
                           stdout=subprocess.DEVNULL)
            wait_for(lambda: len(children(str(work))) >= 2, 60, "two tasks")
            wait_until_kept(work, 2)
            slurm.kill_node("n2")
            wait_for(lambda: "down" in slurm.states(), 90, "a node that is down")
            slurm.start_node("n2")
            wait_for(lambda: (work / "all.json").exists(), 180, "the merged result; "
                     + slurm.said())
            self.check(work)
            said = "".join(p.read_text() for p in work.glob("explain-*.log"))
            self.assertIn("are there already", said)  # the requeued task went on


class Slurm:
    """slurmctld and two slurmd, with a munged of their own; in one folder."""

    CONF = """\
ClusterName=gpatest
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmctldPort={ports[0]}
AuthType=auth/munge
AuthInfo=socket={at}/munge.sock,cred_expire=5
CredType=cred/munge
StateSaveLocation={at}/state
SlurmdSpoolDir={at}/spool-%n
SlurmctldPidFile={at}/slurmctld.pid
SlurmdPidFile={at}/slurmd-%n.pid
SlurmctldLogFile={at}/slurmctld.log
SlurmdLogFile={at}/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=5
KillWait=2
MinJobAge=300
MailProg=/bin/true
JobRequeue=1
SlurmdParameters=config_overrides
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname={host} Port={ports[1]} CPUs=1 State=UNKNOWN
NodeName=n2 NodeAddr=127.0.0.1 NodeHostname={host} Port={ports[2]} CPUs=1 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""

    def __init__(self, at):
        self.at, self.conf, self.running = at, at / "slurm.conf", {}
        at.mkdir(mode=0o755)
        for name in ("state", "spool-n1", "spool-n2"):
            (at / name).mkdir()
        (at / "munge.key").write_bytes(os.urandom(1024))
        os.chmod(at / "munge.key", 0o400)
        listening = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
        ports = [s.getsockname()[1] for s in listening]
        for s in listening:
            s.close()
        self.conf.write_text(self.CONF.format(
            host=socket.gethostname().split(".")[0], at=at, ports=ports))
        self.env = {**os.environ, "SLURM_CONF": str(self.conf),
                    "PATH": os.environ["PATH"] + ":/usr/sbin"}

    def start(self, name, *words):
        self.running[name] = subprocess.Popen(
            words, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)

    def start_node(self, name):
        self.start(name, "slurmd", "-D", "-N", name)

    def __enter__(self):
        self.start("munged", "munged", "--foreground", "--force",
                   *[f"--{kind}={self.at}/munge.{end}" for kind, end in
                     (("key-file", "key"), ("socket", "sock"), ("pid-file", "pid"),
                      ("log-file", "log"), ("seed-file", "seed"))])
        wait_for((self.at / "munge.sock").exists, 20, "munged")
        self.start("slurmctld", "slurmctld", "-D")
        self.start_node("n1")
        self.start_node("n2")
        wait_for(lambda: self.states() == ["idle", "idle"], 60, "two idle nodes")
        return self

    def states(self):
        found = subprocess.run(["sinfo", "-h", "-N", "-o", "%T"], env=self.env,
                               capture_output=True, text=True).stdout
        return found.replace("*", "").split()

    def said(self):
        return "; ".join(p.read_text(errors="replace")[-400:] for p in self.at.glob("*.log")
                         if os.access(p, os.R_OK))

    def of_node(self, name):
        """slurmd, its steps and all they started, which carry the node's name."""
        found = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                environment = pathlib.Path("/proc", entry, "environ").read_bytes()
                words = pathlib.Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            ours = str(self.conf).encode() in environment
            if ours and (f"SLURMD_NODENAME={name}".encode() in environment
                         or (b"slurmstepd" in words[0] and self.step_node(entry) == name)):
                found.append(int(entry))
        return found

    @staticmethod
    def step_node(pid):
        """The node of a step by its children."""
        try:
            tasks = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            for task in tasks:
                for word in pathlib.Path("/proc", task, "environ").read_bytes().split(b"\0"):
                    if word.startswith(b"SLURMD_NODENAME="):
                        return word.split(b"=")[1].decode()
        except OSError:
            pass
        return None

    def kill_node(self, name):
        """As if the machine were gone."""
        victims = self.of_node(name)
        self.running[name].kill()
        self.running.pop(name).wait()
        for pid in victims:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        assert victims, f"nothing ran on {name}"

    def __exit__(self, *_):
        for name in ("n1", "n2", "slurmctld", "munged"):
            child = self.running.get(name)
            if child is not None:
                child.terminate()
                try:
                    child.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    child.kill()
                    child.wait()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
