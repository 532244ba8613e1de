printf '{"type":"linear","w":[2,-3],"b":1,"variables":["left","right"]}' > m.json
"$GPA" model --model m.json | sed 's/  *[0-9.]* [um]s / T /; s/  *[0-9.]* [um]s$/ T/; s/  *[0-9]*$//; s/: [0-9.]* times/: N times/; s/--batch.*/--batch B/; s/(.* at once/(N at once/'
"$GPA" model --model m.json --json > p.json
printf 'left,right,y\n1,2,5\n0,1,-2.1\n2,0,5.2\n' > d.csv
"$GPA" model --model m.json --json d.csv > q.json
python3 - <<'END'
import json
for name in "p.json", "q.json":
    p = json.load(open(name))
    assert p["format"] == "gpa-model/1" and p["features"] == ["left", "right"]
    assert p["deterministic"] and p["row_alone"] and p["thread_safe"], p
    assert p["nonfinite_rows"] == 0 and p["model"]["inputs"] == 2
    assert [l["rows"] for l in p["latency"]] == [1, 10, 100, 1000, 10000]
    assert all(l["seconds"] > 0 for l in p["latency"])
END
"$GPA" model --model m.json --inputs 3; echo "exit $?"
"$GPA" model; echo "exit $?"
# one that is never the same twice, and one that has no number
cat > odd.py <<'END'
import itertools
count = itertools.count()
def twice(x): return x[:, 0] + next(count)
def none(x): return x[:, 0] * float("nan")
def levels(x):
    if (x != x.round()).any():
        raise ValueError("between its levels")
    return x[:, 0]
def complete(x):
    if (x != x).any():
        raise ValueError("Input X contains NaN")
    return x[:, 0]
END
if py=$(sh "$TESTS/../../tools/find_python.sh" numpy 2> no); then
    export PYTHONPATH="$TESTS/../../bindings/python"
    "$GPA" model --model "exec:$py -m gpa.worker odd.py:twice" --inputs 2 --json > r.json
    "$GPA" model --model "exec:$py -m gpa.worker odd.py:none" --inputs 2 --json > s.json
    "$GPA" model --model "exec:$py -m gpa.worker odd.py:levels" --inputs 2 | grep finite
    printf 'a,b,y\n1,2,5\n0,,-2.1\n2,0,5.2\n' > gaps.csv # rows as score leaves them out
    "$GPA" model --model "exec:$py -m gpa.worker odd.py:complete" gaps.csv 2>&1 | grep -e finite -e left
    python3 - <<'END'
import json
assert json.load(open("r.json"))["deterministic"] is False
assert json.load(open("s.json"))["nonfinite_rows"] == 256
END
else
    echo "SKIP: no NumPy: odd models are not probed"
fi
