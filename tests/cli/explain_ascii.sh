LC_ALL=C "$GPA" explain --model "$DATA/pump.json" --id pump "$DATA/pump.csv" > out
LC_ALL=C grep -c '[^ -~]' out
sed -n '/^  input/,/^$/p' out
