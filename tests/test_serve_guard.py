#!/usr/bin/env python3
"""test_serve_guard.py ROOT BUILD: who is let in by `gpa serve`, and what is not: hosts,
origins, tokens, methods, paths, sizes, slow and many clients, pairs that smuggle."""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import socket
import stat
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from serve_support import Served, run, statuses  # noqa: E402

ROOT, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
GPA = BUILD / "gpa"
MODEL = ROOT / "examples/diabetes/model.json"
DATA = ROOT / "examples/diabetes/spoilt.csv"
WORDS = ["--model", MODEL, "--target", "progression"]
SERVED = None
PRIVATE = ["metrics", "api/v1/study", "api/v1/rows", "api/v1/map", "api/v1/explain?rows=1",
           "api/v1/report?format=json&rows=1", "api/v1/command?rows=1", "app.js", ""]


def head(path, method="GET", host=None, extra="", version="HTTP/1.1"):
    host = SERVED.name if host is None else host
    named = f"Host: {host}\r\n" if host is not False else ""
    return f"{method} {path} {version}\r\n{named}Connection: close\r\n{extra}\r\n".encode()


def bearer():
    return f"Authorization: Bearer {SERVED.token}\r\n"


def test_hosts():
    """A foreign host gets 403 before anything else, whatever it has besides."""
    port = SERVED.port
    good = [f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", f"[::1]:{port}"]
    bad = ["evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "127.0.0.1",
           f"127.0.0.1:{port + 1}", f"127.0.0.1:{port}0", f"127.0.0.1:0{port}", f"localhost.:{port}",
           f"0x7f000001:{port}", f"2130706433:{port}", f"127.0.0.1:{port}@evil.example",
           f"user@127.0.0.1:{port}", "", f"127.0.0.1:{port},evil.example", f"[::1]x:{port}", f"::1:{port}",
           f"127.0.0.1:{port}/", f"0.0.0.0:{port}", f"127.1:{port}"]
    for host in good:
        assert SERVED.status(head("/api/v1/rows", host=host, extra=bearer())) == [200], host
    for host in bad:
        for path in ("/", "/healthz", "/api/v1/rows", "/nowhere", f"/?token={SERVED.token}"):
            got = SERVED.status(head(path, host=host, extra=bearer()))
            assert got == [403] or (host == "" and got == [400]), (host, path, got)
    twice = f"Host: {SERVED.name}\r\n" + bearer()
    assert SERVED.status(head("/healthz", host="evil.example", extra=twice)) in ([403], [400])
    assert SERVED.status(head("/healthz", extra=twice)) in ([403], [400])
    assert SERVED.status(head("/healthz", host=False)) in ([403], [400])
    assert SERVED.status(head("/healthz", host=False, version="HTTP/1.0")) in ([403], [400])
    # the whole address in the request line counts for nothing
    assert SERVED.status(head(f"http://evil.example/healthz", extra=bearer())) in ([400], [403])


def test_origins():
    own = f"http://{SERVED.name}"
    bad = ["null", "http://evil.example", f"https://{SERVED.name}", f"{own}.evil.example", "file://",
           f"http://localhost:{SERVED.port}", f"http://127.0.0.1", f"{own}/", "", "chrome-extension://x",
           f"http://127.0.0.1:{SERVED.port + 1}"]
    for path in PRIVATE[:-1] + ["healthz"]:
        for origin in bad:
            got = SERVED.status(head("/" + path, extra=bearer() + f"Origin: {origin}\r\n"))
            assert got == [403], (path, origin, got)
        assert SERVED.status(head("/" + path, extra=bearer() + f"Origin: {own}\r\n")) == [200], path
    for origin in bad:  # a link to the page from elsewhere is fine, sending something is not
        assert SERVED.status(head("/", extra=bearer() + f"Origin: {origin}\r\n")) == [200]
        for method, path in (("POST", "/api/v1/predict"), ("DELETE", "/api/v1/jobs/1"), ("POST", "/")):
            got = SERVED.status(head(path, method, extra=bearer() + f"Origin: {origin}\r\n"
                                     "Content-Length: 0\r\nContent-Type: application/json\r\n"))
            assert got == [403], (origin, method, path, got)
    two = f"Origin: {own}\r\nOrigin: http://evil.example\r\n"
    assert SERVED.status(head("/api/v1/study", extra=bearer() + two)) == [403]
    for site, want in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
        got = SERVED.status(head("/api/v1/study", extra=bearer() + f"Sec-Fetch-Site: {site}\r\n"))
        assert got == [want], (site, got)
    for path in ("/", "/api/v1/study", "/healthz"):
        _, headers, _ = SERVED.ask("GET", path[1:], headers={"Origin": own})
        assert not any(h.lower().startswith("access-control") for h in headers), headers
    assert SERVED.status(head("/api/v1/explain", "OPTIONS", extra=f"Origin: {own}\r\n" + bearer() +
                              "Access-Control-Request-Method: POST\r\n")) == [405]


def test_tokens():
    token = SERVED.token
    wrong = ["", "x", token[:-1], token + "x", token[:-1] + ("A" if token[-1] != "A" else "B"),
             token.swapcase(), "%00" + token, token + "%00", "a" * 5000]
    for path in PRIVATE:
        status, headers, data = SERVED.ask("GET", path, token=False)
        assert status == 401 and json.loads(data)["status"] == 401, (path, status)
        assert headers["Content-Type"] == "application/problem+json"
        assert headers["WWW-Authenticate"] == "Bearer" and "Set-Cookie" not in headers
        for bad in wrong:
            assert SERVED.status(head("/" + path, extra=f"Authorization: Bearer {bad}\r\n")) == [401]
            assert SERVED.status(head("/" + path, extra=f"Cookie: gpa-{SERVED.port}={bad}\r\n")) == [401]
            assert SERVED.status(head("/" + path, extra=f"Authorization: Basic {bad}\r\n")) == [401]
    assert SERVED.status(head("/nowhere")) == [401]  # who is not in learns nothing
    for bad in wrong:
        assert SERVED.status(head(f"/?token={bad}")) in ([401], [400]), bad
    # only the page takes it from the address, and hands out the cookie
    assert SERVED.ask("GET", f"api/v1/study?token={token}", token=False)[0] == 401
    status, headers, data = SERVED.ask("GET", f"?token={token}", token=False)
    cookie = headers["Set-Cookie"]
    assert status == 200 and b"<html" in data
    assert re.fullmatch(rf"gpa-{SERVED.port}=[0-9a-f]{{64}}; Path=/; HttpOnly; SameSite=Strict",
                        cookie), cookie
    assert token not in cookie and token.encode() not in data
    value = cookie.split(";")[0]
    for path in PRIVATE:
        assert SERVED.ask("GET", path, token=False, headers={"Cookie": value})[0] == 200, path
        assert SERVED.ask("GET", path, token=False, headers={"Cookie": f"a=b; {value} ; c=d"})[0] == 200
        assert SERVED.ask("GET", path, token=False, headers={"Cookie": value[:-1]})[0] == 401
        assert SERVED.ask("GET", path, token=False, headers={"Cookie": "x" + value})[0] == 401
    two = f"Authorization: Bearer {token}\r\nAuthorization: Bearer {token}\r\n"
    assert SERVED.status(head("/metrics", extra=two)) == [401]


def test_headers():
    for path in ("", "app.js", "api/v1/study", "healthz", "metrics", "nowhere",
                 "api/v1/report?format=html&rows=1", "api/v1/report?format=svg&picture=forest&rows=1"):
        _, headers, _ = SERVED.ask("GET", path)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "script-src 'self'" in policy or "sandbox" in policy, (path, policy)
        assert "script" not in policy or "unsafe" not in policy, (path, policy)
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Cache-Control"] in ("no-store", "no-cache"), headers
        assert "Server" not in headers
    page = SERVED.ask("GET", "")[2].decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bon\w+=|\bstyle=|javascript:", page)
    for name in re.findall(r'(?:src|href)="([^"#:]+)"', page):
        assert SERVED.ask("GET", name)[0] == 200, name
    etag = SERVED.ask("GET", "app.js")[1]["ETag"]
    assert SERVED.ask("GET", "app.js", headers={"If-None-Match": etag})[0] == 304
    status, headers, data = SERVED.ask("HEAD", "api/v1/rows")
    assert status == 200 and data == b"" and int(headers["Content-Length"]) > 100


def test_methods():
    cases = {"": {"GET", "HEAD"}, "api/v1/rows": {"GET", "HEAD"}, "api/v1/predict": {"POST"},
             "api/v1/explain": {"GET", "HEAD", "POST"}, "api/v1/jobs/1": {"DELETE"}, "app.js": {"GET", "HEAD"}}
    for path, good in cases.items():
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND",
                       "get", "FOO"):
            if method in good:
                continue
            status, headers, _ = SERVED.ask(method, path)
            assert status == 405, (method, path, status)
            assert set(headers["Allow"].split(", ")) == good, (path, headers["Allow"])


