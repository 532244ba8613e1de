# a level that brings the model no nearer to what was observed is not shown as what would look normal:
# blind does nothing, wrong leads away, right is the fault
python3 - <<'END'
import json, random
random.seed(5)
json.dump({"type": "linear", "variables": ["right", "wrong", "blind", "a"], "w": [5, 5, 0, 1], "b": 0}, open("m.json", "w"))
with open("t.csv", "w") as f:
    f.write("right,wrong,blind,a,y\n")
    for i in range(80):
        x = [random.randint(0, 1) for _ in range(3)] + [random.gauss(0, 1)]
        y = 5 * x[0] + 5 * x[1] + x[3] + random.gauss(0, .3)
        if i == 7:
            x[:3], y = [0, 1, 1], 10 + x[3]
        f.write("%d,%d,%d,%.4f,%.4f\n" % (*x, y))
END
"$GPA" explain --model m.json --rows 7 --html page.html t.csv | grep -E '^  (right|wrong|blind) '
"$GPA" explain --model m.json --rows 7 --csv t.csv | cut -d, -f3,9 | sed -n '2,4p'
"$GPA" explain --model m.json --rows 7 --json t.csv > saved.json
python3 -c '
import json
for k, one in enumerate(json.load(open("saved.json"))["explanations"][0]["culprit"]["alone"][:3]):
    print(k, one["level"], one.get("level_reason"))'
"$GPA" report saved.json | grep -E '^  (right|wrong|blind) '
tr '\n' ' ' < page.html | grep -oE '<span class="v">[^<]*</span> <span class="iv w">' | sort | uniq -c
