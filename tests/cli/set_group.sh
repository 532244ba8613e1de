# --set takes a one-hot group by its own name, and names of inputs may hold commas
python3 "$DATA/kinds.py" insurance
ask() { "$GPA" explain --model insurance.json --rows 149 --marginals none --json "$@" insurance.csv; }
ask --set smoker=yes --set region=southeast > a.json 2> /dev/null
ask --set smoker_no=0 --set smoker_yes=1 --set region_northeast=0 --set region_northwest=0 \
    --set region_southeast=1 --set region_southwest=0 > b.json 2> /dev/null
sed '/"options"/d' a.json > a; sed '/"options"/d' b.json > b
cmp a b && echo same
ask --set smoker=perhaps
echo "exit $?"
# the model's names are replaced by those of the file's columns
printf '%s\n' '{"type":"linear","w":[1,2],"b":0}' > m.json
awk 'BEGIN { print "\"x1\",\"a,b\",y"; for (i = 0; i < 30; i++) print i % 7 "." i "," i % 5 "." i "," (i == 3 ? 40 : i % 7 + 2 * (i % 5)) }' > c.csv
"$GPA" explain --model m.json --rows 3 --freeze 'a,b' --bounds x1=0:20 --marginals none --json c.csv 2>&1 |
    grep -o '"taken as: [^"]*"' | head -1
