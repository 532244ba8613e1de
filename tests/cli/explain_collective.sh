"$GPA" explain --model "$DATA/pump.json" --id pump --rows 11,3,5 --collective "$DATA/pump.csv" | sed '/^  eta/,$d'
"$GPA" explain --model "$DATA/pump.json" --rows 11,3,5 --collective --json "$DATA/pump.csv" > c.json
python3 - <<'END'
import json
d = json.load(open("c.json"))
e, = d["explanations"]
print(e["rows"], e["ids"], len(e["x"]), len(e["y"]), len(e["prior"]["b0"]), d["options"]["rows"])
END
# A collective question about the one row that is chosen by itself: what it asks for is said.
"$GPA" explain --model "$DATA/pump.json" --id pump --collective "$DATA/pump.csv" | grep "one row only"
