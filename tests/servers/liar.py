#!/usr/bin/env python3
"""A server of linear models over three protocols, honest and otherwise, for test_http.

    liar.py [--tls CERT KEY]     prints its port; ends when standard input does

Every model computes 0.5 + 1 x1 + 2 x2 + 3 x3 + ...; its name says how it behaves:
/v2/models/NAME, /v1/models/NAME, /NAME/invocations. GET /seen/NAME tells what was asked.
"""
import gzip
import http.server
import json
import os
import ssl
import struct
import sys
import threading
import time
import urllib.parse

SIZES = {"FP64": "d", "FP32": "f", "INT64": "q", "INT32": "i", "INT8": "b",
         "UINT8": "B", "BOOL": "?"}
LOCK = threading.RLock()
SEEN = {}  # by name of the model
BOMB = gzip.compress(b" " * (16 << 20), 1)


def seen(name):
    return SEEN.setdefault(name, {
        "requests": 0, "gets": 0, "binary": 0, "rows": [], "connections": [],
        "flying": 0, "most_flying": 0, "headers": {}, "body": ""})


def predict(rows):
    return [0.5 + sum((j + 1) * v for j, v in enumerate(row)) for row in rows]


def tensor(name, shape, datatype="FP64"):
    return {"name": name, "datatype": datatype, "shape": shape}


