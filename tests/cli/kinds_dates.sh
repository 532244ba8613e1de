# what is said of a column of dates does not change what the model is given
cp "$TESTS/../../examples/exec/prices.pl" .
python3 - <<'END'
with open("d.csv", "w") as f, open("gaps.csv", "w") as g:
    f.write("region,rain,y\n")
    g.write("region,rain,y\n")
    for i in range(40):
        f.write("%s,2024-%02d-%02d,%d\n" % (["north", "south"][i % 2], i % 12 + 1, i % 28 + 1, 59200 + 37 * i))
        g.write("north,,59000\n")
END
x() { echo "== $*"; "$GPA" explain --model "exec:perl prices.pl" --marginals none --sigma 500 --rows 3 "$@" > out 2>&1
      echo "exit $?"; grep -h -A1 '^gpa:\|taken as' out; grep -o 'f = [0-9.]*' out; }
x d.csv
for kind in held number whole; do x --kind rain=$kind d.csv; done
x --kind rain=flag d.csv
# a column of nothing but gaps says nothing against dates, here or there
x --reference gaps.csv d.csv
x --reference d.csv gaps.csv
# bounds are dates, too; times hold colons
x --bounds rain=2024-03-01:2024-06-30 d.csv
x --bounds rain=:2024-06-30 d.csv
x --bounds rain=19800: d.csv
x --bounds rain=2024-06-30:2024-03-01 d.csv
sed 's/-\([0-9]*\),\([0-9]*\)$/-\1 06:30,\2/' d.csv > times.csv
x --bounds 'rain=2024-03-01 12:30:2024-06-30 08:00:00' times.csv
x --bounds 'rain=2024-03-01 12:30:' times.csv
# dates that are written in another way are text, which is said; held, they were not asked about
sed 's/\(2024\)-\([0-9]*\)-\([0-9]*\)/\3.\2.\1/' d.csv > german.csv
x german.csv
"$GPA" explain --model "exec:perl prices.pl" --marginals none --sigma 500 --rows 3 --json --set y=60000 german.csv 2>&1 |
    grep -o 'suspect the observed.*about\.'
printf 'region,rain,y\nK\366ln,2,3\nK\344ln,2,3\n' > latin.csv
x latin.csv
