# names of columns and of levels may hold "="
python3 - <<'END'
import json
names = ["city", "city=London", "city=Rome"]
json.dump({"type": "linear", "variables": names, "w": [1, 2, 3], "b": 0}, open("m.json", "w"))
with open("d.csv", "w") as f:
    f.write(",".join(names) + ",city=y\n")
    for i in range(60):
        f.write("%d,%d,%d,%.2f\n" % (i % 5, i % 3, i % 4, i % 5 + 2 * (i % 3) + 3 * (i % 4) + i * 7 % 11 / 11))
END
x() { echo "== $*"; "$GPA" explain --model linear:m.json --marginals none --rows 6 --json "$@" d.csv > out 2>&1 || cat out
      sed -n 's/.*"x":\(\[\[[^]]*\]\]\).*"y":\[\([0-9.]*\)\].*/\1 y \2/p' out; grep -o '"name":"[^"]*","kind":"[^"]*"' out; }
x
x --set city=London=2 --set city=3
x --set city=y=9
x --levels city=London=a,b,c --kind city=Rome=choice
x --set city=Paris=2
