# a result with levels, gaps, dates and times that have fractions of a second: gpa report makes the
# same page, pictures, table and CSV of it, gpa verify the same numbers
cp "$TESTS/../../examples/exec/prices.pl" .
python3 - <<'END'
import csv, random
r = random.Random(5)
names = ["<b>\"x\"</b>", "a,b", "line\nbreak", "\U0001f600\u00e9", "</script><script>alert(1)</script>", "it's", "x" * 300,
         "%s%n", "north", "south"]
with open("many.csv", "w") as f:  # more levels and rows than are kept
    f.write("region,rain,y\n")
    for i in range(4000):
        f.write("%s,%d,%d\n" % ("city %d" % r.randrange(900) if i % 3 else "north", r.randrange(9), r.randrange(40)))
with open("d.csv", "w", newline="", encoding="utf-8") as f:
    w = csv.writer(f)
    w.writerow(["region", "rain", "y"])
    for i in range(60):
        w.writerow([r.choice(names) if i != 7 else "", "2020-01-01T%02d:%02d:07.%dZ" % (r.randrange(24), r.randrange(60), 25 * (i % 4)),
                    4.73e9 + r.gauss(0, 9000)])
END
same() { # same FILE OPTIONS...
    d=$1; shift
    x() { "$GPA" explain --model "exec:perl prices.pl" "$@" "$d" 2> /dev/null; }
    x "$@" --json-full --out r.json --html a.html --svg a && x "$@" --out a.txt && x "$@" --csv --out a.csv || echo "exit $?"
    "$GPA" report r.json --html b.html --svg b && "$GPA" report --out b.txt r.json && "$GPA" report --csv --out b.csv r.json
    for end in html txt csv; do cmp a.$end b.$end; done
    diff -r a b > differ && echo "$d: the same"
    rm -r a b
}
same many.csv --top 2
same d.csv --rows 7,11,12
"$GPA" verify --model "exec:perl prices.pl" r.json d.csv
! grep -c 'alert(1)</script>' a.html