def test_paths():
    """No file is reached by a path, whatever it looks like; nothing falls over."""
    odd = ["../etc/passwd", "..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "web/app.js", "./app.js",
           "app.js/", "app.js%00.html", "//app.js", "App.js", "app.js.", "api/v1/../../app.js",
           "api//v1/rows", "api/v1/rows/", "api/v1/jobs/", "api/v1/jobs/../rows", "%61pp.js%2f",
           "index.html%20", "file:///etc/passwd", "\\..\\etc", "%c0%ae%c0%ae/etc/passwd", "api/v2/rows",
           "..;/app.js", "api/v1/rows%3fq=1", "favicon.ico", ".git/config"]
    for path in odd:
        status, headers, data = SERVED.ask("GET", "/" + path, whole=True)
        assert status in (404, 400, 405), (path, status)
        assert b"root:" not in data
    assert SERVED.ask("GET", "/%61pp.js", whole=True)[0] == 200  # the same name, escaped
    dice = random.Random(18)
    letters = list("abcapi/v1rows?&=%.;:#\\@+-_~!$'()*,[]{}|^`<>\"") + ["%2e", "%00", "%ff", "%", "..", "//"]
    for _ in range(1500):
        target = "/" + "".join(dice.choice(letters) for _ in range(dice.randrange(1, 60)))
        got = SERVED.status(head(target.replace(" ", ""), extra=bearer()))
        assert len(got) <= 1 and all(s in (200, 400, 404, 405, 409, 414) for s in got), (target, got)
    assert SERVED.get("healthz")["status"] == "ok"


