# one table, one model: whatever stands for its levels, the answer is the same
python3 "$DATA/kinds.py" same
x() { # NAME MODEL OPTION...
    name=$1 model=$2
    shift 2
    "$GPA" explain --model "$model" --rows 0-5 --sigma 1 --marginals none --json "$@" "$name.csv" \
        > "$name-e.json" 2> notes || { echo "$name: exit $?"; cat notes; }
}
x codes codes.json --levels region=east,north,south,west
x onetwo onetwo.json --levels region=east,north,south,west
x truth truth.json --levels region=east,north,south,west
x permuted permuted.json --levels region=west,east,south,north
x onehot onehot.json
x dropped dropped.json
if python3 -c 'import numpy, pandas' 2>/dev/null; then
    PYTHONPATH="$(dirname "$(dirname "$TESTS")")/bindings/python${PYTHONPATH:+:$PYTHONPATH}"
    export PYTHONPATH
    x text "exec:python3 -m gpa.worker text.py:f --inputs 4"
    x renamed "exec:python3 -m gpa.worker text.py:f --inputs 4"
else
    echo "SKIP: no NumPy and pandas: text through the worker is NOT compared"
fi
python3 - <<'END'
import json, os
def read(name):
    d = json.load(open(name + "-e.json"))
    names, out = d["features"], []
    for e in d["explanations"]:
        c = e["culprit"]
        def by_input(values):
            at = [names.index(n) for n in ("age", "children", "smoker")]
            last = [k for k, n in enumerate(names) if n.startswith("region")]
            return [values[k] for k in at] + [[values[k] for k in last]]
        for values in (by_input(c["probability"]), by_input(c["responsible"])):
            assert len(set(values[3])) == 1, values  # columns of a group share it
            out.append([c["output"], *values[:3], values[3][0]])
        single = by_input(c["single"])
        out.append(single[:3] + [sum(single[3])])  # adds up to 1 over all columns
    return out, [e["verdict"]["kind"] for e in d["explanations"]]
want, verdicts = read("codes")
assert verdicts[:4].count("input") >= 3, verdicts
for name in ("onetwo", "truth", "permuted", "onehot", "dropped", "text", "renamed"):
    if not os.path.exists(name + "-e.json"):
        continue
    got, said = read(name)
    worst = max(abs(p - q) for a, b in zip(got, want) for p, q in zip(a, b))
    assert worst < 1e-9 and said == verdicts, (name, worst, said, verdicts)
END
