# A header that comes again, as where files follow one another, is one: columns may have
# another order below it. --no-header is about the lines, not the reference.
cat > rows.py <<'P'
import random
r = random.Random(2)
print("ts,a,b,c,y")
for i in range(400):
    a, b, c = r.gauss(0, 1), r.gauss(5, 2), r.gauss(-1, 1)
    y = 2 * a - 3 * b + c + r.gauss(0, .3)
    print("r%d,%.4f,%.4f,%.4f,%.4f" % (i, a, b + 9 * (300 <= i < 340), c, y))
P
echo '{"type":"linear","w":[2,-3,1],"b":0,"variables":["a","b","c"]}' > m.json
python3 rows.py > rows.csv
head -200 rows.csv > ref.csv
p="--model m.json --target y --id ts"
"$GPA" watch $p --reference ref.csv rows.csv 2> /dev/null > out.jsonl
turned() { awk -F, '{ print $5 "," $3 "," $2 "," $4 "," $1 }'; }
turned < rows.csv > turned.csv
{
    head -51 rows.csv
    head -1 rows.csv
    sed -n 52,310p rows.csv
    head -1 turned.csv
    tail -n +311 turned.csv
} > more.csv
echo "the same records"
"$GPA" watch $p --reference ref.csv more.csv > more.jsonl
cmp more.jsonl out.jsonl
echo "one line out per row"
"$GPA" watch $p --reference ref.csv --every more.csv 2> /dev/null | wc -l
echo "going on below another header, from a file and from a pipe"
head -350 more.csv > part.csv
"$GPA" watch $p --reference ref.csv --state s --out go.jsonl part.csv 2> /dev/null
cat more.csv > part.csv
cp s s2
cp go.jsonl go2.jsonl
"$GPA" watch $p --reference ref.csv --state s --out go.jsonl part.csv 2> /dev/null
"$GPA" watch $p --reference ref.csv --state s2 --out go2.jsonl < more.csv 2> /dev/null
cmp go.jsonl out.jsonl
cmp go2.jsonl out.jsonl
echo "the first lines: those below the last header say what is normal"
{
    head -51 rows.csv
    head -1 turned.csv
    tail -n +52 turned.csv
} | "$GPA" watch $p --warm-up 150 --only episodes > warm.jsonl
cut -d , -f 1-4 warm.jsonl
{ head -51 rows.csv; cat rows.csv; } | "$GPA" watch --model m.json --target y --warm-up 100 2>&1 > /dev/null | head -1
echo "a header that lacks a column is none"
{ head -3 rows.csv; echo ts,a,b,y; } | "$GPA" watch $p --reference ref.csv 2> /dev/null | cut -d , -f 2-5
echo "lines without a header, a reference with one, and one without"
tail -n +2 rows.csv | "$GPA" watch $p --no-header --reference ref.csv 2> /dev/null | cmp - out.jsonl
tail -n +2 ref.csv > bare.csv
tail -n +2 rows.csv | "$GPA" watch --model m.json --target x5 --id x1 --features x2,x3,x4 --no-header \
    --reference bare.csv 2> /dev/null | wc -l
wc -l < out.jsonl
echo "decimal commas, if the reference has them; if not, that is said"
for f in ref rows; do sed 's/,/;/g; s/\./,/g' $f.csv > $f.german.csv; done
"$GPA" watch $p --reference ref.german.csv rows.german.csv 2> /dev/null > german.jsonl
cmp german.jsonl out.jsonl
"$GPA" explain $p --rows 5 --set b=5,5 --marginals none --json rows.german.csv 2> /dev/null > german.json
"$GPA" explain $p --rows 5 --set b=5.5 --marginals none --json rows.csv 2> /dev/null > plain.json
python3 -c '
import json
a, b = (json.load(open(n + ".json"))["explanations"][0] for n in ("german", "plain"))
assert a["culprit"] == b["culprit"] and a["score"] == b["score"]'
"$GPA" watch $p --reference ref.csv rows.german.csv 2> /dev/null | sed -n '1s/.*"text":"'"'[0-9,-]*'"'\([^"]*\)".*/\1/p'