def test_sizes():
    """Bodies and headers without end are refused, and take no memory."""
    def post(length, extra=""):
        return head("/api/v1/predict", "POST", extra=bearer() + "Content-Type: application/json\r\n"
                    f"Content-Length: {length}\r\n{extra}")
    before = SERVED.memory()
    assert SERVED.status(post(2 ** 20 + 1) + b"x" * 1000) == [413]
    assert SERVED.status(post(10 ** 15)) == [413]
    assert SERVED.status(post(2 ** 64)) in ([400], [413], [])
    assert SERVED.status(post(-1)) == [400]
    assert SERVED.status(post("1e3")) == [400]
    assert SERVED.status(post("0x10")) == [400]
    assert SERVED.status(post(2 ** 20) + b"[" * 2 ** 20) == [400]  # nested without end
    assert SERVED.status(head("/api/v1/predict", "POST", extra=bearer())) == [411]
    for text in ("text/plain", "application/jsonp", "application/x-www-form-urlencoded", ""):
        body = b'{"rows":[1]}'
        assert SERVED.status(head("/api/v1/predict", "POST", extra=bearer() + f"Content-Type: {text}\r\n"
                                  f"Content-Length: {len(body)}\r\n") + body) == [415], text
    assert SERVED.status(head("/healthz", extra="X-A: " + "a" * 100000 + "\r\n")) in ([431], [])
    assert SERVED.status(head("/healthz", extra="X-A: b\r\n" * 20000)) in ([431], [])
    assert SERVED.status(head("/" + "a" * 100000)) in ([414], [431], [400], [])
    many = "&".join(f"where=bmi:{i}..{i + 1}" for i in range(100))
    assert SERVED.status(head("/api/v1/rows?" + many, extra=bearer())) == [400]
    assert SERVED.status(head("/healthz", extra="Content-Length: 5\r\n") + b"hello") in ([413], [400])
    for body in (b"", b"{", b"[]", b"null", b"1", b'{"rows":[]}', b'{"rows":[-1]}', b'{"rows":[1.5]}',
                 b'{"rows":["x"]}', b'{"rows":[1],"rows":[2]}', b'{"rows":[1],"other":1}', b"\xff\xfe",
                 b'{"rows":[1],"edits":[1]}', b'{"rows":[1],"edits":{"bmi":[]}}', b'{"rows":[1],"seed":-1}',
                 b'{"rows":[999999]}', b'{"rows":[1],"freeze":"bmi"}', b'{"rows":[1],"bounds":{"bmi":[1]}}',
                 b'{"rows":[1],"until":"never"}', b'{"row":{"nobody":1}}', b'{"rows":[1],"edits":{"bmi":"x"}}',
                 b'{"rows":[1],"edits":{"bmi":1e999}}', b'{"rows":[' + b"1," * 600 + b"1]}"):
        got = SERVED.status(post(len(body)) + body)
        assert got == [400], (body[:60], got)
    assert SERVED.memory() < before + 32e6, (before, SERVED.memory())


