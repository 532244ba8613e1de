python3 - <<'END'
names = ["=cmd|' /C calc'!A0", "<script>alert(1)</script>\x1b[31m\"&'", "\u202egnp.exe\x07", "y"]
import csv
with open("h.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["-id"] + names)
    for i in range(8):
        w.writerow(["@SUM(%d)\x1b]0;x\x07" % i, i * 0.5, (i * 7) % 5, (i * 3) % 4, 2 * i + (9 if i == 5 else 0)])
with open("h.json", "w") as f:
    f.write('{"type":"linear","w":[4,0.1,-0.1],"b":0}')
END
"$GPA" explain --model linear:h.json --id=-id --html h.html --color never h.csv > table 2> err; echo $?
"$GPA" explain --model linear:h.json --id=-id --csv h.csv > c.csv 2>> err; echo $?
"$GPA" explain --model linear:h.json --id=-id --json h.csv > j.json 2>> err; echo $?
"$GPA" score --model linear:h.json --id=-id h.csv > score 2>> err; echo $?
"$GPA" score --model linear:h.json --id=-id --target "$(printf 'no\033[31m\nsuch')" h.csv 2>> err; echo $?
"$GPA" "$(printf '\033[2Jclear')" 2>> err; echo $?
"$GPA" explain --model "$(printf 'x\033[2J<b>')" h.csv 2>> err; echo $?
python3 - <<'END'
import csv, html.parser, json
def control(data):
    return [c for c in data if (ord(c) < 32 and c not in "\n\r\t") or 127 <= ord(c) < 160 or c == "\u202e"]
for name in ("table", "c.csv", "j.json", "score", "err", "h.html"):
    text = open(name, encoding="utf-8", newline="").read()
    assert not control(text), (name, control(text))
names = json.load(open("j.json"))["features"]
assert names[1] == "<script>alert(1)</script>\x1b[31m\"&'" and names[2] == "\u202egnp.exe\x07"
cells = [c for row in csv.reader(open("c.csv", newline="")) for c in row]
bad = [c for c in cells if c[:1] in "=+-@\t\r" and c and not c.replace("e-", "").lstrip("-").replace(".", "").isdigit()]
assert not bad, bad
assert any(c.startswith("'=cmd") for c in cells) and any(c.startswith("'@SUM(5)") for c in cells)
allowed = {"html", "head", "meta", "title", "style", "body", "main", "header", "h1", "p", "section",
           "h2", "h3", "dl", "div", "dt", "dd", "figure", "svg", "path", "circle", "text", "g", "figcaption",
           "table", "thead", "tbody", "tr", "th", "td", "br", "details", "summary", "footer",
           "span", "colgroup", "col", "rect", "desc", "pre", "code", "script"}
class Check(html.parser.HTMLParser):
    seen = ""
    scripts = 0
    def handle_starttag(self, tag, attrs):
        assert tag in allowed, tag
        self.scripts += tag == "script"
        assert not [a for a, _ in attrs if a.startswith("on") or a in ("href", "src", "style")], attrs
    def handle_data(self, data):
        self.seen += data
c = Check()
c.feed(open("h.html", encoding="utf-8").read())
assert "<script>alert(1)</script>\ufffd[31m\"&'" in c.seen
assert c.scripts == 1, c.scripts # the page's own
e = json.load(open("j.json"))["explanations"][0]
assert e["verdict"]["text"] in c.seen.replace("\u00a0", " "), e["verdict"]
assert "=cmd|' /C calc'!A0" in e["verdict"]["text"], e["verdict"]
assert e["verdict"]["text"].split()[0] in open("table", encoding="utf-8").read()
print("harmless")
END
