# a scikit-learn Pipeline on text columns, through the worker
if ! python3 -c 'import sklearn, pandas' 2>/dev/null; then
    echo "SKIP: no scikit-learn and pandas: text through the worker is NOT checked"
    exit 0
fi
cat > fit.py <<'END'
import warnings, numpy as np, pandas as pd, joblib
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
rng = np.random.default_rng(3)
n = 400
t = pd.DataFrame({"age": rng.integers(18, 65, n), "sex": rng.choice(["female", "male"], n),
                  "job": rng.choice(["clerk", "driver, night", 'cook "chef"', "\u00e9lu \U0001f600"], n),
                  "hours": np.round(rng.normal(38, 6, n), 1)})
pay = (30 * t.age + 900.0 * (t.sex == "male") + 45 * t.hours
       + 350 * t.job.map({"clerk": 0, "driver, night": 1, 'cook "chef"': 2, "\u00e9lu \U0001f600": 4})
       + 120 * rng.standard_normal(n)).round(1)
model = make_pipeline(ColumnTransformer([("job", OneHotEncoder(handle_unknown="ignore"), ["job"]),
                                         ("sex", OrdinalEncoder(), ["sex"])], remainder="passthrough"),
                      GradientBoostingRegressor(random_state=1)).fit(t[:250], pay[:250])
joblib.dump(model, "model.joblib")
t["pay"] = pay
late = t[250:].reset_index(drop=True)
woman = late.index[(late.sex == "female")][0]
late.loc[woman, "sex"] = "male"
clerk = late.index[(late.job == "clerk")][0]
late.loc[clerk, "job"] = "\u00e9lu \U0001f600"
late.to_csv("late.csv", index=False)
late.iloc[[woman, clerk]].to_json("new.jsonl", orient="records", lines=True)
print(woman, clerk)
END
rows=$(python3 fit.py)
PYTHONPATH="$(dirname "$(dirname "$TESTS")")/bindings/python${PYTHONPATH:+:$PYTHONPATH}"
export PYTHONPATH
x() { "$GPA" explain --model "exec:python3 -m gpa.worker model.joblib" --target pay --marginals none --json "$@"; }
x --rows "$(echo "$rows" | tr ' ' ,)" late.csv > e.json 2> notes || { echo "exit $?"; cat notes; }
x --all --reference late.csv new.jsonl > n.json 2> notes || { echo "exit $?"; cat notes; }
python3 - $rows <<'END'
import json, sys
woman, clerk = map(int, sys.argv[1:])
for name in ("e", "n"):
    d = json.load(open(name + ".json"))
    names = d["features"]
    by = {tuple(e["rows"]): e for e in d["explanations"]}
    a, b = (by[(woman,)], by[(clerk,)]) if name == "e" else (by[(0,)], by[(1,)])
    # sex (65 %) is likelier than any other input, but age could be meant
    for e, column, kind, was, now in ((a, "sex", "tied", "male", "female"),
                                      (b, "job", "input", "\u00e9lu \U0001f600", "clerk")):
        k = names.index(column)
        assert e["verdict"]["kind"] == kind, (column, e["verdict"])
        assert e["culprit"]["likeliest"]["inputs"] == [column], e["culprit"]["likeliest"]
        assert "'%s' instead of '%s'" % (now, was) in e["verdict"]["text"], e["verdict"]
        assert e["culprit"]["alone"][k]["level"] == now, e["culprit"]["alone"][k]
        kinds = {x["name"]: x for x in e["kinds"]}
        assert kinds["sex"]["levels"] == ["female", "male"], kinds["sex"]
        assert kinds["job"]["kind"] == "choice" and len(kinds["job"]["levels"]) == 4
END
# NA among the codes of countries is missing, and said to be
cat > land.py <<'END'
def price(x):
    return x.load + 10 * (x.land == "US")
END
{
    echo land,load,y
    for i in 1 2 3 4 5 6 7 8; do printf 'DE,%d,%d\nUS,%d,%d\nNA,%d,%d\n' $i $i $i $((i + 10)) $i $((i + 1)); done
} > land.csv
x() { "$GPA" score --model 'exec:python3 -m gpa.worker land.py:price' "$1" 2>&1 > scores | grep -c 'land: NA, in 8 rows, is taken as missing'; }
[ "$(x land.csv)" = 1 ] || echo "no word about NA"
sed 's/DE/Germany/' land.csv > long.csv
[ "$(x long.csv)" = 0 ] || echo "NA is no code among names"
# a level that --levels does not name is said
"$GPA" score --model 'exec:python3 -m gpa.worker land.py:price' --levels land=DE,FR land.csv 2>&1 > scores |
    grep -q 'land also has US, which --levels does not name' || echo "no word about US"
