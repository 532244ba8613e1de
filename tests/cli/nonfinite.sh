# a row without a finite prediction is left out and named; asked for by its number, or strictly, it is an error
printf 'a,b,y\n1e-308,1e-308,1\n2e-308,1e-308,2\n9,9,3\n3e-308,1e-308,9\n' > d.csv
cp "$DATA/huge.json" .
"$GPA" score --model linear:huge.json --csv d.csv; echo $?
"$GPA" score --model linear:huge.json --strict d.csv; echo $?
"$GPA" explain --model linear:huge.json --rows 2 --json --out r.json d.csv; echo $?
ls
