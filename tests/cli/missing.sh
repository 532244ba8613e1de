# rows without an outcome, or with a missing input that the model refuses, are left out, counted and named
cp "$DATA/pump.json" .
printf 'pressure,flow,power\n1,2,9\n2,,8\n3,1,8.5\n4,4,21\n2,1,7\n' > x.csv
printf 'pressure,flow,power\n1,2,9\n2,3,\n3,1,8.5\n4,4,21\n2,1,NA\n' > y.csv
for file in x y; do
    "$GPA" score --model linear:pump.json --csv $file.csv; echo $?
    "$GPA" score --model linear:pump.json --csv --strict $file.csv; echo $?
    # a row that was left out cannot be asked for; the others keep their numbers
    "$GPA" explain --model linear:pump.json --sigma 1 --rows 1 $file.csv; echo $?
    "$GPA" explain --model linear:pump.json --sigma 1 --rows 2,3 --json --out $file.json $file.csv
    python3 -c 'import json, sys; print([e["rows"] for e in json.load(open(sys.argv[1]))["explanations"]])' $file.json
done
printf 'pressure,flow,power\n1,,9\n2,,8\n' > none.csv
"$GPA" score --model linear:pump.json none.csv; echo $?
