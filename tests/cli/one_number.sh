# The same question has the same answer in every output: who is responsible, how surely, and
# what would look normal.
if grep -q __asan_init "$GPA"; then # Python cannot load such a library
    echo "SKIP: a build with sanitizers: Python's answers are NOT compared"
    cat "$TESTS/one_number.stdout"
    exit
fi
python3 "$DATA/kinds.py" insurance
cat > check.py <<'END'
import csv, html, json, re, subprocess, sys
name, model, file, rows = sys.argv[1:5]
options = sys.argv[5:]
def gpa(*words):
    import os
    return subprocess.run([os.environ["GPA"], *words], check=True, capture_output=True).stdout.decode()
ask = ["--model", model, "--rows", rows, *options, file]
full = gpa("explain", "--json-full", *ask)
open("full.json", "w").write(full)
plain = json.loads(gpa("explain", "--json", *ask))
d = json.loads(full)
(e,), (p,) = d["explanations"], plain["explanations"]
c = e["culprit"]
assert p["culprit"]["responsible"] == c["responsible"]
names = d["features"]
table = gpa("explain", *ask)
assert gpa("report", "full.json") == table
sheet = gpa("explain", "--csv", *ask)
assert gpa("report", "--csv", "full.json") == sheet
def percent(x):
    whole = int(100 * x + 0.5)
    return "<1 %" if whole < 1 else ">99 %" if whole > 99 else f"{whole} %"
def plain_text(page):
    return html.unescape(re.sub("<[^>]*>", "", page)).replace("\xa0", " ").strip()
# CSV: a line for each column
for k, line in enumerate(csv.DictReader(sheet.split("\n"))):
    a = c["alone"][k]
    held = line["responsible"] == ""
    assert float(line["responsible"]) == c["responsible"][k] == c["probability"][k] * (1 - c["output"]), line
    assert float(line["p_output"]) == c["output"] and line["verdict"] == e["verdict"]["kind"]
    if a.get("level") is not None:
        assert line["level_normal"] == str(a["level"]) and line["value_normal"] == ""
    elif a.get("value") is not None:
        ends = a["value_interval90"]
        assert [line[n] for n in ("value_normal", "value_low", "value_high")] == [
            s if isinstance(s, str) else json.dumps(s).removesuffix(".0") for s in [a["value"], *ends]], (line, a)
# the table: a line for each input as the user sees it, the outcome last
body = table.split("\n\n")[1].split("\n")[1:]
shown = {}
for line in body:
    if m := re.match(r"  (.*?)  .*?((?:[<>])?\d+ %)", line):
        shown[m[1].strip()] = m[2]
first = {}
for kind in e["kinds"]:
    k = names.index(kind.get("columns", [kind["name"]])[0])
    first[kind["name"]] = k
    if kind["kind"] != "held":
        assert shown[kind["name"]] == percent(c["responsible"][k]), (kind["name"], shown, c["responsible"][k])
        normal = c["alone"][k].get("level")
        if normal is not None:
            (line,) = [x for x in body if x.startswith("  " + kind["name"] + " ")]
            assert str(normal) in line
outcome = [n for n in shown if n.startswith("observed ")]
assert len(outcome) == 1 and shown[outcome[0]] == percent(c["output"]), shown
# the sentence says the number of the table
top = max(first, key=lambda n: c["responsible"][first[n]])
if e["verdict"]["kind"] == "input" and "together" not in e["verdict"]["text"]:
    said = e["verdict"]["text"].replace("more than ", ">").replace("less than ", "<")
    assert percent(c["responsible"][first[top]]) in said, (said, top)
assert re.match(r"row \d+( \(.*?\))?: ", table) and e["verdict"]["text"] in re.sub(r"\s+", " ", table), table
# the page: the same lines, the outcome among them
page = gpa("report", "--html", "-", "full.json")
line_of = r'<tr[^>]*><th class="nm" scope="row">(.*?)</th>(.*?)<td class="nn">(.*?)</td></tr>'
drawn = {plain_text(title): (plain_text(rest), plain_text(normal))
         for title, rest, normal in re.findall(line_of, page, re.S)}
