# red costs 0, green 10, blue 20; row 30 is said to be red and costs as if it were blue
python3 - <<'END'
import json
json.dump({"type": "linear", "variables": ["red", "green", "blue", "size"], "w": [0, 10, 20, 3], "b": 1},
          open("m.json", "w"))
with open("d.csv", "w") as f:
    f.write("red,green,blue,size,cost\n")
    for i in range(60):
        k, size = i % 3, 2 + (i * 7) % 11 / 10
        x = [int(j == k) for j in range(3)]
        cost = 1 + 10 * k + 3 * size + ((i * 5) % 7 - 3) / 3 + (20 if i == 30 else 0)
        f.write("%d,%d,%d,%.1f,%.3f\n" % (*x, size, cost))
END
m="--model linear:m.json --sigma 0.7 --rows 30 --onehot red,green,blue"
"$GPA" explain $m --json --out e.json d.csv
python3 - <<'END'
import json
e, = json.load(open("e.json"))["explanations"]
c = e["culprit"]
print(e["verdict"]["kind"], e["verdict"]["text"])
assert e["delta_raw"][:3] == [-1, 0, 1], e["delta_raw"]
assert [a["level"] for a in c["alone"][:3]] == ["blue"] * 3
assert abs(sum(l["probability"] for l in c["alone"][0]["levels"]) - 1) < 1e-12
assert c["probability"][0] == c["probability"][1] == c["probability"][2] > c["probability"][3]
assert abs(sum(c["single"]) - 1) < 1e-12 and c["set90"][:3] == ["red", "green", "blue"], (sum(c["single"]), c["set90"])
END
"$GPA" explain $m --html h.html d.csv | sed -n '/^  input/,/^$/p' | cut -c 1-24
grep -c 'blue instead of red would look normal' h.html
