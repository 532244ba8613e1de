# what is demanded of an input wins over what it was taken as; a one-hot group goes by its own
# name, too, and is one input: a column that may not move holds the others
python3 "$DATA/kinds.py" insurance
python3 "$DATA/kinds.py" rental
x() { # FILE ROW OPTION...
    file=$1 row=$2
    shift 2
    echo "$*"
    "$GPA" explain --model $file.json --rows $row --marginals none --json "$@" $file.csv > e.json 2> notes || { cat notes; return; }
    python3 - <<'PY'
import json
d = json.load(open("e.json"))
(e,) = d["explanations"]
print("  " + d["notes"][0])
held = [x["name"] for x in e["kinds"] if x["kind"] == "held"]
at = [d["features"].index(n) for n in held]
assert not any(e["delta_raw"][k] or e["culprit"]["responsible"][k] for k in at), held
# whatever is proposed, rows stay one-hot
for prefix in ("smoker", "region"):
    x = [e["x"][0][k] + e["delta_raw"][k] for k, n in enumerate(d["features"]) if n.startswith(prefix)]
    assert not x or sum(x) == 1, x
PY
}
x insurance 149 --freeze smoker_no
x insurance 149 --freeze smoker
x insurance 149 --kind smoker_yes=held
x insurance 149 --kind smoker=held --kind region=choice
x insurance 149 --kind region=number --freeze region_northeast,region_northwest,region_southeast,region_southwest
x insurance 149 --bounds region_southeast=0:0
x insurance 149 --kind regio=held
x insurance 149 --bounds region=0:1
x rental 199 --freeze workingday,hour
x rental 199 --integer temp --bounds workingday=0:1 --bounds humidity=:80
x rental 199 --kind temp=held --kind hour=number
x insurance 149 --onehot smoker_no,smoker_yes
x insurance 149 --onehot sex_female --onehot sex_male --onehot smoker_no --onehot smoker_yes --onehot region_northeast --onehot region_northwest --onehot region_southeast --onehot region_southwest --onehot age --onehot bmi --onehot children
# a column with a demand of its own leaves its group, one by hand takes it
x insurance 149 --integer region_northeast
x insurance 149 --bounds region_northeast=0:1
x insurance 149 --integer smoker_no
x insurance 149 --bounds smoker_no=0:1
x insurance 149 --onehot region_northeast,region_northwest,region_southeast,region_southwest
x insurance 149 --onehot smoker_no,smoker_yes --onehot sex_female,sex_male --freeze age
x insurance 149 --onehot smoker_no,smoker_yes --freeze smoker_no
x insurance 149 --onehot sex_male,smoker_yes
# within what was seen, in whole steps, too
x insurance 149 --bounds data --integer age
x insurance 149 --levels children=a,b,b,c,d
# text has levels only
cp "$TESTS/../../examples/exec/prices.pl" .
printf 'region,rain,y\n' > t.csv
for i in 1 2 3 4 5 6 7 8; do printf 'north,%d,%d\nsouth,%d,%d\n' $i $((10 + 3 * i)) $((i + 1)) $((24 + 3 * i)); done >> t.csv
for option in "--integer region" "--bounds region=0:1" "--onehot region" "--freeze region"; do
    echo "== $option"
    "$GPA" explain --model "exec:perl prices.pl" $option t.csv 2>&1 | sed -n '/^gpa/p; /taken as/p'
done
