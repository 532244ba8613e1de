cp "$DATA"/missing*.csv "$DATA/pump.json" .
"$GPA" score --model linear:pump.json missing.csv; echo $?
"$GPA" score --model linear:pump.json missing_y.csv; echo $?
