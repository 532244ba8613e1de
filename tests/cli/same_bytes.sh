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
x --all --seed 2 > two; cmp -s two one && echo "the seed does nothing"
true
