# A report from elsewhere runs no program, asks no server and writes no file by itself.
cp "$DATA/mixer.csv" data.csv; cp "$DATA/mixer.json" model.json
"$GPA" explain --model model.json --id batch --json --out r.json data.csv
cat > spoil.py <<'END'
import json, sys
d = json.load(open("r.json"))
d["options"].update(json.loads(sys.argv[1]))
json.dump(d, sys.stdout)
END
try() { python3 spoil.py "$1" | "$GPA" verify - data.csv; echo $?; }
try '{"model": "exec:touch made"}'
try '{"model": "plugin:./made.so"}'
try '{"model": "v2:http://127.0.0.1:9/models/m"}'
try '{"model": "tfserving:http://127.0.0.1:9/m"}'
try '{"out": "made"}'
try '{"html": "made"}'
try '{"svg": "made"}'
try '{"model-auth": "file:model.json"}'
try '{"threads": 3}'
try '{"no-such": "option"}'
try '{"top": "many"}'
try '{"top": {"k": 1}}'
try '{"command": "bench"}'
try '{"command": "sh"}'
try '{"command": 7}'
try '{"model": "\u001b[2J.json"}'
python3 spoil.py '{"file": "/dev/zero"}' | "$GPA" verify; echo $?
python3 spoil.py '{"file": "."}' | "$GPA" verify; echo $?
# said by the user it is asked: a program that answers nothing is no model
python3 spoil.py '{"model": "exec:false"}' | "$GPA" verify --model "exec:true" - data.csv 2> err; echo $?
grep -c 'gpa: ' err
# results without a receipt
"$GPA" score --model model.json --id batch --json data.csv | "$GPA" verify; echo $?
"$GPA" methods --json | "$GPA" verify; echo $?
echo '<html><pre>nothing</pre></html>' | "$GPA" verify; echo $?
python3 -c 'import json; d = json.load(open("r.json")); d["options"] = {}; print(json.dumps(d))' | "$GPA" verify; echo $?
"$GPA" verify nowhere.json; echo $?
"$GPA" verify r.json nowhere.csv; echo $?
"$GPA" verify r.json data.csv more.csv; echo $?
"$GPA" verify r.json > /dev/full; echo $?
ls
