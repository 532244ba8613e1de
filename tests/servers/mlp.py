#!/usr/bin/env python3
"""Serves a network of the mlp: format over the Open Inference Protocol (binary tensors at
/v2/models/bytes, one tensor per input at /v2/models/columns, JSON alone at
/v2/models/text), MLflow (/invocations) and TensorFlow Serving (/v1/models/net).

    mlp.py MODEL.json            prints its port; ends when standard input does
"""
import array
import http.server
import json
import math
import os
import sys
import threading

ACTIVATIONS = {"identity": lambda v: v, "relu": lambda v: v if v > 0 else 0.0,
               "tanh": math.tanh, "logistic": lambda v: 1 / (1 + math.exp(-v))}


def dot(x, w, start):
    """In this order and without the compensation of newer sum(): to the last bit."""
    for u, v in zip(x, w):
        start += u * v
    return start


class Net:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            model = json.load(f)
        self.names = model["variables"]
        self.bend = ACTIVATIONS[model["activation"]]
        self.layers = [(list(zip(*layer["W"])), layer["b"]) for layer in model["layers"]]

    def predict(self, x):
        for i, (columns, b) in enumerate(self.layers):
            x = [dot(x, c, bias) for c, bias in zip(columns, b)]
            if i + 1 < len(self.layers):
                x = [self.bend(v) for v in x]
        return x[0]


def doubles(bits):
    out = array.array("d", bits)
    if sys.byteorder != "little":
        out.byteswap()
    return out


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    net = None

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
        d, names = len(self.net.names), self.net.names
        if self.path.startswith("/v2/"):
            one = [{"name": "x", "datatype": "FP64", "shape": [-1, d]}]
            each = [{"name": n, "datatype": "FP64", "shape": [-1, 1]} for n in names]
            return self.reply({"inputs": each if "columns" in self.path else one,
                               "outputs": [{"name": "y", "datatype": "FP64",
                                            "shape": [-1, 1]}]})
        shape = {"dim": [{"size": "-1"}, {"size": str(d)}]}
        signature = {"inputs": {"x": {"dtype": "DT_DOUBLE", "tensor_shape": shape}},
                     "outputs": {"y": {"dtype": "DT_DOUBLE"}}}
        self.reply({"metadata": {"signature_def": {
            "signature_def": {"serving_default": signature}}}})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        head = self.headers.get("Inference-Header-Content-Length")
        if head is not None and "/text/" in self.path:
            return self.reply({"error": "JSON only"}, 400)
        message = json.loads(body[:int(head)] if head else body)
        if self.path.startswith("/v2/"):
            return self.infer(message, body[int(head):] if head else None)
        if "dataframe_split" in message:
            split = message["dataframe_split"]
            order = [split["columns"].index(n) for n in self.net.names]
            rows = [[row[k] for k in order] for row in split["data"]]
        else:
            rows = message["instances"]
        self.reply({"predictions": [self.net.predict(row) for row in rows]})

    def infer(self, message, raw):
        columns = []
        for t in message["inputs"]:
            size, width = t.get("parameters", {}).get("binary_data_size", 0), t["shape"][1]
            data = doubles(raw[:size]) if raw is not None else t["data"]
            raw = raw[size:] if raw is not None else None
            columns.append([data[i:i + width] for i in range(0, len(data), width)])
        rows = [[v for part in row for v in part] for row in zip(*columns)]
        y = [self.net.predict(row) for row in rows]
        output = {"name": "y", "datatype": "FP64", "shape": [len(y), 1]}
        if raw is None:
            return self.reply({"outputs": [dict(output, data=y)]})
        bits = doubles(array.array("d", y).tobytes()).tobytes()
        output["parameters"] = {"binary_data_size": len(bits)}
        self.reply({"outputs": [output]}, raw=bits)


def main():
    Handler.net = Net(sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
