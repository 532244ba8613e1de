# z: red costs 0, green 10, blue 20. Row 30 has a 1 in red and in green, and was blue; row 31 has none,
# and was green; row 32 is half red, half blue, and was red: what stands in the row is what is shown
python3 - <<'END'
import json
json.dump({"type": "linear", "variables": ["z_red", "z_green", "z_blue", "size"], "w": [0, 10, 20, 3], "b": 1},
          open("m.json", "w"))
with open("d.csv", "w") as f:
    f.write("z_red,z_green,z_blue,size,cost\n")
    for i in range(1200):
        k, size = {30: 2, 31: 1, 32: 0}.get(i, i % 3), 2 + (i * 7) % 11 / 10
        x = {30: (1, 1, 0), 31: (0, 0, 0), 32: (.5, 0, .5)}.get(i, [int(j == k) for j in range(3)])
        f.write("%g,%g,%g,%.1f,%.3f\n" % (*x, size, 1 + 10 * k + 3 * size + ((i * 5) % 7 - 3) / 3))
END
m="--model linear:m.json --marginals none"
for row in 30 31 32 33; do
    "$GPA" explain $m --rows $row --html $row.html d.csv > $row.txt
    sed -n '1p;/^  z /p' $row.txt | cut -c 1-72
done
grep -A1 'no level' 30.txt
grep -o 'z: [a-z]* instead of [a-z +]* would look normal' 30.html | sort -u
"$GPA" explain $m --rows 30,31 --collective --verbose d.csv | grep '^  z '
"$GPA" score --model linear:m.json --top 1 d.csv 2>&1 >/dev/null | grep level
# what is refused by hand is never called a level
"$GPA" explain $m --rows 30 --onehot z_red,z_green,z_blue d.csv 2>&1
