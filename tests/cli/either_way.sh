# y falls by 3 where kind is 1 or 3; the last row has 3 and says 2. Both explain it alike, so both are
# said, whether kind is the culprit or age may be (its effect is .02, so 3 is 150 more).
cat > make.py <<'P'
import json, random, sys
r = random.Random(int(sys.argv[1]))
json.dump(dict(type="mlp", variables=["kind", "a", "age"], activation="relu", layers=[
    dict(W=[[1, -1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], b=[-2, 2, 0, 0]),
    dict(W=[[-3], [-3], [1], [-.02]], b=[20])]), open("m.json", "w"))
print("kind,a,age,y")
for i in range(200):
    kind, a, age = r.randint(1, 3), r.uniform(0, 4), r.uniform(0, 300)
    shown = kind
    if i == 199:
        kind, age, shown = 3, 30, 2
    y = 20 - 3 * abs(kind - 2) + a - .02 * age + r.gauss(0, .5)
    print("%d,%.3f,%.1f,%.3f" % (shown, a, age, y))
P
for seed in 1 2; do
    python3 make.py $seed > d.csv
    "$GPA" explain --model m.json --target y --sigma .5 --rows 199 d.csv | sed '/was observed/,$d'
done
