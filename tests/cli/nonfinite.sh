printf 'a,b,y\n0.1,0.1,1\n0.2,0.2,2\n9,9,3\n' > d.csv
cp "$DATA/huge.json" .
"$GPA" score --model linear:huge.json d.csv; echo $?
"$GPA" explain --model linear:huge.json --json --out r.json d.csv; echo $?
ls
