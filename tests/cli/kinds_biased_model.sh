# a model that is off by 60 everywhere: said once, and before any row
python3 "$DATA/kinds.py" rental
python3 -c '
import json
m = json.load(open("rental.json")); m["b"] += 60; json.dump(m, open("off.json", "w"))'
"$GPA" explain --model off.json --top 5 --json rental.csv > e.json 2> notes || echo "exit $?"
"$GPA" explain --model off.json --top 5 rental.csv 2>&1 | grep -c 'off on average'
"$GPA" explain --model off.json --top 5 rental.csv 2>&1 | sed -n '/off on average/,$p' | grep -c '^row '
"$GPA" explain --model rental.json --top 5 rental.csv 2>&1 | grep -c 'off on average'
"$GPA" score --model off.json rental.csv 2>&1 | grep -c 'off on average'
python3 - <<'END'
import json, re
d = json.load(open("e.json"))
notes = d.get("notes") or d["explanations"][0]["notes"]
notes = [n for n in notes if not n.startswith("taken as: ")]
said = [n for n in notes if "off on average" in n]
assert len(said) == 1 and notes[0] == said[0], notes
assert -61 < float(re.search(r"y - f is (\S+)", said[0].replace("\u2212", "-")).group(1)) < -55, said
END
