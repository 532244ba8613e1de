# Rows explained together: the same table in another order says the same, and so does the model of -y for -y, also where
# an input has long tails, so that one of the rows is far out.
python3 - <<'PY'
import json, math, os, random, subprocess
gpa = os.environ["GPA"]

def ask(rows, which, sigma):
    with open("t.csv", "w") as f:
        f.write("a,b,c,y\n" + "".join(",".join(map(repr, row)) + "\n" for row in rows))
    said = subprocess.run([gpa, "explain", "--model", "m.json", "--target", "y", "--sigma", str(sigma), "--rows", ",".join(map(str, which)),
                           "--collective", "--marginals", "none", "--json", "t.csv"], capture_output=True, check=True).stdout
    e = json.loads(said)["explanations"][0]["culprit"]
    return e["responsible"] + [e["output"]]

worst = 0
for seed in range(16):
    r = random.Random(seed)
    w = [[r.gauss(0, 1) for _ in range(4)] for _ in range(3)]
    v, sigma = [r.gauss(0, 2) for _ in range(4)], 10 ** r.uniform(-2, -.5)
    def save(sign):
        json.dump({"type": "mlp", "activation": "tanh", "variables": ["a", "b", "c"],
                   "layers": [{"W": w, "b": [0] * 4}, {"W": [[sign * u] for u in v], "b": [0]}]}, open("m.json", "w"))
    f = lambda x: sum(u * math.tanh(sum(x[k] * w[k][j] for k in range(3))) for j, u in enumerate(v))
    rows = []
    for i in range(90):
        x = [r.gauss(0, 1), math.exp(r.gauss(0, 2)), r.gauss(0, 1)]
        y = f(x) + r.gauss(0, sigma)
        if i < 5:
            x[seed % 3] += 2 + 20 * (i == 0)
        rows.append(x + [y])
    order = list(range(90))
    r.shuffle(order)
    save(1)
    one = ask(rows, range(5), sigma)
    two = ask([rows[i] for i in order], sorted(order.index(i) for i in range(5)), sigma)
    save(-1)
    three = ask([row[:3] + [-row[3]] for row in rows], range(5), sigma)
    worst = max([worst] + [abs(p - q) for other in (two, three) for p, q in zip(one, other)])
print("the same" if worst < 1e-6 else worst)
PY
