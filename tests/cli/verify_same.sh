# What was made can be made again: JSON, in full, pages, comparisons; wherever things are.
cp "$DATA/mixer.csv" data.csv; cp "$DATA/mixer.json" model.json
m="--model model.json --id batch --sigma 1"
"$GPA" explain $m --rows 10,20-22 --seed 18446744073709551615 --freeze fill --freeze load --bounds speed=10:90 \
    --json --html page.html --out r.json data.csv
"$GPA" explain $m --top 2 --tol 1e-07 --solver paper-det --marginals paper --json-full --out full.json data.csv
"$GPA" explain $m --rows 50-52 --collective --html together.html data.csv > /dev/null
"$GPA" compare $m --top 2 --reference data.csv --lime-l1 0.1 --json --html compared.html --out c.json data.csv
for f in r.json full.json page.html together.html c.json compared.html; do
    echo "$f: $("$GPA" verify $f) $?"
done
# other workers, other batches
"$GPA" verify --threads 1 --batch 7 --progress never r.json; echo $?
# laid out differently, or by another version: the same numbers
python3 -c 'import json; json.dump(json.load(open("r.json")), open("wide.json", "w"), indent=3)'
"$GPA" verify wide.json; echo $?
sed 's/"version":"[^"]*"/"version":"0.0.1"/' r.json > old.json; "$GPA" verify old.json; echo $?
# a page made from a saved result
"$GPA" report --html again.html full.json && "$GPA" verify again.html; echo $?
"$GPA" report --html thin.html r.json && "$GPA" verify thin.html; echo $?
"$GPA" report --html thin.html c.json && "$GPA" verify thin.html; echo $?
# the files have moved
mkdir there; mv data.csv model.json there
"$GPA" verify r.json; echo $?
"$GPA" verify r.json there/data.csv; echo $?
"$GPA" verify --model there/model.json r.json there/data.csv; echo $?
"$GPA" verify --model there/model.json page.html there/data.csv; echo $?
"$GPA" verify --model there/model.json --reference there/data.csv compared.html there/data.csv; echo $?
# the data came from a pipe, the report comes from one
"$GPA" explain --model there/model.json --id batch --json < there/data.csv > piped.json
"$GPA" verify piped.json; echo $?
"$GPA" verify - there/data.csv < piped.json; echo $?
