"""A browser without a window, asked through its DevTools pipe; nothing but the standard
library and chromium is needed.

    with Browser() as b:
        b.open(path)
        b.run("document.title")
"""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
DEADLINE = 60


def program():
    """The browser's path, or None."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Browser:
    def __init__(self):
        self.home = tempfile.TemporaryDirectory(prefix="gpa-browser-",
                                                ignore_cleanup_errors=True)
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()

        def give_pipes():  # the protocol wants them as 3 and 4
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--force-color-profile=srgb",
             f"--user-data-dir={self.home.name}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=give_pipes, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        self.events = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target,
                                flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.reader)
        os.close(self.writer)
        self.home.cleanup()

    def _message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.reader, 1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        """One command of the protocol; events that come meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while not any(e.get("method") == method for e in self.events):
            self.events.append(self._message())

    def open(self, path):
        """Loads a file; gives the seconds until it is loaded."""
        return self.visit(path.resolve().as_uri())

    def visit(self, url):
        self.events.clear()
        start = time.monotonic()
        self.ask("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired")
        return time.monotonic() - start

    def run(self, expression):
        """The value of a JavaScript expression."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True,
                          awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression[:200]}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def width(self, pixels, height=900):
        self.ask("Emulation.setDeviceMetricsOverride", width=pixels, height=height,
                 deviceScaleFactor=1, mobile=False)

    def dark(self, dark):
        self.ask("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def complaints(self):
        """What the browser held against the page, and what the page asked of others."""
        found = [e["params"]["entry"]["text"] for e in self.events
                 if e.get("method") == "Log.entryAdded"]
        found += [str(e["params"]) for e in self.events
                  if e.get("method") in ("Runtime.exceptionThrown",
                                         "Page.javascriptDialogOpening")]
        found += [e["params"]["request"]["url"] for e in self.events
                  if e.get("method") == "Network.requestWillBeSent"
                  and not e["params"]["request"]["url"].startswith("file:")]
        return found

    def picture(self, path, clip=None):
        """A picture of the whole page."""
        answer = self.ask("Page.captureScreenshot", captureBeyondViewport=True,
                          **({"clip": clip} if clip else {}))
        path.write_bytes(base64.b64decode(answer["data"]))

    def pdf(self, path):
        answer = self.ask("Page.printToPDF", printBackground=True)
        path.write_bytes(base64.b64decode(answer["data"]))
