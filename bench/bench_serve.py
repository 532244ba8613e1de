#!/usr/bin/env python3
"""How gpa serve feels with a million rows, and under load.

    python3 bench/bench_serve.py FOLDER GPA [ROWS]        a million rows of ten inputs
    python3 bench/bench_serve.py --load FOLDER GPA [SECONDS]   64 clients (needs wrk)

The table and a network of about 10 us a row are made once, into FOLDER. Every figure
stands beside its target; answers beside a plain `gpa explain` of the same row.
"""
import http.client
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

import numpy as np

INPUTS, ASKED = 10, 60


class Server:
    def __init__(self, gpa, *words):
        self.began = time.perf_counter()
        self.process = subprocess.Popen([gpa, "serve", *map(str, words)],
                                        stdout=subprocess.PIPE)
        line = self.process.stdout.readline().decode()
        self.listening = time.perf_counter() - self.began
        self.port, self.token = re.search(r":(\d+)/\?token=(.*)", line).groups()
        self.http = http.client.HTTPConnection("127.0.0.1", int(self.port))
        while json.loads(self.ask("GET", "healthz")[1])["state"] == "scoring":
            time.sleep(0.01)
        self.scored = time.perf_counter() - self.began

    def ask(self, method, path, body=None):
        """Milliseconds, and the answer."""
        began = time.perf_counter()
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            body = json.dumps(body)
            headers["Content-Type"] = "application/json"
        self.http.request(method, "/" + path, body, headers)
        answer = self.http.getresponse()
        data = answer.read()
        assert answer.status == 200, (path, answer.status, data[:200])
        return 1e3 * (time.perf_counter() - began), data

    def first_event(self, path, name):
        """Milliseconds to an event of a stream, and to its end."""
        began, seen = time.perf_counter(), 0
        self.http.request("GET", "/" + path, None, {"Authorization": f"Bearer {self.token}",
                                                    "Accept": "text/event-stream"})
        answer = self.http.getresponse()
        for line in answer:
            if line.startswith(b"event: " + name):
                seen = time.perf_counter()
        return 1e3 * (seen - began), 1e3 * (time.perf_counter() - began)

    def memory(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return {k: int(re.search(rf"{k}:\s+(\d+)", text)[1]) * 1024 for k in ("VmRSS", "VmHWM")}

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().split()
        return (int(fields[13]) + int(fields[14])) * 10.0  # ms

    def stop(self):
        began = time.perf_counter()
        self.process.terminate()
        assert self.process.wait() == 0
        return time.perf_counter() - began


def make(folder, rows):
    """A table of so many rows, and a network that predicts it up to noise."""
    folder.mkdir(parents=True, exist_ok=True)
    model, data = folder / "net.json", folder / f"rows-{rows}.csv"
    rng = np.random.default_rng(18)
    sizes = [INPUTS, 64, 64, 1]
    layers = [(rng.normal(size=(a, b)) / np.sqrt(a), rng.normal(size=b) * 0.1)
              for a, b in zip(sizes, sizes[1:])]
    if not model.exists():
        model.write_text(json.dumps({"type": "mlp", "activation": "tanh", "layers": [
            {"W": w.tolist(), "b": b.tolist()} for w, b in layers]}))
    if not data.exists():
        x = rng.normal(size=(rows, INPUTS)) @ (np.eye(INPUTS) + 0.3 * rng.normal(size=(INPUTS,) * 2))
        x = np.round(x, 4)
        f = x
        for i, (w, b) in enumerate(layers):
            f = f @ w + b
            f = np.tanh(f) if i + 1 < len(layers) else f
        y = f[:, 0] + 0.1 * rng.normal(size=rows)
        y[::1000] += 1
        names = ",".join(f"x{k + 1}" for k in range(INPUTS)) + ",y"
        with open(data, "w", encoding="ascii") as file:
            file.write(names + "\n")
            for k in range(0, rows, 100000):
                part = np.column_stack([x[k:k + 100000], y[k:k + 100000]])
                np.savetxt(file, part, fmt="%.4f", delimiter=",")
    return model, data


def figure(name, value, unit, target):
    word = "ok" if value <= target else "MISSED"
    print(f"  {name:<52} {value:10.1f} {unit:<3} (at most {target:g})  {word}")


def p95(values):
    return float(np.percentile(values, 95))


def measure(server, name, target, make_path, cpu=True):
    before = server.cpu()
    times = [server.ask("GET", make_path(i))[0] for i in range(ASKED)]
    each = (server.cpu() - before) / ASKED
    figure(f"{name}, 95th percentile", p95(times), "ms", target)
    if cpu:
        print(f"    median {np.median(times):.1f} ms; {each:.1f} ms of processor time each")


def a_million(folder, gpa, rows):
    model, data = make(folder, rows)
    words = ["--model", model, "--target", "y"]
    began = time.perf_counter()
    subprocess.run([gpa, "score", *words, "--top", "1", data], check=True, capture_output=True)
    plain = time.perf_counter() - began
    server = Server(gpa, *words, data)
    after = sum(server.ask("GET", p)[0] for p in ("", "app.js", "api/v1/study", "api/v1/rows", "api/v1/map"))
    table = rows * (INPUTS + 1) * 8
    print(f"gpa serve, {rows:,} rows of {INPUTS} inputs ({table / 1e6:.0f} MB as numbers, "
          f"{data.stat().st_size / 1e6:.0f} MB as CSV)")
    print(f"  listens after {server.listening:.2f} s, scored after {server.scored:.2f} s: "
          f"{server.scored / plain:.2f} times a plain gpa score ({plain:.2f} s)")
    figure("usable after the scores are there", after, "ms", 3000)
    measure(server, "a page of the list", 100, lambda i: f"api/v1/rows?offset={i * 50}")
    measure(server, "a new filter", 100, lambda i: f"api/v1/rows?where=x1:{-1 + i / 99:.3f}..1&where=x2:0..{i / 30:.3f}")
    measure(server, "a search", 100, lambda i: f"api/v1/rows?q={7000 + i}")
    measure(server, "the map of a new filter", 100, lambda i: f"api/v1/map?where=x3:{-1 + i / 99:.3f}..")
    first = [server.ask("GET", f"api/v1/rows?sort=x:x{k}")[0] for k in range(1, 9)]
    figure("the first page in another order (sorted then)", p95(first), "ms", 1000)
    memory = server.memory()
    figure("memory, times the table", memory["VmRSS"] / table, "", 3)
    figure("memory at most, times the table", memory["VmHWM"] / table, "", 3)
    at = [1000 * i for i in range(1, 21)]
    stages = [server.first_event(f"api/v1/explain?rows={r}", b"verdict") for r in at]
    figure("who did it, median", float(np.median([s[0] for s in stages])), "ms", 50)
    figure("the whole answer, median", float(np.median([s[1] for s in stages])), "ms", 200)
    began = time.perf_counter()
    subprocess.run([gpa, "explain", *words, "--rows", "1000", "--json", data], check=True, capture_output=True)
    alone = time.perf_counter() - began
    print(f"    a plain gpa explain of the same row, file and all: {1e3 * alone:.0f} ms, "
          f"{1e3 * alone / np.median([s[1] for s in stages]):.0f} times as long")
    slides = [server.ask("POST", "api/v1/predict", {"rows": [1000], "edits": {"x1": i / 50}})[0] for i in range(ASKED)]
    figure("a slider moved: new f, 95th percentile", p95(slides), "ms", 20)
    figure("end after SIGTERM", server.stop(), "s", 2)


LUA = """
local n = 0
wrk.headers["Authorization"] = "Bearer %s"
request = function()
  n = n + 1
  if n %% 5 == 0 then
    return wrk.format("GET", "/api/v1/explain?rows=" .. n %% 400 .. "&until=verdict")
  elseif n %% 5 == 1 then
    wrk.headers["Content-Type"] = "application/json"
    return wrk.format("POST", "/api/v1/predict", nil, '{"rows":[' .. n %% 400 .. '],"edits":{"x1":0.5}}')
  elseif n %% 5 == 2 then
    return wrk.format("GET", "/api/v1/map")
  elseif n %% 50 == 3 then
    return wrk.format("GET", "/api/v1/explain?rows=" .. n %% 400)
  end
  return wrk.format("GET", "/api/v1/rows?where=x1:" .. n %% 100 / 100 - 1 .. "..1")
end
local codes = {}
response = function(status)
  codes[status] = (codes[status] or 0) + 1
  if status ~= 200 and status ~= 503 then print("STATUS", status) end
end
"""


def load(folder, gpa, seconds):
    if shutil.which("wrk") is None:
        print("SKIPPED: no wrk")
        return
    model, data = make(folder, 2000)
    server = Server(gpa, "--model", model, "--target", "y", data)
    script = folder / "load.lua"
    script.write_text(LUA % server.token)

    def run(length):
        return subprocess.run(["wrk", "-t2", "-c64", f"-d{length}s", "--timeout", "30s", "-s", script,
                               f"http://127.0.0.1:{server.port}/"], check=True, capture_output=True,
                              text=True).stdout
    run(max(5, seconds // 6))  # warm
    before = server.memory()["VmRSS"]
    said = run(seconds)
    after = server.memory()["VmRSS"]
    server.http.close()  # it was idle, and cut
    metrics = server.ask("GET", "metrics")[1].decode()
    count = {k: int(re.search(rf'class="{k}"}} (\d+)', metrics)[1]) for k in ("2xx", "4xx", "5xx")}
    print(re.sub(r"^STATUS.*\n", "", said, flags=re.M).strip())
    explained = re.search(r"gpa_explanations_total (\d+)", metrics)[1]
    print(f"answers by class: {count} (4xx: what clients left when wrk ended); explanations {explained}")
    odd = len(re.findall("^STATUS", said, flags=re.M)) + max(0, count["4xx"] - 2 * 64)
    errors = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", said)
    odd += sum(int(e) for e in errors.groups()) if errors else 0
    figure("answers that are neither 200 nor 503, and errors", odd, "", 0)
    figure("memory that it grew by after the warm-up", (after - before) / 1e6, "MB", 8)
    figure("end after SIGTERM", server.stop(), "s", 2)
    if odd:
        sys.exit(1)


def main():
    words = [w for w in sys.argv[1:] if w != "--load"]
    folder, gpa = pathlib.Path(words[0]), pathlib.Path(words[1]).resolve()
    if "--load" in sys.argv:
        load(folder, gpa, int(words[2]) if len(words) > 2 else 60)
    else:
        a_million(folder, gpa, int(words[2]) if len(words) > 2 else 1000000)


if __name__ == "__main__":
    main()
