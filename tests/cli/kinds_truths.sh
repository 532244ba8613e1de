# True and False are shown as they are written, and --set takes them; the model gets 1 and 0
python3 - <<'END'
import random
r = random.Random(1)
with open("t.csv", "w") as f, open("t.jsonl", "w") as j:
    f.write("smoker,a,g_x,g_y,y\n")
    for i in range(40):
        s, a, g = i % 3 == 0, r.gauss(0, 1), bool(i % 2)
        y = 3 * s + a + g + 0.1 * r.gauss(0, 1)
        s = s != (i == 6)
        f.write(f"{s},{a:.3f},{g},{not g},{y:.3f}\n")
        j.write(f'{{"smoker":{s},"a":{a:.3f},"g_x":{g},"g_y":{not g},"y":{y:.3f}}}\n'.replace("T", "t").replace("F", "f"))
with open("m.json", "w") as f:
    f.write('{"type":"linear","w":[3,1,1,0],"b":0}')
END
x() { "$GPA" explain --model linear:m.json --rows 6 --marginals none "$@"; }
x t.csv > table && sed -n '1p; /^  smoker/p; /taken as/p' table
x t.jsonl | sed -n '1p; /taken as/p'
x --set smoker=True t.csv | sed -n '1,2p'
x --set smoker=yes t.csv
x --json-full t.csv > r.json && "$GPA" report r.json | cmp - table && "$GPA" verify --model linear:m.json r.json t.csv
