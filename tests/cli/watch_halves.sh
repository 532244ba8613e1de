# y that comes later than the inputs, joined by --id; rows that come twice.
cat > rows.py <<'P'
import json
from watch_rows import r
whole, lines, later = [], [], []
for i in range(60):
    a, b = round(r.gauss(0, 1), 4), round(r.gauss(0, 1), 4)
    y = round(2 * a - 3 * b + r.gauss(0, .3) + 9 * (20 <= i < 30), 4)
    whole.append({"ts": i, "a": a, "b": b, "y": y})
    lines.append({"ts": i, "a": a, "b": b})
    later.append({"ts": i, "y": y})
    if i >= 7:
        lines.append(later.pop(0))
for name, rows in ("whole", whole), ("late", lines + later):
    with open(name, "w") as f:
        for row in rows:
            print(json.dumps(row), file=f)
P
PYTHONPATH="$DATA" python3 rows.py
p="--model m.json --target y --id ts --reference ref.csv"
say() {
    python3 -c '
import collections, json, sys
count = collections.Counter()
for e in map(json.loads, sys.stdin):
    count[e.get("reason") or e["event"]] += 1
print(*(f"{k} {v}" for k, v in sorted(count.items())))'
}
"$GPA" watch $p whole > whole.out
echo "seven rows later: in time, the same records; not in time"
"$GPA" watch $p --wait 7 late | cmp - whole.out && echo same
"$GPA" watch $p --wait 10s late | cmp - whole.out && echo same
"$GPA" watch $p --wait 6 late | say
echo "y before the inputs"
tac late | "$GPA" watch $p --wait 8 | say
echo "nothing waits without --wait"
"$GPA" watch $p late | say
echo "one line out per line in, whatever waits"
"$GPA" watch $p --wait 6 --every late | wc -l
echo "twice: dropped, and counted"
cat whole whole | "$GPA" watch $p | cmp - whole.out && echo same
cat whole whole | "$GPA" watch $p --every | grep -c '"reason":"duplicate"'
echo "the first lines are joined, too: the same records as of whole rows"
q="--model m.json --target y --id ts --json"
for n in 200 30; do
    "$GPA" watch $q --warm-up $n --every whole 2> /dev/null | grep -v '"f":null' > warm.out
    "$GPA" watch $q --warm-up $n --every --wait 10 late | grep -v '"f":null' | cmp - warm.out && echo same
done
python3 - <<'P'
import csv, json
with open("late.csv", "w", newline="") as f:
    w = csv.DictWriter(f, ["ts", "a", "b", "y"])
    w.writeheader()
    w.writerows(map(json.loads, open("late")))
P
"$GPA" watch $q --warm-up 30 --every --wait 10 late.csv 2> /dev/null | grep -v '"f":null' | cmp - warm.out && echo same
head -n 80 late > lines
"$GPA" watch $q --warm-up 30 --wait 10 --every --state s --out o lines
cp late lines
"$GPA" watch $q --warm-up 30 --wait 10 --every --state s --out o lines
"$GPA" watch $q --warm-up 30 --wait 10 --every --out undisturbed late 2> /dev/null
cmp undisturbed o && echo same
echo "halves that never meet are no rows"
head -n 7 late | "$GPA" watch $q --wait 10
echo "no such wait"
"$GPA" watch $p --wait soon whole
"$GPA" watch --model m.json --target y --reference ref.csv --wait 5 whole
