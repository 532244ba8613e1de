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
# data on standard input, a secret, a quoted script, cases and their models; no false alarm
"$GPA" score $m --out t.csv < t.csv; echo $?; cmp t.csv keep.csv
"$GPA" score $m --out ./t.csv - < t.csv; echo $?; cmp t.csv keep.csv
"$GPA" report --html r.json < r.json; echo $?
"$GPA" score $m t.csv >> t.csv; echo $?; cmp t.csv keep.csv
cp keep.csv s.txt; cp keep.csv 'my script.pl'; mkdir cases; cp keep.csv cases/a.csv; cp keep.json l-a.json
try score --model mlflow:http://127.0.0.1:9 --model-auth file:s.txt --out s.txt t.csv
try score --model 'exec:perl "my script.pl"' --out 'my script.pl' t.csv
try score --model 'exec:perl my\ script.pl --data=s.txt' --out s.txt t.csv
try bench planted --cases cases --out cases/a.csv
try bench planted --cases cases --model 'l-{set}.json' --out l-a.json
cmp s.txt keep.csv; cmp 'my script.pl' keep.csv; cmp cases/a.csv keep.csv; cmp l-a.json keep.json
echo 1 > batch; try score $m --json --out batch t.csv
# outputs that are not there yet, under two names
try explain $m --out new --html ./new t.csv
try explain $m --out new --html d/new t.csv
try explain $m --out nothing --html dangling t.csv
try explain $m --html /dev/stdout t.csv
try paper sinusoid --work w --out p.html --html ./p.html
mkdir -p w/diabetes; echo mine > w/diabetes/mine.txt; "$GPA" paper diabetes --work w > /dev/null 2> said; cat w/diabetes/mine.txt
# pictures, too: of the data that have the name of one, and of another output
mkdir pic; cp t.csv pic/scores.svg; ln -s ../keep.csv pic/row-A1-forest.svg
try explain $m --svg pic pic/scores.svg
mkdir new-pic; try explain $m --svg new-pic --out new-pic/scores.svg t.csv
cmp pic/scores.svg keep.csv; ls pic new-pic; rm -r pic new-pic
# a folder of pictures is no file, neither when it is named so nor when it comes to be so
try explain $m --svg both --html both t.csv
try explain $m --svg ./both/ --out both t.csv
try explain $m --rows 0 --svg both/deep --json --out both --html b.html t.csv; rmdir both
# a link to a file that is not there yet leads to it
try explain $m --json --out dangling t.csv
test -L dangling && head -c 28 nothing; echo
ls
