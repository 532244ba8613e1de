#!/usr/bin/env python3
"""test_serve.py ROOT BUILD: what `gpa serve` answers: the contract of docs/openapi.json, the
bytes of the command, filters against a plain reading of the file, stages, cancelling, models
that die, the end. Needs jsonschema for the contract; without it that part is skipped."""
import contextlib
import csv
import json
import pathlib
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from serve_support import Served, quoted, run  # noqa: E402

ROOT, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
GPA = BUILD / "gpa"
MODEL, DATA = "examples/diabetes/model.json", "examples/diabetes/spoilt.csv"
WORDS = ["--model", MODEL, "--target", "progression"]
API = json.loads((ROOT / "docs/openapi.json").read_text(encoding="utf-8"))
OWN = {"age": 37, "sex": 1, "bmi": 51.3765, "bp": 88, "s1": 223, "s2": 142, "s3": 65, "s4": 3.4,
       "s5": 4.3567, "s6": 82, "progression": 94}
SERVED = None


def command(*words, stdin=None):
    return subprocess.run([GPA, *map(str, words)], cwd=ROOT, input=stdin, capture_output=True,
                          check=True).stdout


def test_contract():
    """Every answer is as openapi.json says, and everything in it is there."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        print("  SKIP: no jsonschema: answers are NOT held against docs/openapi.json")
        return
    schemas = API["components"]["schemas"]
    for ref in re.findall(r'"\$ref": ?"#/components/schemas/(\w+)"', json.dumps(API)):
        assert ref in schemas, ref
    names = [o["operationId"] for p in API["paths"].values() for o in p.values()]
    assert len(names) == len(set(names))

    def check(name, value):
        schema = {**schemas[name], "components": API["components"]}
        Draft202012Validator.check_schema(schema)
        faults = list(Draft202012Validator(schema).iter_errors(value))
        assert not faults, (name, faults[0].message[:300], list(faults[0].path))
    for name in schemas:
        Draft202012Validator.check_schema({**schemas[name], "components": API["components"]})
    check("Health", SERVED.get("healthz"))
    check("Study", SERVED.get("api/v1/study"))
    check("Rows", SERVED.get("api/v1/rows?limit=100"))
    check("Rows", SERVED.get("api/v1/rows?at=3"))
    check("Map", SERVED.get("api/v1/map"))
    check("Predictions", SERVED.post("api/v1/predict", {"rows": [10], "edits": {"bmi": 25.2}}))
    check("Verdicts", SERVED.post("api/v1/who", {"rows": [10, 3]}))
    check("Rows", SERVED.get("api/v1/rows?limit=100"))
    check("Explanation", SERVED.post("api/v1/explain", {"rows": [10]}))
    check("Comparison", SERVED.post("api/v1/compare", {"rows": [10]}))
    check("Command", SERVED.get("api/v1/command?rows=10"))
    for question in ({"rows": [10]}, {"row": OWN}, {"rows": [OWN], "collective": True, "until": "verdict"},
                     {"rows": [1], "edits": {"bmi": 1}, "freeze": ["age"], "bounds": {"bp": [70, None]}},
                     {"rows": [1], "bounds": {"bp": "data"}}):
        check("Question", question)
    for path, operations in API["paths"].items():
        for method, operation in operations.items():
            filled = path.strip("/").replace("{job}", "1")
            needed = {"rows": "10", "format": "json"}
            if method == "get" and any(p["name"] == "rows" and "63" in p["description"]
                                       for p in operation.get("parameters", [])):
                filled += "?" + quoted(**needed)
            body = {"rows": [10], "format": "json"} if method == "post" else None
            body = {"rows": [10]} if path.endswith("who") else body
            status, headers, data = SERVED.ask(method.upper(), filled, body)
            assert str(status) in operation["responses"], (method, path, status, data[:200])
            kinds = operation["responses"][str(status)].get("content", {headers.get("Content-Type"): 0})
            assert any((headers.get("Content-Type") or "").startswith(k or "") for k in kinds), (path, headers)
            if status >= 400:
                check("Problem", json.loads(data))


def test_same_bytes():
    """What is asked over HTTP is what the command says, to the byte."""
    cases = [(["--rows", "10"], {"rows": "10"}), (["--rows", "3,10,61"], {"rows": "61,3,10"}),
             (["--rows", "10,61", "--collective"], {"rows": "10,61", "collective": "1"}),
             (["--rows", "10", "--set", "bmi=25.2", "--set", "progression=120", "--freeze", "age,sex",
               "--bounds", "bp=70:110"],
              {"rows": "10", "set": ["bmi=25.2", "progression=120"], "freeze": "age,sex", "bounds": "bp=70:110"}),
             (["--rows", "5", "--marginals", "none", "--seed", "7"], {"rows": "5", "marginals": "none", "seed": "7"})]
    for words, parameters in cases:
        for name, option in (("json", "--json"), ("json-full", "--json-full"), ("csv", "--csv")):
            want = command("explain", *WORDS, *words, option, DATA)
            got = SERVED.ask("GET", "api/v1/report?" + quoted(format=name, **parameters))[2]
            assert got == want, (words, name)
        assert SERVED.ask("GET", "api/v1/explain?" + quoted(**parameters))[2] == \
            command("explain", *WORDS, *words, "--json", DATA)
        line = SERVED.get("api/v1/command?" + quoted(format="csv", **parameters))["command"]
        assert line.startswith("gpa explain "), line
        assert command(*shlex.split(line)[1:]) == command("explain", *WORDS, *words, "--csv", DATA)
    body = {"rows": [10], "edits": {"bmi": 25.2, "progression": 120}, "freeze": ["age", "sex"],
            "bounds": {"bp": [70, 110], "s1": "data"}}
    want = command("explain", *WORDS, "--rows", "10", "--set", "bmi=25.2", "--set", "progression=120",
                   "--freeze", "age", "--freeze", "sex", "--bounds", "bp=70:110", "--bounds", "s1=data", "--json", DATA)
    assert SERVED.ask("POST", "api/v1/explain", body)[2] == want
    assert SERVED.ask("POST", "api/v1/explain", {**body, "bounds": {"bp": "70:110"}})[0] == 400
    want = command("compare", *WORDS, "--rows", "10,3", "--json", DATA)
    assert SERVED.ask("POST", "api/v1/compare", {"rows": [10, 3]})[2] == want
    assert SERVED.ask("GET", "api/v1/report?of=compare&format=json&rows=3,10")[2] == want
    want = command("compare", *WORDS, "--rows", "10", "--set", "bmi=25.2", "--set", "progression=300", "--json", DATA)
    assert SERVED.ask("POST", "api/v1/compare",
                      {"rows": [10], "edits": {"bmi": 25.2, "progression": 300}})[2] == want
    edited, before = (json.loads(command("compare", *WORDS, "--rows", "10", *more, "--json", DATA))["rows"][0]
                      for more in (["--set", "bmi=25.2", "--set", "progression=300"], []))
    assert edited["y"] == 300 and edited["f"] != before["f"], (edited, before)


def test_same_files():
    """Pages and pictures, too."""
    with tempfile.TemporaryDirectory() as folder:
        command("explain", *WORDS, "--rows", "10", "--html", f"{folder}/p.html", "--svg", folder, DATA)
        command("compare", *WORDS, "--rows", "10", "--html", f"{folder}/c.html", "--svg", folder, DATA)
        cases = [("p.html", {"format": "html"}), ("c.html", {"format": "html", "of": "compare"}),
                 ("scores.svg", {"format": "svg", "picture": "scores"}),
                 ("row-10-litmus.svg", {"format": "svg", "picture": "litmus", "of": "compare"})]
        cases += [(f"row-10-{k}.svg", {"format": "svg", "picture": k})
                  for k in ("distributions", "forest", "scatter", "profile")]
        if "png" in SERVED.get("api/v1/study")["formats"]:
            command("explain", *WORDS, "--rows", "10", "--png", folder, DATA)
            cases.append(("row-10-forest.png", {"format": "png", "picture": "forest"}))
        else:
            print("  SKIP: no rsvg-convert: PNG is NOT compared")
        for name, parameters in cases:
            status, headers, data = SERVED.ask("GET", "api/v1/report?" + quoted(rows=10, download=1, **parameters))
            assert status == 200 and data == (pathlib.Path(folder) / name).read_bytes(), name
            assert headers["Content-Disposition"].startswith('attachment; filename="gpa-row-10'), headers
    assert SERVED.ask("GET", "api/v1/report?rows=10&format=svg&picture=nonsense")[0] == 400


def test_own_rows():
    """A row that is in no file: as `gpa explain --reference` says, with the line that asks it."""
    text = "age,sex,bmi,bp,s1,s2,s3,s4,s5,s6,progression\n37,1,51.3765,88,223,142,65,3.4,4.3567,82,94\n"
    want = command("explain", *WORDS, "--reference", DATA, "--json", "-", stdin=text.encode())
    for body in ([OWN], {"row": OWN}, {"rows": [OWN]}):
        assert SERVED.ask("POST", "api/v1/explain", body)[2] == want
    assert SERVED.ask("GET", "api/v1/explain?" + quoted(row=json.dumps(OWN)))[2] == want
    line = SERVED.post("api/v1/command", {"row": OWN, "format": "json"})["command"]
    said = subprocess.run(["sh", "-c", line.replace("| gpa ", f"| {GPA} ")], cwd=ROOT, capture_output=True, check=True)
    assert said.stdout == want
    want = command("compare", *WORDS, "--reference", DATA, "--json", "-", stdin=text.encode())
    assert SERVED.ask("POST", "api/v1/compare", {"row": OWN})[2] == want
    edited = {"row": OWN, "edits": {"bmi": 25.2}}
    f = SERVED.post("api/v1/predict", edited)["rows"][0]["f"]
    assert f == SERVED.post("api/v1/predict", {"rows": [10], "edits": {"bmi": 25.2}})["rows"][0]["f"]
    two = json.loads(SERVED.ask("POST", "api/v1/explain", [OWN, {**OWN, "bmi": 24}])[2])
    assert [e["rows"] for e in two["explanations"]] == [[0], [1]]
    for bad, word in (({**OWN, "bim": 1}, "bmi"), ({k: v for k, v in OWN.items() if k != "bmi"}, "missing"),
                      ({**OWN, "bmi": "fat"}, "fat"), ({**OWN, "progression": None}, "progression")):
        assert word in SERVED.post("api/v1/explain", {"row": bad}, 400)["detail"]


def test_rows():
    """Filters, orders and pages, against the file itself."""
    with open(ROOT / DATA, encoding="utf-8") as file:
        table = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    scores = {r["row"]: r for r in json.loads(command("score", *WORDS, "--json", DATA))["rows"]}
    study = SERVED.get("api/v1/study")
    assert study["rows"] == len(table) and study["scored"] == len(table)

    def rows(**parameters):
        got = SERVED.get("api/v1/rows?" + quoted(limit=500, **parameters))
        assert got["matching"] == len(got["rows"])
        return got["rows"]
    everything = rows()
    assert [r["row"] for r in everything] == list(scores)  # worst first, as gpa score
    for r in everything:
        assert [r["y"], r["f"], r["score"]] == [scores[r["row"]][k] for k in ("y", "f", "score")]
        assert r["x"] == [table[r["row"]][k] for k in study["features"]]
    wanted = {i for i, r in enumerate(table) if 20 <= r["bmi"] <= 30 and r["bp"] <= 90}
    assert {r["row"] for r in rows(where=["bmi:20..30", "bp:..90"])} == wanted
    assert {r["row"] for r in rows(where="sex:2")} == {i for i, r in enumerate(table) if r["sex"] == 2}
    sigma = study["sigma"]
    off = {i: (s["y"] - s["f"]) / sigma for i, s in scores.items()}
    assert {r["row"] for r in rows(off="-3..-1")} == {i for i, v in off.items() if -3 <= v <= -1}
    assert {r["row"] for r in rows(verdict="normal")} == {i for i, v in off.items() if abs(v) <= 2}
    assert {r["row"] for r in rows(verdict="strange")} == {i for i, v in off.items() if abs(v) > 2}
    assert {r["row"] for r in rows(f="100..150", y="..120")} == \
        {i for i, s in scores.items() if 100 <= s["f"] <= 150 and s["y"] <= 120}
    assert {r["row"] for r in rows(score="6..")} == {i for i, s in scores.items() if s["score"] >= 6}
    assert {r["row"] for r in rows(q="7")} == {i for i in scores if "7" in str(i)}
    assert rows(where="bmi:5..6") == []
    for sort, key in (("x:bmi", lambda i: table[i]["bmi"]), ("y", lambda i: table[i]["progression"]),
                      ("row", lambda i: i), ("off", lambda i: off[i])):
        up = sorted(range(len(table)), key=lambda i: (key(i), i))
        assert [r["row"] for r in rows(sort=sort)] == up, sort
        down = sorted(range(len(table)), key=lambda i: (-key(i), i))
        assert [r["row"] for r in rows(sort="-" + sort)] == down, sort
    page = SERVED.get("api/v1/rows?sort=row&offset=20&limit=7")
    assert [r["row"] for r in page["rows"]] == list(range(20, 27)) and page["matching"] == len(table)
    page = SERVED.get("api/v1/rows?at=10&limit=7&sort=row")
    assert page["offset"] == 7 and page["at_index"] == 10
    assert SERVED.get("api/v1/rows?at=10&where=bmi:5..6")["at_index"] is None
    for bad in ("sort=nobody", "where=bmi", "where=nobody:1..2", "where=bmi:x..y", "score=1", "limit=501",
                "offset=-1", "verdict=guilty"):
        assert SERVED.ask("GET", "api/v1/rows?" + bad)[0] == 400, bad
    points = SERVED.get("api/v1/map?where=bmi:20..30")["points"]
    assert {p[0]: p[1:] for p in points} == {i: [scores[i]["f"], scores[i]["y"], scores[i]["score"]]
                                             for i, r in enumerate(table) if 20 <= r["bmi"] <= 30}
    residuals = SERVED.get("api/v1/map")["residuals"]
    counts = [sum(residuals["low"] + 0.5 * b <= v < residuals["low"] + 0.5 * b + 0.5 for v in off.values())
              for b in range(len(residuals["counts"]))]
    assert residuals["counts"] == counts and sum(counts) == len(table)
    SERVED.post("api/v1/who", {"rows": [10, 61]})
    known = rows(verdict="input")
    assert [r["row"] for r in known] and all(r["who"]["verdict"] == "input" for r in known)
    bmi = [i for i in study["inputs"] if i["name"] == "bmi"][0]
    values = [r["bmi"] for r in table]
    assert (bmi["min"], bmi["max"], sum(bmi["histogram"]["counts"])) == (min(values), max(values), len(values))


def test_stages():
    """The verdict first, then the change, then everything; the last is the command's bytes."""
    got = list(SERVED.events("api/v1/explain", {"rows": [10]}))
    assert [e[0] for e in got] == ["start", "answer", "verdict", "answer", "change", "answer",
                                   "explanation", "done"], [e[0] for e in got]
    by = {name: json.loads(data) for name, _, data in got}
    verdict, change, whole = (by[k]["explanations"][0] for k in ("verdict", "change", "explanation"))
    assert "delta" not in verdict and "marginals" not in verdict
    assert "delta" in change and "marginals" not in change and whole["marginals"]
    for key in ("verdict", "culprit", "kinds", "x", "y", "f", "score"):
        assert verdict[key] == whole[key] and change[key] == whole[key], key
    assert change["delta"] == whole["delta"]
    data = next(d for n, _, d in got if n == "explanation")
    assert data.encode() + b"\n" == command("explain", *WORDS, "--rows", "10", "--json", DATA)
    assert command(*shlex.split(by["done"]["command"])[1:]) == data.encode() + b"\n"
    short = [e[0] for e in SERVED.events("api/v1/explain?rows=10&until=verdict")]
    assert short == ["start", "answer", "verdict", "done"], short
    each = [(n, i) for n, i, _ in SERVED.events("api/v1/explain", {"rows": [3, 10, 61]})
            if n == "explanation"]
    assert each == [("explanation", 0), ("explanation", 1), ("explanation", 2)]
    profiles = [json.loads(d) for n, _, d in SERVED.events("api/v1/explain?rows=10&profiles=1") if n == "verdict"]
    assert profiles[0]["explanations"][0]["profiles"]
    who = [json.loads(d) for n, _, d in SERVED.events("api/v1/who", {"rows": [10]}) if n == "who"]
    assert who[0]["first"] == "bmi" and who[0]["verdict"] == "input"
    assert (who[0]["also"], who[0]["exchanged"]) == ([], False)


