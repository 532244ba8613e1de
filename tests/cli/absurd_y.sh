# however absurd one y is, sigma is that of the other rows, whose y - f are 1 and -1
echo '{"type": "linear", "w": [1], "b": 0}' > line.json
for y in 1e10 1e50 1e155 1e300 -1.7e308; do
    awk -v y=$y 'BEGIN { print "x,y"; for (i = 0; i < 20; i++) print i "," i + (i % 2 ? 1 : -1)
                         print "20," y }' > rows.csv
    "$GPA" score --model line.json --target y --top 2 rows.csv 2>&1
done
"$GPA" explain --model line.json --target y --rows 3 --marginals none rows.csv 2>/dev/null | head -2
# a sigma that no number can be divided by is the reason that is given
"$GPA" score --model line.json --target y --sigma 1e-300 rows.csv 2>&1
echo $?
