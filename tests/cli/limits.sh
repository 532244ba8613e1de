e() { "$GPA" explain --model "$DATA/mixer.json" --id batch --sigma 1 --rows 10 "$@" "$DATA/mixer.csv"; echo $?; }
e --freeze tmp
e --freeze temp,batch
e --freeze ''
e --integer nothing
e --bounds temp
e --bounds temp=5
e --bounds temp=9:1
e --bounds temp=a:b
e --bounds xyz=1:2
e --onehot temp,temp
e --onehot temp --onehot load,temp
e --onehot temp,load
e --freeze temp,speed,load,fill --json --out all.json
e --freeze temp,speed --freeze load --bounds fill=5:6 --json --out b.json
e --integer temp,load --bounds speed=:31 --json --out i.json
python3 - <<'END'
import json
def read(name):
    return json.load(open(name + ".json"))["explanations"][0]
a = read("all")
print(a["delta"], a["verdict"], a["verdict_reason"])
b = read("b")
assert b["delta_raw"][:3] == [0, 0, 0] and b["culprit"]["probability"][:3] == [0, 0, 0]
assert b["culprit"]["probability"][3] == 1 and b["culprit"]["set90"] == ["fill"]
x = b["x"][0][3]
moved = [b["delta_raw"][3]] + [b["culprit"]["alone"][3]["median_raw"]] + b["culprit"]["alone"][3]["interval90_raw"]
assert all(5 - 1e-9 <= x + d <= 6 + 1e-9 for d in moved), (x, moved)
i = read("i")
for k in (0, 2):
    whole = [i["delta_raw"][k], i["culprit"]["alone"][k]["median_raw"]] + i["culprit"]["alone"][k]["interval90_raw"]
    assert all(d == round(d) for d in whole), whole
assert i["x"][0][1] + i["delta_raw"][1] <= 31 + 1e-9
assert i["x"][0][1] + i["culprit"]["alone"][1]["interval90_raw"][1] <= 31 + 1e-9
END
# what may not move is held, and says so
"$GPA" explain --model "$DATA/mixer.json" --id batch --sigma 1 --rows 10 --freeze temp,load "$DATA/mixer.csv" | grep -c '  held'
"$GPA" explain --model "$DATA/mixer.json" --id batch --sigma 1 --rows 10 --freeze temp,load --culprit off "$DATA/mixer.csv" | grep -c '  held'
# a row outside its bounds is brought inside; then nobody can say who did it
e --bounds temp=0:70 --json --out o.json
python3 - <<'END'
import json
o = json.load(open("o.json"))["explanations"][0]
print(o["x"][0][0] + o["delta_raw"][0] <= 70 + 1e-9, o["verdict"], o["verdict_reason"])
END
