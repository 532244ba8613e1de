# times in the table are whole, and what would look normal is said as finely as it is known
cp "$TESTS/../../examples/exec/prices.pl" .
python3 - <<'END'
import random
r = random.Random(2)
with open("times.csv", "w") as f, open("minutes.csv", "w") as g:
    print("region,rain,y", file=f)
    print("region,rain,y", file=g)
    for i in range(60):  # the truth of row 50: 26 January and 25 minutes past
        day, minute = 19723 + i / 2, 50 * 86400 + i * 30
        wide, narrow = r.gauss(0, 100000), r.gauss(0, 100)
        print("north,%s,%.1f" % ("2042-01-26 12:00:00" if i == 50 else
                                 "2024-01-%02d %02d:00:00" % (i // 2 + 1, i % 2 * 12), 10 + 3 * 86400 * day + wide), file=f)
        print("north,%s,%.1f" % ("1970-02-25 00:00:00" if i == 50 else
                                 "1970-02-20 00:%02d:%02d" % (i // 2, i % 2 * 30), 10 + 3 * minute + narrow), file=g)
END
for name in times minutes; do
    "$GPA" explain --model "exec:perl prices.pl" --marginals none --rows 50 $name.csv > out 2>&1 || cat out
    sed -n '1,2p;/^  input/,/^  rain/p' out
done
