# the model names its inputs: a column under another name must not be taken by its place
sed '1s/speed/velocity/' "$DATA/mixer.csv" > other.csv
"$GPA" score --model "$DATA/mixer.json" --id batch other.csv
echo $?
# a file with none of the names counts by its order
sed '1s/.*/batch,a,b,c,d,y/' "$DATA/mixer.csv" > nameless.csv
"$GPA" score --model "$DATA/mixer.json" --id batch --top 1 --json nameless.csv > by_order.json
"$GPA" score --model "$DATA/mixer.json" --id batch --top 1 --json "$DATA/mixer.csv" > by_name.json
for f in by_order by_name; do sed '/"options":/d; s/.*"rows":/"rows":/' $f.json > $f; done
cmp by_order by_name && grep -c '"f":' by_name && echo same
