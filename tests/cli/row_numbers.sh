# A column of row numbers goes to a model that does not name its inputs: it is asked whether
# that was meant. Not where the columns are named, or the model names them.
printf '{"type":"linear","w":[0,2,-3],"b":1}' > plain.json
printf '{"type":"linear","w":[0,2,-3],"b":1,"variables":["id","a","b"]}' > named.json
python3 - <<'END'
import random
random.seed(3)
with open("d.csv", "w") as f:
    f.write("id,a,b,y\n")
    for i in range(60):
        a, b = random.gauss(3, 1), random.gauss(0, 1)
        f.write("%d,%.3f,%.3f,%.3f\n" % (5000 + i, a, b, 1 + 2 * a - 3 * b + random.gauss(0, 1)))
END
ask() {
    "$GPA" score --top 1 "$@" d.csv 2>&1 >/dev/null | grep 'row numbers' || echo nothing
}
ask --model plain.json
ask --model plain.json --features id,a,b
ask --model named.json
