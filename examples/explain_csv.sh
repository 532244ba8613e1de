#!/bin/sh
# From a table and a model file to a name: which input of the worst row is responsible?
# Needs gpa on the PATH, or GPA=build/gpa, and Python to read the JSON.
set -eu
here=$(dirname "$0")
gpa=${GPA:-gpa}

"$gpa" explain --model "$here/diabetes/model.json" --target progression --top 1 --json \
    "$here/diabetes/heldout.csv" |
    "${PYTHON:-python3}" -c '
import json, sys

result = json.load(sys.stdin)
case = result["explanations"][0]
names, culprit = result["features"], case["culprit"]
top = max(range(len(names)), key=lambda k: culprit["responsible"][k])
print("row %d: observed %g, predicted %.1f" % (case["rows"][0], case["y"][0], case["f"][0]))
print(case["verdict"]["text"])
print("%s is %g; %+.3g would fit what was observed better"
      % (names[top], case["x"][0][top], culprit["alone"][top]["median_raw"]))
'
