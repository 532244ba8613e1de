# A page says nothing about folders, unless asked; it can be verified all the same.
mkdir -p secret/place; cp "$DATA/mixer.csv" secret/place/data.csv; cp "$DATA/mixer.json" secret/place/model.json
m="--model secret/place/model.json --id batch --sigma 1"
"$GPA" explain $m --top 1 --html page.html --json --out r.json secret/place/data.csv
"$GPA" explain $m --top 1 --html kept.html --paths --csv --out r.csv secret/place/data.csv
"$GPA" explain $m --model "linear:$PWD/secret/place/model.json" --top 1 --html far.html --csv --out r.csv "$PWD/secret/place/data.csv"
"$GPA" compare $m --top 1 --reference secret/place/data.csv --html compared.html --csv --out r.csv secret/place/data.csv
"$GPA" report --html saved.html r.json
grep -c secret page.html far.html compared.html saved.html
grep -o '"file":"[^"]*"\|"model":"[^"]*"\|"reference":"[^"]*"' compared.html || sed -n 's/.*gpa-receipt">//p' compared.html | grep -o 'file[^,]*,\|model&[^,]*,\|reference[^,]*,'
"$GPA" verify kept.html; echo $?
"$GPA" verify page.html; echo $?
"$GPA" verify --model secret/place/model.json page.html secret/place/data.csv; echo $?
cd secret/place && "$GPA" verify ../../page.html && "$GPA" verify ../../saved.html && "$GPA" verify ../../compared.html
"$GPA" verify ../../far.html
