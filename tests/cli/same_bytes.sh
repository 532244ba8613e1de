x() { "$GPA" explain --model builtin:sinusoid2d --json --solver paper "$@" "$DATA/sinusoid.csv"; }
x --all --threads 1 > one
for t in 2 4; do x --all --threads $t | cmp - one; done
x --all --batch 7 | cmp - one
x --rows 3,5,15 > rows
x --rows 15,3-5 > more; cmp -s more rows && echo "row 4 was lost"
x --rows 15,5,3,5 | cmp - rows
x --rows 3,5,15 --threads 3 --progress never --color always | cmp - rows
# an explanation does not depend on the others
python3 - <<'END'
import json
one, rows = json.load(open("one")), json.load(open("rows"))
every = {e["rows"][0]: e for e in one["explanations"]}
print([e["rows"][0] for e in rows["explanations"]],
      all(every[e["rows"][0]] == e for e in rows["explanations"]))
END
# nor does the default engine on the number of workers, in any format
y() { "$GPA" explain --model "$DATA/mixer.json" --id batch --all "$@" "$DATA/mixer.csv"; }
y --json --html one.html --threads 1 > fast
y --threads 1 > table
for t in 2 4 8; do
    y --json --html two.html --threads $t | cmp - fast; cmp one.html two.html
    y --threads $t | cmp - table
done
LC_ALL=C y --json | cmp - fast
y --json --batch 7 | python3 -c '
import json, sys
a, b = json.load(sys.stdin), json.load(open("fast"))
for e in a["explanations"] + b["explanations"]:
    del e["model_calls"]
print(a == b)'
x --all --seed 2 > two; cmp -s two one && echo "the seed does nothing"
true
