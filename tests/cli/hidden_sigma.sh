# more spoilt rows than a tenth stay in sigma; both numbers by hand: 48 rows off by 2 and 12 by
# 100 have sigma sqrt((48 * 4 + 12 * 10^4) / 60) = 44.757, and 1.4826 * 2 = 2.9652
python3 - <<'END'
import json, math, random
json.dump({"type": "linear", "variables": ["a", "b"], "w": [2, -1], "b": 5}, open("m.json", "w"))
random.seed(6)
rows = [(random.uniform(1, 9), random.uniform(1, 9)) for _ in range(60)]
def write(name, off):
    with open(name + ".csv", "w") as f:
        print("a,b,y", file=f)
        for i, (a, b) in enumerate(rows):
            a, b = round(a, 4), round(b, 4)
            print("%r,%r,%r" % (a, b, 2 * a - b + 5 + off(i) * (-1) ** i), file=f)
heavy = [-math.log(1 - (i + .5) / 60) for i in range(60)] # Laplace's, at their quantiles
random.shuffle(heavy)
write("clean", lambda i: 2)
write("heavy", lambda i: heavy[i])
write("few", lambda i: 100 if i < 6 else 2)
write("many", lambda i: 100 if i < 12 else 2)
write("exact", lambda i: 100 if i < 12 else 0) # 0 is no sigma
with open("new.csv", "w") as f:
    print("a,b,y\n3,4,7", file=f)
END
for file in clean heavy few exact many; do
    echo "$file"
    "$GPA" score --model linear:m.json --top 1 --json $file.csv 2>&1 >/dev/null | grep sigma
done
echo 'sigma is given'
"$GPA" score --model linear:m.json --sigma 2.97 --top 1 many.csv 2>&1 | grep 'hide in it'
echo 'explained, and by a reference'
"$GPA" explain --model linear:m.json --json many.csv | grep -o 'sigma is [^"]*' | sort -u
"$GPA" explain --model linear:m.json --reference many.csv --json new.csv | grep -o 'sigma is [^"]*' | sort -u
