#!/usr/bin/env python3
"""A model of numbers, texts and dates over every protocol, for test_words.

    words.py                     prints its port; ends when standard input does
    words.py:frame               is the same model for gpa.worker

f = 2 load + worth(region) + 3 worth(grade) + days / 8 + seconds / 1e6, where worth of a
text is made of its bytes, and one that is missing or empty counts -3.25 (a date: 7). What comes as
anything but the type that was announced is refused.
"""
import datetime
import http.server
import json
import os
import struct
import sys
import threading

NAMES = ["load", "region", "grade, \"as sold\"", "day", "at"]
KINDS = ["FP64", "BYTES", "BYTES", "BYTES", "BYTES"]
EPOCH = datetime.datetime(1970, 1, 1)
SEEN = {}


def worth(text):
    if text is None or text != text or text == "":
        return -3.25
    total = 0
    for i, byte in enumerate(text.encode("utf-8")):
        total = (total + (i + 1) * byte) % 1000
    return total / 16 + len(text.encode("utf-8")) / 1024


def since(text, step):
    if text in (None, ""):
        return 7.0
    form = "%Y-%m-%d" if len(text) == 10 else "%Y-%m-%d %H:%M:%S"
    return (datetime.datetime.strptime(text, form) - EPOCH).total_seconds() / step


def predict(row, missing):
    """`missing`: what stands for a text that is not there."""
    load, region, grade, day, at = row
    if not isinstance(load, (int, float)) or isinstance(load, bool):
        raise ValueError("load is no number: %r" % (load,))
    for text in (region, grade, day, at):
        if text != missing and not isinstance(text, str):
            raise ValueError("no text: %r" % (text,))
    region, grade = (None if t == missing else t for t in (region, grade))
    return 2 * load + worth(region) + 3 * worth(grade) + since(day, 86400) / 8 + \
        since(at, 1) / 1e6


def frame(table):
    """The same for a data frame, column by column."""
    import pandas
    if list(table.columns) != NAMES:
        raise ValueError("columns %r" % list(table.columns))
    if table["load"].dtype != float or any(table[n].dtype != object for n in NAMES[1:3]):
        raise ValueError("types %r" % list(table.dtypes))
    if any(table[n].dtype.kind != "M" for n in NAMES[3:]):
        raise ValueError("dates as %r" % list(table.dtypes))
    days, seconds = ((table[n] - EPOCH) / pandas.Timedelta(seconds=s)
                     for n, s in ((NAMES[3], 86400), (NAMES[4], 1)))
    return 2 * table["load"] + table["region"].map(worth) + 3 * table[NAMES[2]].map(worth) + \
        days.fillna(7) / 8 + seconds.fillna(7) / 1e6


def shaped(kind, k):
    """The tensors of a v2 model: columns of [-1, 1], one [-1]."""
    return {"name": NAMES[k], "datatype": kind, "shape": [-1] if k == 1 else [-1, 1]}


