e() { "$GPA" explain --model "$DATA/pump.json" --rows 11 --json "$@" "$DATA/pump.csv" > e.json || echo "exit $?"
      python3 -c 'import json; d = json.load(open("e.json")); print(d["scale"])'; }
e --scale none
printf '{"center":{"flow":5,"pressure":10},"unit":{"pressure":2,"flow":0.5}}' > s.json
e --scale s.json
# median and IQR / 1.349 of 0..8: 4 and 4 / 1.349
printf 'flow,pressure\n' > ref.csv
for i in 0 1 2 3 4 5 6 7 8; do echo "$i,7" >> ref.csv; done
e --scale reference --reference ref.csv