def test_exchanged():
    """The list names both columns of a row in which two are exchanged."""
    with tempfile.TemporaryDirectory() as folder:
        data, model = pathlib.Path(folder, "data.csv"), pathlib.Path(folder, "model.json")
        rng = random.Random(1)
        rows = [[rng.gauss(85, 6), rng.gauss(120, 15), rng.gauss(7, .4)] for _ in range(120)]
        y = [.9 * a - .1 * b - 4 * c + rng.gauss(0, 1) for a, b, c in rows]
        rows[7][:2] = rows[7][1::-1]
        data.write_text("temp,flow,ph,y\n" + "".join(
            ",".join(f"{v:.2f}" for v in [*x, t]) + "\n" for x, t in zip(rows, y)))
        model.write_text('{"type": "linear", "w": [0.9, -0.1, -4], "b": 0}')
        with Served(GPA, "--model", f"linear:{model}", data) as s:
            who = [json.loads(d) for n, _, d in s.events("api/v1/who", {"rows": [7]}) if n == "who"]
            (e,) = s.post("api/v1/explain", {"rows": [7]})["explanations"]
            words = next(json.loads(d) for n, _, d in s.events("api/v1/explain", {"rows": [7]}) if n == "answer")
    assert (who[0]["first"], who[0]["also"], who[0]["exchanged"]) == ("temp", ["flow"], True), who
    # what is to be set: each the other's value, whole as it was recorded
    temp, flow, *others = [line for line in words["lines"] if "column" in line]
    assert [(line["column"], line["set"], line["exchanged"], line["range"], line["low"]) for line in (temp, flow)] == [
        (0, repr(round(rows[7][1], 2)), 1, "exchanged", None), (1, repr(round(rows[7][0], 2)), 0, "exchanged", None)], words
    assert not any("exchanged" in line for line in [*others, words["lines"][-1]])
    # one number for one thing: in the list, and in the sentence
    assert e["verdict"]["text"].endswith(
        "; %.0f %% that they are exchanged." % (100 * who[0]["responsible"])), (who, e["verdict"])


