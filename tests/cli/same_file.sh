# No output ever replaces an input, or another output, whatever it is called.
cp "$DATA/mixer.csv" t.csv; cp "$DATA/mixer.json" model.json; cp t.csv ref.csv
mkdir d; ln -s t.csv link.csv; ln t.csv hard.csv; ln -s nothing dangling; ln -s ../new d/new
cp t.csv keep.csv; cp model.json keep.json
m="--model model.json --id batch --sigma 1"
try() { "$GPA" "$@" > printed 2>&1; echo "$? $(tail -n 1 printed)"; cmp t.csv keep.csv; cmp ref.csv keep.csv; cmp model.json keep.json; }
for to in t.csv ./t.csv d/../t.csv "$PWD/t.csv" link.csv hard.csv; do
    try score $m --out "$to" t.csv
    try explain $m --out "$to" t.csv
    try explain $m --html "$to" t.csv
    try compare $m --methods gpa,lc --out "$to" t.csv
    try compare $m --methods gpa,lc --html "$to" t.csv
done | sed "s#$PWD#HERE#" | sort | uniq -c
try score $m --out ./model.json t.csv
try model --model linear:./model.json --out model.json
try explain $m --reference ref.csv --html d/../ref.csv t.csv
try explain --model "exec:cat ./model.json" --out model.json t.csv
try explain $m --json --out r.json t.csv
try report --out ./r.json r.json
try report --html d/../r.json r.json
try verify r.json
# outputs that are not there yet, under two names
try explain $m --out new --html ./new t.csv
try explain $m --out new --html d/new t.csv
try explain $m --out nothing --html dangling t.csv
# a link to a file that is not there yet leads to it
try explain $m --json --out dangling t.csv
test -L dangling && head -c 28 nothing; echo
ls
