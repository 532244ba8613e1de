# a budget that ends before there is an answer: nothing is claimed, and what an answer takes is said;
# where there is one it is the planted culprit's, b, which is 8 spreads too high in row 0
python3 - <<'END'
import json, random
json.dump({"type": "mlp", "activation": "tanh", "variables": ["a", "b", "c"], "layers": [
    {"W": [[.5, .1], [.2, -.6], [.3, .2]], "b": [0, 0]}, {"W": [[4], [-9]], "b": [1]}]}, open("m.json", "w"))
import math
random.seed(7)
f = lambda a, b, c: 1 + 4 * math.tanh(.5 * a + .2 * b + .3 * c) - 9 * math.tanh(.1 * a - .6 * b + .2 * c)
with open("t.csv", "w") as out:
    print("a,b,c,y", file=out)
    for i in range(60):
        x = [round(random.gauss(0, .5), 4) for _ in range(3)]
        y = f(*x) + random.gauss(0, .1)
        print(x[0], x[1] + 4 * (i == 0), x[2], "%.5f" % y, sep=",", file=out)
END
cat > ask.py <<'END'
import json, os, re, subprocess
def gpa(*more):
    return subprocess.run([os.environ["GPA"], *more], capture_output=True, text=True, check=True).stdout
def ask(*more):
    j = json.loads(gpa("explain", "--model", "mlp:m.json", "--rows", "0", "--json", *more, "t.csv"))
    return j["explanations"][0]
def text(*more):
    return gpa("explain", "--model", "mlp:m.json", "--rows", "0", "--verbose", *more, "t.csv")
CLAIMS = "explained by", "would look normal", "worth its cost", "more plausibly", "noise, or"
whole = ask()
assert whole["verdict"]["kind"] == "input" and whole["verdict"]["text"].startswith("b is"), whole["verdict"]
least = int(re.search(r"an answer takes (\d+)$", ask("--budget", "5")["verdict_reason"])[1])
for budget in 1, 5, 20, 40, least - 1, least, least + 10, 400, 4000:
    e, said = ask("--budget", str(budget)), text("--budget", str(budget))
    assert e["model_rows"] <= budget
    if budget < least: # nothing is claimed, whatever the search has found by then
        assert e["verdict"] is None and e["budget_hit"], budget
        assert said.startswith("row 0: No answer: the budget of %d rows is too small, an answer takes %d." % (budget, least)), said
        assert not any(words in said for words in CLAIMS), said
    else:
        assert e["verdict"] == whole["verdict"], (budget, e["verdict"])
    # blamed on the budget only where the search has fewer rows than it takes otherwise
    if budget >= least:
        cut = sum(e["rows_by_stage"][k] - whole["rows_by_stage"][k] for k in ("map", "check")) < 0
        assert cut == ("the budget was used up" in said), (budget, said)
        assert ("No change was found" in said) <= cut
# where nobody asked who it was, the search is the answer
for budget in 1, 8:
    said = text("--culprit", "off", "--budget", str(budget))
    assert said.startswith("row 0: No answer: the budget ended the search before it was done (--budget)."), said
    assert not any(words in said for words in CLAIMS), said
assert "Most of it would be explained by" in text("--culprit", "off", "--marginals", "none", "--budget", "400")
# saved and read again, and on a page
gpa("explain", "--model", "mlp:m.json", "--rows", "0", "--budget", "20", "--json-full", "--html", "p.html", "--out", "r.json", "t.csv")
gpa("report", "r.json", "--html", "q.html")
for page in "p.html", "q.html":
    words = open(page).read()
    assert "<h2>No answer: the budget of 20 rows" in words and not any(c in words for c in CLAIMS), page
END
python3 ask.py
