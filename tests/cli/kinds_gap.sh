# an input without a value: which one would have been normal, or nothing is asked
python3 "$DATA/kinds.py" mixer
x() { "$GPA" explain --model mixer.json --rows 119 --json "$@" mixer.csv 2> notes || { echo "exit $?"; cat notes; }; }
x > ask.json
x --missing ask > same.json
x --missing hold > hold.json
python3 - <<'END'
import json
ask, same, hold = (json.load(open(n + ".json")) for n in ("ask", "same", "hold"))
assert ask["explanations"] == same["explanations"]
names = ask["features"]
k = names.index("load")
(e,), (h,) = ask["explanations"], hold["explanations"]
assert e["x"][0][k] is None and e["delta"][k] in (0, None), (e["x"], e["delta"])
c = e["culprit"]
assert e["verdict"]["kind"] == "input" and "load" in e["verdict"]["text"], e["verdict"]
assert c["responsible"][k] == max(v for v in c["responsible"] if v is not None) > 0.5
# it was 86; f has a step at every ten
low, high = c["alone"][k]["value_interval90"]
assert low <= 86 <= high and 70 <= c["alone"][k]["value"] <= 100, c["alone"][k]
assert h["verdict"]["kind"] == "output", h["verdict"]
assert not h["culprit"]["responsible"][k], h["culprit"]["responsible"]
assert not h["culprit"]["alone"][k] or h["culprit"]["alone"][k].get("value") is None
END
