#!/usr/bin/env python3
"""test_http_same.py ROOT BUILD: a model explains the same behind every protocol.

The demo's network is read by gpa itself, and served by tests/servers/mlp.py; the most
probable changes agree to 1e-9, and not a row more is asked.
"""
import json
import pathlib
import subprocess
import sys

DATA = "examples/diabetes"
TOLERANCE = 1e-9
RUNS = (["--top", "3"], ["--top", "3", "--culprit", "off"],
        ["--rows", "10,20", "--collective", "--culprit", "off"],
        ["--rows", "10", "--solver", "thorough", "--culprit", "off", "--batch", "7"])


def explain(build, root, model, options):
    command = [f"{build}/gpa", "explain", "--json", "--marginals", "none", "--model", model,
               *options, str(root / DATA / "spoilt.csv")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=100)
    if done.returncode != 0:
        sys.exit(f"{command}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)["explanations"]


def differ(want, got):
    """The first difference between two explanations, or None."""
    if len(want) != len(got):
        return f"{len(got)} explanations, not {len(want)}"
    for a, b in zip(want, got):
        for key in ("rows", "model_rows", "rows_by_stage"):
            if a[key] != b[key]:
                return f"{key} of row {a['rows']}: {b[key]}, not {a[key]}"
        for key in ("delta", "f", "f_moved"):
            off = max(abs(u - v) for u, v in zip(a[key], b[key]))
            if not off <= TOLERANCE * max(1, *map(abs, a[key])):
                return f"{key} of row {a['rows']} is off by {off}"
        kinds = [(e["verdict"] or {}).get("kind") for e in (a, b)]
        if kinds[0] != kinds[1]:
            return f"verdict of row {a['rows']}: {kinds[1]}, not {kinds[0]}"
    return None


def main():
    root, build = pathlib.Path(sys.argv[1]), sys.argv[2]
    model = root / DATA / "model.json"
    server = subprocess.Popen([sys.executable, root / "tests/servers/mlp.py", model],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        site = "http://127.0.0.1:%d" % int(server.stdout.readline())
        specs = [f"v2:{site}/v2/models/bytes", f"v2:{site}/v2/models/columns",
                 f"v2:{site}/v2/models/text", f"mlflow:{site}",
                 f"tfserving:{site}/v1/models/net"]
        for options in RUNS:
            want = explain(build, root, f"mlp:{model}", options)
            for spec in specs:
                wrong = differ(want, explain(build, root, spec, options))
                if wrong:
                    sys.exit(f"{spec} {' '.join(options)}: {wrong}")
            rows = sum(e["model_rows"] for e in want)
            print(f"{' '.join(options)}: {len(specs)} ways the same, {rows} rows")
    finally:
        server.stdin.close()
        server.wait()


if __name__ == "__main__":
    main()
