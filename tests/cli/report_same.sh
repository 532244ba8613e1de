# From a result saved in full come the very same pages, pictures, tables and CSV.
m="--model $DATA/mixer.json --id batch --sigma 1"
d="$DATA/mixer.csv"
same() { # same WHAT COMMAND OPTIONS...: run it, then report on what it saved
    what=$1; shift
    "$GPA" "$@" --json-full --out r.json --html a.html --svg a "$d" && "$GPA" "$@" --out a.txt "$d" &&
        "$GPA" "$@" --csv --out a.csv "$d" || echo "$what: exit $?"
    "$GPA" report r.json --html b.html --svg b && "$GPA" report --out b.txt r.json &&
        "$GPA" report --csv --out b.csv r.json || echo "$what: report: exit $?"
    for end in html txt csv; do cmp a.$end b.$end; done
    diff -r a b && echo "$what: $(ls a | wc -l) pictures, the same"
    rm -r a b
}
same several explain $m --rows 10,20,30
same together explain $m --rows 50-52 --collective
same "no culprits" explain $m --culprit off 2> err; cat err
same "no names" explain --model "$DATA/mixer.json" --drop batch --top 2
same methods compare $m --top 3
same "with reference" compare $m --top 1 --reference "$d"
ls
# more rows than are kept: evenly spaced ones, and the explained row
python3 - > many.csv <<'END'
print("x1,x2,y")
for i in range(5003):
    print("%d,%d,%r" % (i % 7, i % 3, 2 * (i % 7) - 3 * (i % 3) + 1 + (i * 7919 % 11) / 11 + (20 if i == 4444 else 0)))
END
echo '{"type":"linear","w":[2,-3],"b":1}' > m.json
d=many.csv
same many explain --model m.json
python3 - <<'END'
import json
b = json.load(open("r.json"))["background"]
rows = b["rows"]
assert rows == sorted(set(rows)) and 4444 in rows and b["total"] == 5003, rows[:5]
assert [r for r in rows if r != 4444] == [i * 5003 // 2000 for i in range(2000) if i * 5003 // 2000 != 4444]
assert all(b["x"][i] == [r % 7, r % 3] for i, r in enumerate(rows))
print(len(rows), b["kept"])
END
