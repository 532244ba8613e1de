# a model in a child process: f = 1 + 2 x1 - 3 x2, columns found by the names it tells
cp "$TESTS/../../examples/exec/linear.pl" .
printf 'y,x2,x1\n1,1,1\n9,0,4\n-3,2,1\n0.25,0.5,0.5\n5,-1,1\n' > rows.csv
m="exec:perl 'linear.pl'"
"$GPA" score --model "$m" --target y --csv rows.csv; echo $?
# neither threads, nor children, nor batches show in the answer
"$GPA" explain --model "$m" --target y --sigma 1 --all --threads 1 --json rows.csv > one.json; echo $?
"$GPA" explain --model "$m" --target y --sigma 1 --all --threads 3 --model-workers 2 --batch 7 \
    --json rows.csv > many.json; echo $?
cmp one.json many.json