def test_smuggling():
    """Two lengths, or a length and chunks, are never two requests."""
    inner = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
    start = f"POST /api/v1/predict HTTP/1.1\r\nHost: {SERVED.name}\r\n" + bearer() + \
        "Content-Type: application/json\r\n"
    pairs = [f"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{inner}",
             f"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n{inner}",
             f"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n{inner}",
             f"Transfer-Encoding: xchunked\r\nContent-Length: {len(inner)}\r\n\r\n{inner}",
             f"Transfer-Encoding : chunked\r\nContent-Length: {len(inner)}\r\n\r\n{inner}",
             f"Transfer-Encoding:\tchunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n{inner}",
             f"Content-Length: 0\r\nContent-Length: {len(inner)}\r\n\r\n{inner}",
             f"Content-Length: {len(inner)}\r\nContent-Length: 0\r\n\r\n{inner}",
             f"Content-Length: 0, {len(inner)}\r\n\r\n{inner}", f"Content-Length: +0\r\n\r\n{inner}",
             f"Content-Length: 0\r\n Content-Length: {len(inner)}\r\n\r\n{inner}",
             f"Content-Length: 0\x0b\r\n\r\n{inner}", f"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n{inner}",
             f"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{inner}",
             f"Transfer-Encoding: chunked\r\n\r\n0;{'a' * 5000}\r\n\r\n{inner}"]
    for pair in pairs:
        back = SERVED.raw((start + pair).encode("latin-1"))
        got = statuses(back)
        assert len(got) <= 1 and b"gpa_build_info" not in back, (pair, got)
        assert not got or got[0] in (400, 403, 411, 413, 501), (pair, got)
    odds = (b"\r\n\r\n\r\n", b"GET", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00",
                b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET /\r\n\r\n", b"\0" * 100, b"GET  / HTTP/1.1\r\n\r\n",
                head("/healthz").replace(b"\r\n", b"\n"), b" " + head("/healthz"))
    with concurrent.futures.ThreadPoolExecutor(len(odds)) as pool:
        for odd, got in zip(odds, pool.map(SERVED.status, odds)):
            assert all(s in (200, 400, 403, 404, 405, 505) for s in got), (odd, got)
    assert SERVED.get("healthz")["status"] == "ok"


def test_fuzzed_requests():
    """Spoilt requests are answered or cut, one at a time."""
    dice = random.Random(19)
    good = [head("/api/v1/rows?sort=score&where=bmi:20..30", extra=bearer()),
            head("/api/v1/predict", "POST", extra=bearer() + "Content-Type: application/json\r\n"
                 "Content-Length: 35\r\n") + b'{"rows":[10],"edits":{"bmi":25.25}}']
    spoilt = []
    for _ in range(600):
        data = bytearray(dice.choice(good))
        for _ in range(dice.randrange(1, 6)):
            at = dice.randrange(len(data))
            data[at:at + dice.randrange(3)] = bytes(dice.randrange(256) for _ in range(dice.randrange(3)))
        spoilt.append(bytes(data))
    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        for data, got in zip(spoilt, pool.map(SERVED.status, spoilt)):
            assert len(got) <= 1, (data, got)
    assert SERVED.get("healthz")["status"] == "ok"