def texts(raw, n):
    out, at = [], 0
    for _ in range(n):
        size, = struct.unpack_from("<I", raw, at)
        out.append(raw[at + 4:at + 4 + size].decode("utf-8"))
        if len(raw) < at + 4 + size:
            raise ValueError("a text is cut off")
        at += 4 + size
    if at != len(raw):
        raise ValueError("%d bytes left over" % (len(raw) - at))
    return out


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *args):
        pass

    def reply(self, value, status=200, raw=None):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body) + len(raw or b"")))
        if raw is not None:
            self.send_header("Inference-Header-Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body + (raw or b""))

    def do_GET(self):
        name = self.path.rstrip("/").split("/")
        name = name[-2] if name[-1] == "metadata" else name[-1]
        if self.path.startswith("/seen/"):
            return self.reply(SEEN.get(name, {}))
        if name == "bare":
            return self.reply({"error": "no metadata"}, 404)
        inputs = [shaped(kind, k) for k, kind in enumerate(KINDS)]
        if name == "numbers":
            inputs = [{"name": "x", "datatype": "FP64", "shape": [-1, 5]}]
        if name == "letters":
            inputs = [{"name": "x", "datatype": "BYTES", "shape": [-1, 5]}]
        if self.path.startswith("/v2/"):
            return self.reply({"inputs": inputs, "outputs": [
                {"name": "y", "datatype": "FP64", "shape": [-1, 1]}]})
        described = {t["name"]: {
            "dtype": {"FP64": "DT_DOUBLE", "BYTES": "DT_STRING"}[t["datatype"]],
            "tensor_shape": {"dim": [{"size": str(s)} for s in t["shape"]]}} for t in inputs}
        self.reply({"metadata": {"signature_def": {"signature_def": {"serving_default": {
            "inputs": described, "outputs": {"y": {"dtype": "DT_DOUBLE"}}}}}}})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        head = self.headers.get("Inference-Header-Content-Length")
        name = self.path.split("/")[3].split(":")[0] if self.path.count("/") > 2 else "mlflow"
        SEEN[name] = {"body": body[:4000].decode("latin-1"), "binary": head is not None,
                      "requests": SEEN.get(name, {}).get("requests", 0) + 1}
        try:
            if head is not None and name in ("json", "bare"):
                raise ValueError("JSON only")
            message = json.loads(body[:int(head)] if head else body)
            raw = body[int(head):] if head else None
            if self.path.startswith("/v2/"):
                return self.infer(name, message, raw)
            if "instances" in message:
                rows, missing = self.instances(message["instances"]), ""
            else:
                rows, missing = message["dataframe_split"]["data"], None
                if message["dataframe_split"]["columns"] != NAMES:
                    raise ValueError("columns")
            self.reply({"predictions": [predict(row, missing) for row in rows]})
        except (ValueError, KeyError, struct.error) as error:
            self.reply({"error": "%s: %s" % (type(error).__name__, error)}, 400)

    def instances(self, rows):
        """Lists of cells, or objects of columns: [-1, 1] in a list, [-1] plain."""
        if not isinstance(rows[0], dict):
            return rows
        if any(list(row) != NAMES for row in rows):
            raise ValueError("names")
        return [[row[n] if k == 1 else row[n][0] for k, n in enumerate(NAMES)]
                for row in rows]

    def infer(self, name, message, raw):
        columns = []
        if name == "bare" and message["parameters"]["content_type"] != "pd":
            raise ValueError("no frame")
        for t in message["inputs"]:
            n = t["shape"][0] * (t["shape"][1] if len(t["shape"]) > 1 else 1)
            kind = {"str": "BYTES", "datetime": "BYTES", None: "FP64"}[
                t.get("parameters", {}).get("content_type")]
            if name == "bare" and kind != t["datatype"]:
                raise ValueError("content of %s" % t["name"])
            data = t.get("data")
            if raw is not None:
                size = t["parameters"]["binary_data_size"]
                piece, raw = raw[:size], raw[size:]
                data = texts(piece, n) if t["datatype"] == "BYTES" else list(
                    struct.unpack("<%dd" % n, piece))
            if len(data) != n:
                raise ValueError("%d values for shape %s" % (len(data), t["shape"]))
            columns.append(data)
        rows = list(zip(*columns))
        if name == "letters":  # one tensor: numbers come as texts, too
            cells = columns[0]
            rows = [[float(cells[i])] + cells[i + 1:i + 5] for i in range(0, len(cells), 5)]
        elif [t["name"] for t in message["inputs"]] != NAMES:
            raise ValueError("names")
        y = [predict(row, "") for row in rows]
        output = {"name": "y", "datatype": "FP64", "shape": [len(y), 1]}
        if raw is None:
            return self.reply({"outputs": [dict(output, data=y)]})
        bits = struct.pack("<%dd" % len(y), *y)
        output["parameters"] = {"binary_data_size": len(bits)}
        self.reply({"outputs": [output]}, raw=bits)


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