class Slow:
    """A server whose model is a child that takes its time, or dies, when told to."""

    def __init__(self, folder, delay=0.0, rows=40, words=(), wait=True):
        self.file = pathlib.Path(folder) / "word"
        self.say(delay)
        data = pathlib.Path(folder) / "data.csv"
        data.write_text("x1,x2,y\n" + "".join(
            f"{i % 7 + 0.1 * i},{i % 5},{i % 7 + 0.1 * i + 2 * (i % 5) + 0.1 * (i % 3) + (9 if i == 4 else 0)}\n"
            for i in range(rows)))
        child = f"exec:{sys.executable} {ROOT}/tests/servers/slow.py {self.file}"
        self.served = Served(GPA, "--model", child, "--threads", 2, *words, data, wait=wait)

    def say(self, word):
        self.file.write_text(str(word))

    def calls(self):
        return len(pathlib.Path(f"{self.file}.calls").read_text().split())


def test_cancel():
    """DELETE, and a closed connection, end the work within a call of the model."""
    with tempfile.TemporaryDirectory() as folder:
        slow = Slow(folder)
        with slow.served as s:
            list(s.events("api/v1/explain?rows=4"))
            slow.say(0.4)
            for how in ("delete", "close"):
                stream = s.events("api/v1/explain", {"rows": [4, 5, 6, 7]})
                job = json.loads(next(stream)[2])["job"]
                time.sleep(0.2)
                if how == "delete":
                    assert s.ask("DELETE", f"api/v1/jobs/{job}")[0] == 204
                    last = list(stream)[-1]
                    assert last[0] == "problem" and json.loads(last[2])["status"] == 409, last
                    assert s.ask("DELETE", f"api/v1/jobs/{job}")[0] == 404
                else:
                    stream.close()
                before = slow.calls()
                time.sleep(1.5)
                assert slow.calls() <= before + 1, (how, before, slow.calls())
                metrics = s.ask("GET", "metrics")[2].decode()
                assert "gpa_jobs_running 0" in metrics, metrics
            slow.say(0)
            assert [e[0] for e in s.events("api/v1/explain?rows=4")][-1] == "done"