# What the v2 metadata of a model says; others have one tensor of three columns.
INPUTS = {
    "f32": [tensor("x", [-1, 3], "FP32")],
    "half": [tensor("x", [-1, 3], "FP16")],
    "columns": [tensor(n, [-1, 1]) for n in ("age", "bmi", "s5")],
    "flat": [tensor(n, [-1]) for n in ("age", "bmi", "s5")],
    "mixed": [tensor("a", [-1, 2]), tensor("b", [-1], "FP32")],
    "deep": [tensor("x", [-1, 3, 1])],
    "whole": [tensor("n", [-1, 1], "INT64"), tensor("k", [-1, 1], "UINT8"),
              tensor("b", [-1, 1], "BOOL")],
    "narrow": [tensor("x", [-1, 3], "INT8")],
    "json_narrow": [tensor("x", [-1, 3], "INT8")],
    "any": [tensor("x", [-1, -1])],
    "one_row": [tensor("x", [1, 3])],
    "empty_meta": [],
    "images": [tensor("x", [-1, 3], "IMAGE")],
    "five_rows": [tensor("x", [5, 3])],
    "endless": [tensor("x", [-1, 9000000000000])],
    "open_end": [tensor("x", [-1, -1, 2])],
    "nameless": [{"datatype": "FP64", "shape": [-1, 3]}],
}
OUTPUTS = {
    "two_outputs": [tensor("a", [-1, 1]), tensor("b", [-1, 1])],
    "label_too": [tensor("label", [-1], "BYTES"), tensor("b", [-1, 1])],
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # one packet per reply
    flying = {"flying": 0}

    def log_message(self, *args):
        pass

    def land(self):
        """A request is no longer under way once its reply is: the client may be quick."""
        with LOCK:
            self.flying["flying"] -= 1
            self.flying = {"flying": 0}

    def reply(self, body, status=200, content="application/json", **headers):
        self.land()
        body = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        self.send_header("Content-Type", content)
        headers.setdefault("Content_Length", len(body))
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def reply_json(self, value, status=200, **headers):
        self.reply(json.dumps(value), status, **headers)

    def parts(self):
        """Protocol and model of a path."""
        path = self.path.split("/")
        if path[1] in ("v1", "v2"):
            return path[1], path[3].split(":")[0]
        return "mlflow", path[1]

    # -- metadata

    def do_GET(self):
        if self.path.startswith("/seen/"):
            with LOCK:
                return self.reply_json(seen(self.path[len("/seen/"):]))
        protocol, name = self.parts()
        with LOCK:
            seen(name)["gets"] += 1
        if name in ("no_meta", "lost"):
            return self.reply("404 page not found\n", 404, "text/plain")
        if name == "meta_hangs":
            return time.sleep(30)
        if name == "meta_text":
            return self.reply("<html>welcome</html>", 200, "text/html")
        if name == "echo_meta":
            said = self.headers.get("Authorization")
            return self.reply_json({"inputs": [tensor(said[7:], [-1, 3], "IMAGE")]})
        if name == "echo_no_meta":
            return self.reply_json({"error": self.headers.get("Authorization")}, 403)
        if name == "meta_forbidden":
            return self.reply_json({"error": "who are you?"}, 403)
        if protocol == "v1":
            return self.reply_json(self.tensorflow_metadata(name))
        self.reply_json({"name": name, "versions": ["1"], "platform": "python",
                         "inputs": INPUTS.get(name, [tensor("x", [-1, 3])]),
                         "outputs": OUTPUTS.get(name, [tensor("y", [-1, 1])])})

    def tensorflow_metadata(self, name):
        def described(t):
            kind = {"FP64": "DT_DOUBLE", "FP32": "DT_FLOAT", "INT64": "DT_INT64",
                    "BYTES": "DT_STRING"}[t["datatype"]]
            dims = [{"size": str(s), "name": ""} for s in t["shape"]]
            return {"dtype": kind, "tensor_shape": {"dim": dims, "unknown_rank": False}}
        inputs = INPUTS.get(name, [tensor("x", [-1, 3])])
        outputs = OUTPUTS.get(name, [tensor("y", [-1, 1])])
        signature = {"inputs": {t["name"]: described(t) for t in inputs},
                     "outputs": {t["name"]: described(t) for t in outputs},
                     "method_name": "tensorflow/serving/predict"}
        key = "other" if name == "other_signature" else "serving_default"
        return {"model_spec": {"name": name}, "metadata": {"signature_def": {
            "signature_def": {"__saved_model_init_op": {"inputs": {}}, key: signature}}}}

    # -- predictions

    def do_POST(self):
        protocol, name = self.parts()
        body = self.rfile.read(int(self.headers["Content-Length"]))
        head = self.headers.get("Inference-Header-Content-Length")
        with LOCK:
            s = seen(name)
            s["requests"] += 1
            s["binary"] += head is not None
            s["headers"] = {k.lower(): v for k, v in self.headers.items()}
            s["body"] = body[:2000].decode("latin-1")
            s["flying"] += 1
            self.flying = s
            s["most_flying"] = max(s["most_flying"], s["flying"])
            if self.client_address[1] not in s["connections"]:
                s["connections"].append(self.client_address[1])
            number = s["requests"]
        try:
            self.answer(protocol, name, body, head, number)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            self.land()

    def answer(self, protocol, name, body, head, number):
        lie = getattr(self, "lie_" + name, None)
        if self.headers.get("Content-Type") != "application/json":
            return self.reply_json({"error": "unsupported content type"}, 415)
        if name == "bytes_only" and head is None:
            return self.reply_json({"error": "JSON is not for us"}, 400)
        if name.startswith("json_") and head is not None:
            return self.no_binary(name)
        if lie is not None and lie(number):
            return None
        rows = self.read_rows(protocol, body, head)
        if isinstance(rows, str):
            return self.reply_json({"error": rows}, 400)
        with LOCK:
            seen(name)["rows"].append(len(rows))
        self.give(protocol, name, predict(rows), head, json.loads(
            body[:int(head)] if head else body))

    def no_binary(self, name):
        if name == "json_closes":
            self.close_connection = True
        elif name == "json_500":
            self.reply_json({"detail": "Internal Server Error"}, 500)
        else:
            self.reply("Expecting value: line 1 column 90", 400, "text/plain")

    def read_rows(self, protocol, body, head):
        """Rows of any request, or what is wrong with it."""
        message = json.loads(body[:int(head)] if head else body)
        if protocol == "mlflow":
            split = message.get("dataframe_split")
            rows = split["data"] if split else message["inputs"]
            if split and len(split["columns"]) != len(rows[0]):
                return "columns"
            return rows
        if protocol == "v1":
            return [self.flatten(r) for r in message["instances"]]
        at, columns = int(head or 0), []
        for t in message["inputs"]:
            n, kind = t["shape"][0], SIZES.get(t["datatype"], "d")
            if head:
                size = t["parameters"]["binary_data_size"]
                data = struct.unpack("<%d%s" % (size // struct.calcsize("<" + kind), kind),
                                     body[at:at + size])
                at += size
            else:
                data = t["data"]
            width = 1
            for s in t["shape"][1:]:
                width *= s
            if len(data) != n * width:
                return "%d numbers for shape %s" % (len(data), t["shape"])
            columns.append([data[i * width:(i + 1) * width] for i in range(n)])
        return [[v for piece in row for v in piece] for row in zip(*columns)]

    def flatten(self, value):
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            return [v for item in value for v in self.flatten(item)]
        return [value]

    def give(self, protocol, name, y, head, message):
        values = "values_" + name.removeprefix("json_")
        y = getattr(self, values, lambda v: v)(y)
        if protocol != "v2":
            return self.reply_json({"predictions": y})
        shape = {"wrong_shape": [1, len(y)], "wide_reply": [len(y), 2]}.get(
            name, [len(y), 1])
        outputs = [dict(tensor("y", shape, "FP32" if name == "f32" else "FP64"), data=y)]
        if name in OUTPUTS:
            wanted = [o["name"] for o in message.get("outputs", [])] or ["a", "b"]
            outputs = [dict(tensor(n, shape), data=[v + (n == "b") for v in y])
                       for n in wanted]
        if head is None or name == "json_back":
            return self.reply_json({"model_name": name, "outputs": outputs})
        raw = b""
        for o in outputs:
            bits = struct.pack("<%d%s" % (len(o["data"]), SIZES[o["datatype"]]),
                               *o.pop("data"))
            o["parameters"] = {"binary_data_size": len(bits)}
            raw += bits
        self.give_binary(name, {"model_name": name, "outputs": outputs}, raw)

    def give_binary(self, name, message, raw):
        text = json.dumps(message).encode()
        length = len(text) + (10 ** 6 if name == "bytes_head" else 0)
        if name == "bytes_short":
            raw = raw[:-3]
        if name in ("bytes_extra", "bytes_only"):
            raw += b"more"
        self.reply(text + raw, Inference_Header_Content_Length=length)

    # -- values that are not what they should be

    def values_few(self, y):
        return y[:-1]

    def values_many(self, y):
        return y + [7.0]

    def values_text(self, y):
        return y[:1] + ["\x1b[31mtwo\nlines"] + y[2:]

    def values_nan(self, y):
        return [float("nan")] + y[1:]

    def values_nothing(self, y):
        return [None] + y[1:]

    def values_infinite(self, y):
        return [float("inf"), float("-inf")] + y[2:]

    def values_listed(self, y):
        return [[v] for v in y]

    def values_pairs(self, y):
        return [[v, v] for v in y]

    def values_one_list(self, y):
        return [y]

    def values_named(self, y):
        return [{"price": v} for v in y]

    def values_two_named(self, y):
        return [{"price": v, "tax": -v} for v in y]

    def values_true(self, y):
        return [True for _ in y]

    def values_deep_lists(self, y):
        value = 1.0
        for _ in range(60):
            value = [value]
        return [value for _ in y]

    # -- replies that are not what they should be; True: that was it

    def lie_error(self, number):
        return self.reply_json({"error": "x" * 900}, 500) or True

    def lie_detail(self, number):
        return self.reply_json({"detail": [{"loc": ["body", "inputs", 0, "data"],
                                            "msg": "field required",
                                            "type": "value_error.missing"}]}, 422) or True

    def lie_code(self, number):
        return self.reply_json({"error_code": "BAD_REQUEST",
                                "message": "Model is missing\ninputs ['a']"}, 400) or True

    def lie_plain(self, number):
        return self.reply("out\tof \x1b[2J cheese\r\nat line 3\n", 500, "text/plain") or True

    def lie_too_much(self, number):
        return self.reply("", 413) or True

    def lie_page(self, number):
        return self.reply("<html><head><title>502 Bad\nGateway</title></head><body>"
                          "<script>alert(1)</script></body></html>", 502,
                          "text/html") or True

    def lie_silent(self, number):
        return self.reply("", 500) or True

    def lie_not_json(self, number):
        return self.reply("predictions: 1, 2") or True

    def lie_cut_json(self, number):
        return self.reply('{"predictions": [1.0, 2.0, "outputs": [') or True

    def lie_empty(self, number):
        return self.reply("") or True

    def lie_other_keys(self, number):
        return self.reply_json({"result": [1, 2], "error": "no idea"}) or True

    def lie_huge(self, number):
        self.reply(b"{", Content_Length=4 << 30)
        self.close_connection = True
        return True

    def lie_flood(self, number):
        """A reply without length that never ends."""
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        chunk = b" " * 65536
        while True:
            self.wfile.write(b"10000\r\n" + chunk + b"\r\n")

    def lie_drip(self, number):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while True:
            self.wfile.write(b"1\r\n \r\n")
            self.wfile.flush()
            time.sleep(0.2)

    def lie_headers(self, number):
        self.send_response(200)
        self.end_headers = None
        self.flush_headers()
        while True:
            self.wfile.write(b"X-More: " + b"y" * 1000 + b"\r\n")

    def lie_bomb(self, number):
        return self.reply(BOMB, Content_Encoding="gzip") or True

    def lie_hangs(self, number):
        time.sleep(30)
        return True

    def lie_closes(self, number):
        self.close_connection = True
        return True

    def lie_dies(self, number):
        """Closes in the middle of the body."""
        self.reply(b'{"outputs": [', Content_Length=1000)
        self.close_connection = True
        return True

    def lie_dies_once(self, number):
        return number == 1 and self.lie_dies(number)

    def lie_busy(self, number):
        """Twice, then never again."""
        if number > 2:
            return False
        self.reply_json({"error": "busy"}, 503)
        return True

    def lie_always_busy(self, number):
        self.reply_json({"error": "overloaded"}, 503)
        return True

    def lie_later(self, number):
        if number > 1:
            return False
        self.reply_json({"error": "slow down"}, 429, Retry_After=1)
        return True

    def lie_much_later(self, number):
        self.reply_json({"error": "come back tomorrow"}, 503, Retry_After=86400)
        return True

    def lie_moved(self, number):
        self.reply("", 307, Location="file:///etc/passwd")
        return True

    def lie_lost(self, number):
        self.reply_json({"error": "Request for unknown model: 'lost' is not found"}, 404)
        return True

    def lie_secret(self, number):
        if self.headers.get("Authorization") == "Bearer s3cret":
            return False
        self.reply_json({"error": "not authorised"}, 401)
        return True

    def secret(self):
        return self.headers.get("X-Api-Key") or self.headers.get("Authorization")

    def lie_echo(self, number):
        self.reply_json({"error": "wrong: " + self.secret()}, 401)
        return True

    def lie_echo_quoted(self, number):
        self.reply("wrong: " + urllib.parse.quote(self.secret(), safe=""), 401, "text/plain")
        return True

    def lie_echo_cut(self, number):
        """So that 9 characters of it are left before the message is cut."""
        word = self.secret().split(" ")[-1]
        self.reply("x" * (220 - 9) + word, 500, "text/plain")
        return True

    def lie_echo_moved(self, number):
        self.reply("", 307, Location="https://example.com/" + "x" * 60 + "?key=" +
                   urllib.parse.quote(self.secret().split(" ")[-1]))
        return True

    def lie_echo_value(self, number):
        self.reply_json({"predictions": [self.secret().split(" ")[-1]] * 10})
        return True

    def lie_never(self, number):
        self.reply_json({"error": "no"}, 503, Retry_After=10 ** 30)
        return True

    def lie_slow(self, number):
        time.sleep(0.2)
        return False


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


def main():
    server = Server(("127.0.0.1", 0), Handler)
    if len(sys.argv) == 4 and sys.argv[1] == "--tls":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        server.socket = context.wrap_socket(server.socket, server_side=True,
                                            do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
