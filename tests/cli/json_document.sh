# JSON in one piece, as to_json and json.dump write it, is no lines: the line that makes them is said
s() { "$GPA" score --model builtin:sinusoid2d --sigma 1 "$@"; echo $?; }
echo '[{"x1":0.5,"x2":0,"y":1},{"x1":0.1,"x2":1,"y":1}]' > records.json
printf '[\n {\n  "x1": 0.5,\n  "x2": 0,\n  "y": 1\n }\n]\n' > indented.json
echo '[[0.5,0,1],[0.1,1,1]]' > values.json
printf '{\n "x1": [0.5, 0.1]\n}\n' > columns.json
for f in records indented values columns; do s $f.json; done
printf '{"x1":0.5,"x2":0,"y":1}\n{"x1":0.1,"x2":1,"y":1}\n' > lines.json
s --top 1 lines.json
printf '[0.5,0,1]\n[ 0.1,1,1]\n' > lists.json
s --top 1 lists.json
s 'lines.json?table=rows'
s 'none.db?table=rows'
