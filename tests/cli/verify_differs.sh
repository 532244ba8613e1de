# Changed data, a changed model, changed numbers: each is named, and the exit code is 1.
cp "$DATA/mixer.csv" data.csv; cp "$DATA/mixer.json" model.json
m="--model model.json --id batch --sigma 1"
"$GPA" explain $m --top 2 --json --html page.html --out r.json data.csv
"$GPA" compare $m --top 1 --methods gpa,lc --json --html cpage.html --out c.json data.csv
short() { sed 's/sha256:[0-9a-f]\{60\}/sha256:/g'; }
echo "B99,1,2,3,4,5" >> data.csv
for f in r.json page.html c.json cpage.html; do "$GPA" verify $f > out 2> err; echo $? $(cat out); short < err; done
echo "not a table" > data.csv; "$GPA" verify r.json 2> err; echo $?; short < err
cp "$DATA/mixer.csv" data.csv
sed 's/"b":[0-9.-]*/"b":7/' model.json > other.json
"$GPA" verify --model other.json page.html 2> err; echo $?; short < err
# numbers that somebody improved
python3 - <<'END'
import json
def change(name, new, edit):
    text = open(name).read()
    d = json.loads(text)
    edit(d)
    open(new, "w").write(json.dumps(d))
change("r.json", "r1.json", lambda d: d["explanations"][1]["delta"].__setitem__(2, 0.125))
change("r.json", "r2.json", lambda d: d["explanations"].pop())
change("r.json", "r3.json", lambda d: d["explanations"][0]["verdict"].update(text="all is well"))
change("c.json", "c1.json", lambda d: d["rows"][0]["scores"]["lc"].__setitem__(0, 7))
change("r.json", "r4.json", lambda d: d.update(version="0.0.1", seed=5))
page = open("page.html", encoding="utf-8").read()
at = page.index('data-gpa-rows="') + len('data-gpa-rows="')
digest = page.index("sha256:", at) + 7
flip = "0" if page[digest] != "0" else "1"
open("p1.html", "w", encoding="utf-8").write(page[:digest] + flip + page[digest + 1:])
open("p2.html", "w", encoding="utf-8").write(page.replace("</title>", "!</title>"))
open("p3.html", "w", encoding="utf-8").write(page.replace("&#34;version&#34;:&#34;", "&#34;version&#34;:&#34;0"))
END
for f in r1.json r2.json r3.json c1.json r4.json p1.html p2.html p3.html; do
    "$GPA" verify $f > out 2> err; echo "$f: $? $(cat out err)" | sed 's/: -\{0,1\}[0-9.e-]*, now/: NUMBER, now/; s/now -\{0,1\}[0-9][0-9.e-]*/now NUMBER/'
done
