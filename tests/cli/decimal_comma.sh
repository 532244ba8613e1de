# As spreadsheets in much of Europe write it: the same answer, and a note. Where a comma is
# none of these, the target that was named is not asked for again.
printf '{"type":"linear","w":[2,-3],"b":1,"variables":["a","b"]}' > m.json
printf 'id,a [bar],b,y\np,1.5,0.5,2.25\nq,2,1,2.5\nr,0.25,0,9\ns,1,1,0.25\n' > point.csv
sed 's/,/;/g; s/\./,/g' point.csv > comma.csv
sed -n 2,3p comma.csv
for file in point comma; do
    "$GPA" score --model m.json --id id --target y --sigma 1 --csv $file.csv > $file.out
done
cmp point.out comma.out
printf 'a,b,y\n1.5,0.5,"2,25"\n2,1,"2,5"\n' > quoted.csv
"$GPA" score --model m.json --target y --sigma 1 quoted.csv
# one cell of a column is written otherwise: it is named, and not the first one
for cell in 1.713,0 1.713.000,5 1.234 n.n.; do
    sed "4s/;0,25;/;$cell;/" comma.csv > odd.csv
    "$GPA" score --model m.json --id id --target y --sigma 1 odd.csv
done
sed '2s/;1,5;/;1.713,0;/' comma.csv > odd.csv
"$GPA" score --model m.json --id id --target y --sigma 1 odd.csv