def test_dead_child():
    """A model that dies is named, the server lives, and it goes on when the model does."""
    with tempfile.TemporaryDirectory() as folder:
        slow = Slow(folder)
        with slow.served as s:
            slow.say("die")
            problem = s.post("api/v1/explain", {"rows": [4]}, 502)
            assert "exit" in problem["detail"] or "ended" in problem["detail"], problem
            assert s.post("api/v1/predict", {"rows": [4], "edits": {"x1": 1}}, 502)["title"] == "The model failed"
            assert s.get("api/v1/rows")["matching"] == 40
            slow.say(0)
            assert s.post("api/v1/predict", {"rows": [4], "edits": {"x1": 1}})["rows"][0]["f"] == 9
            assert s.post("api/v1/explain", {"rows": [4]})["explanations"]
        slow = Slow(folder, delay="die", wait=False)
        with slow.served as s:
            assert s.until_ready() == "failed"
            study = s.get("api/v1/study")
            assert study["problem"]["status"] == 502 and study["problem"]["detail"], study["problem"]
            assert s.ask("POST", "api/v1/explain", {"rows": [4]})[0] == 502


def test_scoring():
    """The page is there before the scores are; scoring can be stopped."""
    with tempfile.TemporaryDirectory() as folder:
        slow = Slow(folder, delay=0.3, rows=200, words=("--batch", 20), wait=False)
        with slow.served as s:
            assert s.ask("GET", "")[0] == 200
            study = s.get("api/v1/study")
            assert study["state"] == "scoring" and study["sigma"] is None and study["inputs"][0]["name"] == "x1"
            problem = s.post("api/v1/explain", {"rows": [4]}, 409)
            assert "of 200 rows are scored" in problem["detail"]
            assert s.ask("DELETE", "api/v1/scoring")[0] == 204
            assert s.until_ready() in ("stopped", "ready")
            assert s.ask("DELETE", "api/v1/scoring")[0] == 409


