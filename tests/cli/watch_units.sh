# Columns and keys with a unit are found in streams as in tables: by the name without it.
PYTHONPATH="$DATA" python3 -c 'import watch_rows'
sed '1s/a,b,y/a [degC],b [bar],y [t]/' ref.csv > measured.csv
w() { "$GPA" watch --model m.json --every --json "$@" 2> said || { code=$?; grep -v 'taken as' said; echo "exit $code"; }; }
printf 'b,a,y\n1,2,1\n2,1,-4.5\n' > plain
w --reference ref.csv plain > want
for ref in ref.csv measured.csv; do
    for head in 'b,a,y' 'b [bar],a [degC],y' 'b [bar],a,y [t]'; do
        sed "1s/.*/$head/" plain | w --reference $ref | cmp - want && echo "same: $ref $head"
    done
done
printf '{"b [bar]":1,"a [degC]":2,"y [t]":1}\n{"b":2,"a":1,"y":-4.5}\n' > lines
w --reference ref.csv lines | cmp - want && echo same
w --reference measured.csv --target 'y [t]' lines | cmp - want && echo same
echo "the name itself before one with a unit"
printf '{"b [psi]":9,"b":1,"a":2,"y":1}\n{"b":2,"b [psi]":9,"a":1,"y":-4.5}\n' | w --reference ref.csv | cmp - want && echo same
printf 'b [psi],b,a,y\n9,1,2,1\n9,2,1,-4.5\n' | w --reference ref.csv | cmp - want && echo same
echo "two that could be meant, or none; brackets that are no unit"
printf '{"b [psi]":9,"b [bar]":1,"a":2,"y":1}\n' | w --reference ref.csv | grep -o '"text":"[^}]*key twice'
printf 'b [psi],b [bar],a,y\n9,1,2,1\n' | w --reference ref.csv
printf 'b,b,a,y\n9,1,2,1\n' | w --reference ref.csv
printf 'b [1],a,y\n9,1,2\n' | w --reference ref.csv
echo "the first lines"
sed '1s/a,b,y/a [degC],b [bar],y [t]/' ref.csv | w | tail -n 1 | cut -c 1-70
