# a set made here, against figures worked out here
python3 - <<'END'
import json, random
random.seed(5)
w = [2, 0, -1]
f = lambda x: sum(a * b for a, b in zip(w, x))
rows = [[random.gauss(0, 1) for _ in w] for _ in range(40)]
rows[7][0] = rows[7][1] = 0.0
with open("hand.batch.csv", "w") as out:
    print("row,a,b,c", file=out)
    for i, x in enumerate(rows):
        print(i + 100, *map(repr, x), sep=",", file=out)
cases = []
for i in range(30):
    s = rng = random.sample(range(40), 5 if i % 10 == 9 else 1)
    who = [] if i % 5 == 4 and i % 10 == 4 else [[0], [2], [0, 2]][i % 3] if i % 10 != 9 else [i % 3]
    move = {k: random.choice([-1, 1]) * random.uniform(0.5, 4) for k in who}
    kind = "coll" if len(s) > 1 else ["out", "single", "double"][len(who)]
    cases.append((kind, s, who, move))
with open("hand.csv", "w") as out:
    print("case,kind,row,N,y,culprits,x_a,x_b,x_c,dtrue_a,dtrue_b,dtrue_c,source", file=out)
    for n, (kind, s, who, move) in enumerate(cases):
        for t, i in enumerate(s):
            x = [v + move.get(k, 0) for k, v in enumerate(rows[i])]
            y = f(rows[i]) + (9 if kind == "out" else 0)
            print(n, kind, t, len(s), repr(y), ";".join(map(str, who)), *map(repr, x),
                  *(repr(-move[k]) if k in move else 0 for k in range(3)), i + 100, sep=",", file=out)
json.dump({"set": "hand", "note": "a \\ and a \" and {[", "variables": ["a", "b", "c"],
           "scale": [1, 1.0, 1e0], "sigma_yf": 0.3, "model": {"type": "linear", "w": w, "b": 0}},
          open("hand.meta.json", "w"), indent=1)
json.dump({"cases": cases, "rows": rows}, open("truth.json", "w"))
END
cp hand.csv word.csv; cp hand.batch.csv word.batch.csv
sed 's/"type": "linear"/"type": "formula"/' hand.meta.json > word.meta.json
"$GPA" bench planted --cases . --json > b.json || echo "exit $?"
printf '{"type":"linear","w":[2,0,-1],"b":0}' > linear.json
# the model given, and the model where the description says it is: the same numbers
"$GPA" bench planted --cases . --set word --model linear.json --json > given.json || echo "exit $?"
sed 's/"model": {/"model": "that of .\/linear.json", "old": {/' hand.meta.json > word.meta.json
"$GPA" bench planted --cases . --set word --json > named.json || echo "exit $?"
"$GPA" bench planted --cases . --methods z,culprit --per-kind 2 --json > short.json || echo "exit $?"
python3 - <<'END'
import json, math, statistics
truth, b, given, named, short = (json.load(open(n + ".json")) for n in
                                 ("truth", "b", "given", "named", "short"))
rows = truth["rows"]
def recall(score, who):
    share = 0
    for k in who:
        above, equal = sum(s > score[k] for s in score), sum(s == score[k] for s in score)
        share += min(1, max(0, len(who) - above) / equal)
    return share / len(who)
want = {}
for kind, s, who, move in truth["cases"]:
    others = [x for i, x in enumerate(rows) if i not in s]
    z = []
    for k in range(3):
        column = [x[k] for x in others]
        mean = sum(rows[i][k] + move.get(str(k), 0) for i in s) / len(s)
        z.append(abs(mean - statistics.fmean(column)) / statistics.pstdev(column))
    if who:
        want.setdefault(kind, []).append(recall(z, who))
assert b["skipped"][0]["set"] == "word" and "formula" in b["skipped"][0]["reason"], b["skipped"]
(hand,) = b["sets"]
kinds = {k["kind"]: k for k in hand["kinds"]}
assert hand["set"] == "hand" and hand["inputs"] == 3 and hand["sigma"] == 0.3
checked = 0
for kind, values in want.items():
    assert kinds[kind]["cases"] == len(values)
    got = kinds[kind]["methods"]["z"]["recall"]
    assert abs(got["value"] - statistics.fmean(values)) < 1e-12, (kind, got, values)
    # the ends of the exact interval leave 5 % to as many hits or more, or fewer
    n, hits, (low, high) = len(values), round(sum(values), 9), got["interval90"]
    assert low <= got["value"] <= high
    if hits == int(hits):
        tail = lambda p, k, to: sum(math.comb(n, i) * p**i * (1 - p)**(n - i) for i in range(k, to + 1))
        assert low == 0 if hits == 0 else abs(tail(low, int(hits), n) - 0.05) < 1e-9, (kind, got)
        assert high == 1 if hits == n else abs(tail(high, 0, int(hits)) - 0.05) < 1e-9, (kind, got)
        checked += 1
assert checked >= 2, checked
assert sum(map(len, want.values())) == 27 and kinds["out"]["cases"] == 3
assert given["sets"][0]["kinds"] != [] and given["sets"][0]["kinds"] == named["sets"][0]["kinds"]
z = lambda d: [k["methods"]["z"]["recall"] and k["methods"]["z"]["recall"]["value"]
               for k in d["sets"][0]["kinds"]]
assert z(given) == z(b)
assert [s["set"] for s in short["sets"]] == ["hand", "word"] and short["mean"]["sets"] == 2
assert [m["name"] for m in short["methods"]] == ["culprit", "z"]
for k, m in zip(short["sets"][0]["kinds"], short["mean"]["kinds"]):
    assert k["cases"] <= 2 and m["cases"] == 2 * k["cases"] and m["kind"] == k["kind"]
    one, both = k["methods"]["z"]["recall"], m["methods"]["z"]["recall"]
    assert (one is None) == (both is None) and (one is None or one["value"] == both["value"])
END
c() { "$GPA" bench planted --cases . --set "$@"; echo $?; }
c nobody
c hand --sigma 1
c hand file.csv
c word --model builtin:sinusoid2d
e() { mkdir -p "$1" && cp hand.* "$1" && (cd "$1" && sh -c "$2" && c hand --methods z); }
e culprit "sed -i '3s/,0,1,\([^,]*\),[0-9;]*,/,0,1,\1,3,/' hand.csv"
e size "sed -i '3s/,0,1,/,0,2,/' hand.csv"
e column "sed -i '1s/dtrue_b/other/' hand.csv"
e batch "rm hand.batch.csv"
e sigma "sed -i 's/sigma_yf.: 0.3/sigma_yf\": 0/' hand.meta.json"
e json "printf '{\"variables\":[\"a\"' > hand.meta.json"
e network "sed -i 's/linear/mlp/' hand.meta.json"
e empty "rm hand.meta.json"
