"""`gpa serve` started for a test, and requests to it: well-made ones and raw bytes."""
import contextlib
import http.client
import json
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

WAIT = 60  # seconds at most for anything


class Served:
    """A server of its own; `ask` has the token, `raw` has nothing but what it is given."""

    def __init__(self, gpa, *words, cwd=None, wait=True):
        self.process = subprocess.Popen([gpa, "serve", *map(str, words)], cwd=cwd,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stdout.readline().decode().strip()
        found = re.fullmatch(r"(https?)://([^/]*?)(?::(\d+))?(/.*?)\?token=([\w-]+)", line)
        if not found:
            raise AssertionError(f"no address: {line!r} {self.process.stderr.read()!r}")
        self.url, self.token, self.base = line, found[5], found[4]
        self.host, self.port = "127.0.0.1", int(found[3] or 0)
        self.name = f"{self.host}:{self.port}"
        if wait:
            self.until_ready()

    def until_ready(self):
        for _ in range(int(WAIT / 0.02)):
            state = self.get("healthz")["state"]
            if state != "scoring":
                return state
            time.sleep(0.02)
        raise AssertionError("never ready")

    def ask(self, method, path, body=None, headers=None, token=True, whole=False):
        """Status, headers and bytes of an answer."""
        with contextlib.closing(http.client.HTTPConnection(self.host, self.port,
                                                           timeout=WAIT)) as c:
            given = {"Authorization": f"Bearer {self.token}"} if token else {}
            if isinstance(body, (dict, list)):
                body = json.dumps(body)
                given["Content-Type"] = "application/json"
            c.request(method, path if whole else self.base + path, body,
                      {**given, **(headers or {})})
            answer = c.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def get(self, path):
        status, _, data = self.ask("GET", path)
        assert status == 200, (path, status, data[:300])
        return json.loads(data)

    def post(self, path, body, status=200):
        got, _, data = self.ask("POST", path, body)
        assert got == status, (path, got, data[:300])
        return json.loads(data)

    def events(self, path, body=None):
        """(event, id, data) of a stream, as they come; close() ends it early."""
        c = http.client.HTTPConnection(self.host, self.port, timeout=WAIT)
        try:
            headers = {"Authorization": f"Bearer {self.token}",
                       "Accept": "text/event-stream"}
            if body is not None:
                headers["Content-Type"] = "application/json"
            c.request("GET" if body is None else "POST", self.base + path,
                      None if body is None else json.dumps(body), headers)
            answer = c.getresponse()
            assert answer.status == 200, answer.read()
            assert answer.getheader("Content-Type") == "text/event-stream"
            name = number = None
            data = []
            for line in answer:
                field, _, value = line.decode().rstrip("\n").partition(": ")
                if field == "event":
                    name = value
                elif field == "id":
                    number = int(value)
                elif field == "data":
                    data.append(value)
                elif not field:
                    yield name, number, "\n".join(data)
                    name, number, data = None, None, []
        finally:
            if c.sock is not None:
                c.sock.close()
            c.close()

    def raw(self, data, wait=WAIT, end=False):
        """All that comes back for these bytes until the other side closes."""
        with socket.create_connection((self.host, self.port), timeout=wait) as s:
            with contextlib.suppress(OSError):
                s.sendall(data)
                if end:
                    s.shutdown(socket.SHUT_WR)
            back = b""
            with contextlib.suppress(OSError):
                while piece := s.recv(65536):
                    back += piece
            return back

    def status(self, data, **more):
        """Statuses of the answers to raw bytes."""
        return statuses(self.raw(data, **more))

    def memory(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) * 1024

    def stop(self, number=signal.SIGTERM):
        """Ends it: how long that took, its exit code and last words."""
        began = time.monotonic()
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=WAIT)
        return time.monotonic() - began, self.process.returncode, said.decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def statuses(back):
    """One answer after the other, each as long as it says: libmicrohttpd 0.9.75 sends the
    head of its own complaints a second time, as the beginning of their body."""
    found = []
    while head := re.match(rb"HTTP/1\.[01] (\d{3})[^\n]*\r\n(.*?)\r\n\r\n", back, re.S):
        found.append(int(head[1]))
        length = re.search(rb"content-length: (\d+)", head[2].lower())
        back = back[head.end() + int(length[1]):] if length else b""
    return found


def built_with_server(gpa):
    text = subprocess.run([gpa, "serve", "--model", "x", "y"], capture_output=True,
                          text=True).stderr
    return "built without its server" not in text


def quoted(**parameters):
    return urllib.parse.urlencode(parameters, doseq=True)


def run(tests, skip_without):
    """Runs functions one after the other, says their names; the exit code."""
    if not built_with_server(skip_without):
        print("SKIP: gpa was built without its server: gpa serve is NOT tested")
        return 77
    failed = 0
    for test in tests:
        began = time.monotonic()
        try:
            test()
            word = "ok"
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            word = "not ok"
            import traceback
            traceback.print_exc(file=sys.stdout)
            print(f"  {error}")
        print(f"{word} - {test.__name__} ({time.monotonic() - began:.1f} s)", flush=True)
    return 1 if failed else 0
