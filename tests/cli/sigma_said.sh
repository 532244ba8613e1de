# which sigma is used, and which said, where rows are explained together. By hand: y - f is 2 and -2 in
# 90 rows, 4 in 5 of those explained, and 30 in 5. The 90 have sigma 2, those with the 4s
# sqrt(440 / 95 - (20 / 95)^2) = 2.142, all of them sqrt(4940 / 100 - 1.7^2) = 6.82
python3 - <<'END'
import json, random
json.dump({"type": "linear", "variables": ["a", "b"], "w": [2, -1], "b": 5}, open("m.json", "w"))
random.seed(8)
with open("t.csv", "w") as f:
    print("a,b,y", file=f)
    for i in range(100):
        a, b = round(random.gauss(0, 9), 3), round(random.gauss(0, 9), 3)
        off = 30 if i < 5 else 4 if i < 10 else 2 * (-1) ** i
        print(a, b, "%.3f" % (2 * a - b + 5 + off), sep=",", file=f)
END
ask() { "$GPA" explain --model linear:m.json --marginals none --collective --json "$@" t.csv | python3 -c '
import json, sys
e, = json.load(sys.stdin)["explanations"]
print("sigma %.6g" % e["prior"]["sigma"], *(n for n in e["notes"] if "sigma" in n), sep="\n  ")'; }
ask --rows 0-9
ask --top 10
ask --rows 0-9 --sigma 3
"$GPA" explain --model linear:m.json --marginals none --rows 0 --json t.csv | grep -o 'sigma is [^"]*' | sort -u