def test_slow_clients():
    """A byte now and then does not keep a connection: head, body, silence."""
    start = head("/api/v1/predict", "POST", extra=bearer() + "Content-Type: application/json\r\n"
                 "Content-Length: 1000\r\n")
    sockets = []
    for first in (b"GET /he", start, b""):
        s = socket.create_connection((SERVED.host, SERVED.port))
        s.sendall(first)
        s.setblocking(False)
        sockets.append(s)
    began, ended = time.monotonic(), {}
    while len(ended) < len(sockets) and time.monotonic() - began < 40:
        for i, s in enumerate(sockets):
            if i in ended:
                continue
            try:
                if i < 2:
                    s.send(b"a")
                if s.recv(100) == b"":
                    ended[i] = time.monotonic() - began
            except BlockingIOError:
                pass
            except OSError:
                ended[i] = time.monotonic() - began
        time.sleep(0.25)
    for s in sockets:
        s.close()
    assert len(ended) == len(sockets) and max(ended.values()) < 25, ended
    assert SERVED.get("healthz")["status"] == "ok"


def test_many_connections():
    """More than it will keep: nobody is harmed but those who only wait."""
    sockets = []
    for _ in range(10000):
        s = socket.socket()
        s.setblocking(False)
        try:
            s.connect((SERVED.host, SERVED.port))
        except BlockingIOError:
            pass
        except OSError:
            s.close()
            continue
        sockets.append(s)
        if len(sockets) >= MOST:
            sockets.pop(0).close()
    began = time.monotonic()
    for s in sockets:
        s.close()
    while True:
        try:
            assert SERVED.get("healthz")["status"] == "ok"
            break
        except OSError:
            assert time.monotonic() - began < 60
    print(f"  10,000 connections, {len(sockets)} at once; then an answer within "
          f"{time.monotonic() - began:.2f} s")


def test_strangers_need_a_token_file():
    with tempfile.TemporaryDirectory() as folder:
        token = pathlib.Path(folder) / "token"

        def refused(*words):
            done = subprocess.run([GPA, "serve", *WORDS, *map(str, words), DATA], capture_output=True,
                                  text=True, timeout=60)
            assert done.returncode == 2 and done.stdout == "", done
            return done.stderr
        assert "--token-file" in refused("--host", "0.0.0.0")
        assert "--base-url" in refused("--base-url", "gpa")
        assert "--base-url" in refused("--base-url", "ftp://x/")
        assert "--base-url" in refused("--base-url", "/a/../b/")
        token.write_text("short\n")
        token.chmod(0o600)
        assert "--token-file" in refused("--token-file", token)
        token.write_text("a-token-of-many-letters\n")
        token.chmod(0o644)
        assert "chmod" in refused("--token-file", token)
        token.unlink()
        with Served(GPA, *WORDS, "--host", "0.0.0.0", "--token-file", token, DATA) as s:
            assert stat.S_IMODE(os.stat(token).st_mode) == 0o600
            assert s.token == token.read_text().strip() and len(s.token) == 32
            assert "network" in s.stop()[2]
        with Served(GPA, *WORDS, "--token-file", token, DATA) as s:
            assert s.token == token.read_text().strip()


MOST = min(4000, __import__("resource").getrlimit(__import__("resource").RLIMIT_NOFILE)[0] - 100)
TESTS = [test_hosts, test_origins, test_tokens, test_headers, test_methods, test_paths, test_sizes,
         test_smuggling, test_fuzzed_requests, test_slow_clients, test_many_connections,
         test_strangers_need_a_token_file]

if __name__ == "__main__":
    chosen = [t for t in TESTS if len(sys.argv) < 4 or t.__name__ in sys.argv[3:]]
    try:
        SERVED = Served(GPA, *WORDS, DATA)
    except AssertionError:
        pass  # run() says why
    code = run(chosen, GPA)
    if SERVED is not None:
        assert SERVED.stop()[1] == 0
    sys.exit(code)
