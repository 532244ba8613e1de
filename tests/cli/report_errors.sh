# Files that are no results, and places that cannot be written.
cp "$DATA/mixer.csv" data.csv; cp "$DATA/mixer.json" model.json
m="--model model.json --id batch --sigma 1"
"$GPA" explain $m --json-full --html page.html --out r.json data.csv
cp r.json keep.json
"$GPA" report nowhere.json; echo $?
"$GPA" report data.csv; echo $?
"$GPA" report model.json; echo $?
"$GPA" report page.html; echo $?
"$GPA" methods --json | "$GPA" report; echo $?
head -c 3000 r.json > half.json; "$GPA" report half.json; echo $?
printf '' | "$GPA" report -; echo $?
sed 's/"delta":\[[^]]*\]/"delta":[1e999]/' r.json | "$GPA" report -; echo $?
sed 's/"probability":/"probably":/' r.json | "$GPA" report -; echo $?
printf '{"format":"\033[2Jgpa"}' | "$GPA" report; echo $?
printf '{"format":"\\u001b[2Jgpa"}' | "$GPA" report; echo $?
# nothing is left of a report that failed, and the result stays
"$GPA" report --html new.html --svg new half.json; echo $?
"$GPA" report --html r.json r.json; echo $?
"$GPA" report --out r.json r.json; echo $?
cmp r.json keep.json
"$GPA" report --svg page.html r.json; echo $?
"$GPA" report --svg page.html/p r.json; echo $?
"$GPA" report --html no/where.html r.json; echo $?
"$GPA" report --json r.json; echo $?
"$GPA" report r.json r.json; echo $?
"$GPA" report r.json > /dev/full; echo $?
"$GPA" explain $m --svg new --target nobody data.csv; echo $?
"$GPA" explain $m --json-full --csv data.csv; echo $?
ls
