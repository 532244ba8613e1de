# A comparison says of every row what its explanation says: in JSON, table and page, and
# read back.
python3 - <<'EOF'
import csv, html, json, os, re, subprocess
ROOT = os.environ["TESTS"] + "/../../examples/diabetes/"
with open(ROOT + "spoilt.csv") as file:
    head, *rows = csv.reader(file)
rows[20][-1] = str(float(rows[20][-1]) + 900)  # a wrong outcome, and a missing point
rows[30][head.index("s5")] = str(100 * float(rows[30][head.index("s5")]))
with open("data.csv", "w") as file:
    csv.writer(file).writerows([head, *rows])

def gpa(command, *more):
    return subprocess.run([os.environ["GPA"], command, *more], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

def words(text):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", text)))

COMMON = ["--model", ROOT + "model.json", "--target", "progression", "data.csv"]
for more, wanted in ((["--all"], {"normal", "input", "tied", "output"}),
                     (["--all", "--reference", ROOT + "heldout.csv"], {"normal", "input"}),
                     (["--rows", "10,12", "--set", "bmi=24"], {"normal"}),
                     (["--all", "--freeze", "bmi", "--units", "bp=mm Hg"], {"output"})):
    other = ["--methods", "lc,gpa", "--flip", "off", *more, *COMMON]
    explained = json.loads(gpa("explain", "--marginals", "none", "--json", *more, *COMMON))
    want = [e["verdict"] for e in explained["explanations"]]
    kinds = {verdict["kind"] for verdict in want}
    assert kinds >= wanted, (more, kinds)
    saved = gpa("compare", "--json", *other)
    compared = json.loads(saved)["rows"]
    assert [row["row"] for row in compared] == [e["rows"][0]
                                                for e in explained["explanations"]]
    assert [row["verdict"] for row in compared] == want, more
    for row, e in zip(compared, explained["explanations"]):
        assert row["responsible"]["gpa"] == e["culprit"]["responsible"], (more, row["row"])
    with open("c.json", "w") as file:
        file.write(saved)
    gpa("compare", "--html", "page.html", "--out", "table", *other)
    gpa("report", "--html", "again.html", "c.json")
    said = words(open("table").read())
    judged = [row for row in compared if row["verdict"]["kind"] in ("input", "tied")]
    def first(row, scores):  # as the JSON has them
        size = [abs(s) for s in scores]
        return max(size) > 0 and size.index(max(size)) == row.index(max(row))
    same = [sum(first(row["responsible"]["gpa"], row["scores"][m]) for row in judged) for m in ("lc", "gpa")]
    line = (f"most probably responsible: LC {same[0]} of {len(judged)}, "
            f"GPA's change {same[1]} of {len(judged)}")
    assert not judged or line in said, (line, said[-600:])
    assert not judged or line in words(open("page.html").read()), line
    for text in (words(open("table").read()), words(open("page.html").read()),
                 words(open("again.html").read())):
        for e, verdict in zip(explained["explanations"], want):
            assert words(verdict["text"]) in text, (more, verdict)
        assert "likeliest to be" not in text
# Without --reference the other rows stand for it, as they do for explain.
others = json.loads(gpa("compare", "--methods", "gpa,eig,sv,z", "--json", "--rows", "10",
                        "--eig-rows", "500", "--witnesses", "all", *COMMON))["rows"][0]
with open("others.csv", "w") as file:
    csv.writer(file).writerows([head, *rows[:10], *rows[11:]])
given = json.loads(gpa("compare", "--methods", "gpa,eig,sv,z", "--json", "--rows", "10",
                       "--reference", "others.csv", "--witnesses", "all", *COMMON))["rows"][0]
assert others["scores"] == given["scores"] and not others["skipped"], others
assert all("the 88 other rows stand for the reference" in others["notes"][m]
           for m in ("eig", "sv", "z")), others["notes"]
assert "note: SV, Z: the 88 other rows stand for the reference\n" in gpa(
    "compare", "--methods", "sv,z", "--rows", "10", "--witnesses", "all", *COMMON)
lc = json.loads(gpa("compare", "--methods", "lc", "--json", "--rows", "10", *COMMON))
assert lc["rows"][0]["verdict"] is None and "gpa" in lc["rows"][0]["verdict_reason"]
EOF
