"$GPA" score --model "$DATA/pump.json" --id pump --top 3 "$DATA/pump.csv"
"$GPA" score --model "$DATA/pump.json" --id pump --rows 3,11-12,3 --csv "$DATA/pump.csv"
LC_ALL=C "$GPA" score --model "$DATA/pump.json" --id pump --threshold 3 "$DATA/pump.csv"