def test_busy():
    """Who comes when the queue is full is told when to come back."""
    with tempfile.TemporaryDirectory() as folder:
        slow = Slow(folder)
        with slow.served as s:
            slow.say(0.5)
            found = []

            def ask():
                status, headers, _ = s.ask("POST", "api/v1/explain", {"rows": [4], "until": "verdict"})
                found.append((status, headers.get("Retry-After")))
            threads = [threading.Thread(target=ask) for _ in range(90)]
            for t in threads:
                t.start()
            time.sleep(1)
            slow.say(0)
            for t in threads:
                t.join()
            assert {f[0] for f in found} == {200, 503}, {f[0] for f in found}
            assert all(f[1] for f in found if f[0] == 503)


def test_end():
    """SIGTERM and SIGINT end it within 2 s, also in the middle of a slow question."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with tempfile.TemporaryDirectory() as folder:
            slow = Slow(folder)
            with slow.served as s:
                slow.say(0.3)
                stream = s.events("api/v1/explain", {"rows": [4, 5, 6, 7]})
                next(stream)
                seconds, code, said = s.stop(number)
                assert seconds < 2 and code == 0, (seconds, code, said)
                slow.say(60)
    for _ in range(3):  # questions that come until the last moment, and are dropped
        with Served(GPA, *WORDS, DATA, cwd=ROOT) as s:
            line = (f"GET /api/v1/explain?rows=1 HTTP/1.1\r\nHost: {s.name}\r\n"
                    f"Authorization: Bearer {s.token}\r\n\r\n").encode()
            sockets = []
            for i in range(60):
                sockets.append(socket.create_connection((s.host, s.port)))
                sockets[-1].sendall(line * 3)
            for one in sockets[::2]:
                one.close()
            seconds, code, said = s.stop()
            assert seconds < 2 and code == 0 and said == "", (seconds, code, said)
            for one in sockets:
                one.close()
    with tempfile.TemporaryDirectory() as folder:
        slow = Slow(folder)
        with slow.served as s:
            slow.say(60)  # a call that does not end
            stream = s.events("api/v1/explain", {"rows": [4]})
            next(stream)
            seconds, code, said = s.stop()
            assert seconds < 2 and code == 0, (seconds, code, said)


def test_limits_of_the_command_line():
    """Holds and bounds given at the start hold, unless a question says otherwise."""
    words = [*WORDS, "--freeze", "age,sex", "--bounds", "bp=70:110"]
    with Served(GPA, *words, DATA, cwd=ROOT) as s:
        want = command("explain", *words, "--rows", "10", "--json", DATA)
        assert s.ask("GET", "api/v1/explain?rows=10")[2] == want
        want = command("explain", *WORDS, "--rows", "10", "--freeze", "bmi", "--json", DATA)
        assert s.ask("GET", "api/v1/explain?rows=10&freeze=bmi&bounds=")[2] == want
        want = command("explain", *WORDS, "--rows", "10", "--json", DATA)
        assert s.ask("POST", "api/v1/explain", {"rows": [10], "freeze": [], "bounds": {}})[2] == want
        held = [i["name"] for i in s.get("api/v1/study")["inputs"] if i["held"]]
        assert held == ["age", "sex"], held


def test_base_url():
    """Below a path, with the cookie for it alone; the name of the proxy, where it is given."""
    with Served(GPA, *WORDS, "--base-url", "/a/gpa", DATA, cwd=ROOT) as s:
        assert s.base == "/a/gpa/"
        assert s.get("healthz")["status"] == "ok"
        assert s.ask("GET", "/healthz", whole=True)[0] == 404
        assert "Path=/a/gpa/;" in s.ask("GET", f"?token={s.token}", token=False)[1]["Set-Cookie"]
        assert s.ask("GET", "/a/gpa", whole=True)[0] == 200
    with Served(GPA, *WORDS, "--base-url", "https://x.example/gpa/", "--port", "0", DATA, cwd=ROOT,
                wait=False) as s:
        assert s.url.startswith("https://x.example/gpa/?token=")


NGINX = """daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error;
events {{ worker_connections 64; }}
http {{ access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;
  fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{ listen 127.0.0.1:{front};
    location /gpa/ {{ proxy_pass http://127.0.0.1:{back}/gpa/; {more} }} }} }}
"""


def test_proxy():
    """Behind nginx, which passes its own name on, or not."""
    nginx = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if nginx is None:
        print("  SKIP: no nginx: --base-url is NOT tested behind a proxy")
        return
    for more in ("", "proxy_set_header Host $http_host;"):
        with tempfile.TemporaryDirectory() as folder:
            with socket.socket() as a, socket.socket() as b:
                a.bind(("127.0.0.1", 0))
                b.bind(("127.0.0.1", 0))
                front, back = a.getsockname()[1], b.getsockname()[1]
            conf = pathlib.Path(folder) / "conf"
            conf.write_text(NGINX.format(folder=folder, front=front, back=back, more=more))
            proxy = subprocess.Popen([nginx, "-c", conf], stderr=subprocess.DEVNULL)
            try:
                url = f"http://127.0.0.1:{front}"
                with Served(GPA, *WORDS, "--port", back, "--base-url", url + "/gpa/", DATA, cwd=ROOT,
                            wait=False) as s:
                    assert s.url.startswith(f"{url}/gpa/?token="), s.url
                    for _ in range(100):  # it takes a moment
                        with contextlib.suppress(OSError):
                            if s.ask("GET", "healthz")[0] == 200:
                                break
                        time.sleep(0.05)
                    s.until_ready()
                    page, headers, _ = s.ask("GET", f"?token={s.token}", token=False)
                    cookie = {"Cookie": headers["Set-Cookie"].split(";")[0]}
                    assert page == 200 and "Path=/gpa/" in headers["Set-Cookie"]
                    body = {"rows": [10], "edits": {"bmi": 25.2}}
                    for origin, want in ((url, 200), ("http://evil.example", 403), ("null", 403)):
                        got = s.ask("POST", "api/v1/predict", body, {**cookie, "Origin": origin}, token=False)
                        assert got[0] == want, (origin, got)
                    assert [e[0] for e in s.events("api/v1/explain?rows=10")][-1] == "done"
            finally:
                proxy.terminate()
                proxy.wait()


TESTS = [test_contract, test_same_bytes, test_same_files, test_own_rows, test_rows, test_stages, test_exchanged, test_cancel,
         test_dead_child, test_scoring, test_busy, test_end, test_limits_of_the_command_line, test_base_url, test_proxy]

if __name__ == "__main__":
    chosen = [t for t in TESTS if len(sys.argv) < 4 or t.__name__ in sys.argv[3:]]
    try:
        SERVED = Served(GPA, *WORDS, DATA, cwd=ROOT)
    except AssertionError:
        pass  # run() says why
    result = run(chosen, GPA)
    if SERVED is not None:
        assert SERVED.stop()[1] == 0
    sys.exit(result)