for kind in e["kinds"]:
    if kind["kind"] == "held":
        continue
    k = first[kind["name"]]
    rest, normal = drawn[kind["name"]]
    assert rest.startswith(percent(c["responsible"][k])), (kind["name"], rest)
    (line,) = [x for x in body if x.startswith("  " + kind["name"] + "  ")]
    if c["alone"][k].get("level") is not None:
        normal = normal.split(",")[0]  # the page names a second level
    for word in normal.replace("…", "").replace("%", "").split():
        assert word in line, (line, normal)
((rest, normal),) = [drawn[title] for title in drawn if title.startswith("observed ")]
assert rest.startswith(percent(c["output"])), (rest, c["output"])
value, ends = re.match(r"(\S+) (.*)", normal).groups()
assert value in body[-1] and ends.replace(" … ", " to ") in re.sub(" +", " ", body[-1]), (normal, body[-1])
for said, known in zip([value, *ends.split(" … ")],
                       [c["output_alone"]["value"], *c["output_alone"]["value_interval90"]]):
    assert abs(float(said.replace("−", "-")) - known) <= 0.01 * abs(known), (said, known)
assert e["verdict"]["text"] in plain_text(page)
# sums: 1, and each input beyond the first that is wrong at once
total = sum(c["responsible"][k] for k in first.values()) + c["output"]
assert 1 - 1e-9 <= total <= 1 + 2 * (1 - c["output"]) + 1e-9
# gpa compare asks the same question
if not options:
    row, = json.loads(gpa("compare", "--methods", "gpa", "--flip", "off", "--json", *ask))["rows"]
    assert row["responsible"]["gpa"] == c["responsible"] and row["output"]["gpa"] == c["output"]
    assert row["scores"]["gpa"] == e["delta"]
# and so does Python, also from the saved result
import os
sys.path.insert(0, os.environ["TESTS"] + "/../../bindings/python")
os.environ.setdefault("GPA_BUILD_ROOT", os.path.dirname(os.environ["GPA"]))
try:
    from gpa import Explanation
except ImportError as error:
    print(f"SKIP: {error}: Python's numbers are NOT compared")
else:
    o = Explanation.from_json(full)
    o = o[0] if isinstance(o.culprit, list) else o
    assert list(o.culprit.responsible) == c["responsible"] and o.culprit.output == c["output"]
    assert o.verdict.text == e["verdict"]["text"]
    assert list(o.responsible) == c["responsible"]
    for k, (one, a) in enumerate(zip(o, c["alone"])):
        assert one.responsible == c["responsible"][k]
    shap = o.to_shap()
    for k, a in enumerate(c["alone"]):
        if a.get("median") is not None and not o.kinds[0].get("columns"):
            want = a["median"] * c["responsible"][k]
            assert abs(shap.values[k] - want) <= 1e-12 * abs(want), (k, shap.values[k], want)
    assert list(o.to_shap(values="change").values) == list(o.delta) or any(v != v for v in o.delta)
    assert any(percent(c["responsible"][first[top]]) in line for line in str(o).split("\n"))
    try:
        frame = o.to_frame()
    except ImportError as error:
        print(f"SKIP: {error}: the frame is NOT compared")
    else:
        assert list(frame.responsible) == c["responsible"]
        for line, a in zip(frame.itertuples(), c["alone"]):
            assert a.get("value") is None or str(line.value_normal) == str(a["value"]) or line.value_normal == a["value"]
            assert a.get("level") is None or line.level_normal == a["level"]
print(name, e["verdict"]["kind"], percent(c["responsible"][first[top]]))
END
python3 check.py mixer "$DATA/mixer.json" "$DATA/mixer.csv" 10 --id batch --features temp,speed,load,fill
python3 check.py insurance insurance.json insurance.csv 149
python3 check.py pump "$DATA/pump.json" "$DATA/pump.csv" 11 --drop pump
python3 check.py diabetes "$TESTS/../../examples/diabetes/model.json" "$TESTS/../../examples/diabetes/spoilt.csv" 10
