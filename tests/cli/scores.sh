# what gpa score found is not asked again: the same bytes; rows that were left out are so for the same
# reasons; scores of something else are refused
cp "$DATA/pump.json" "$DATA/huge.json" .
sed 's/2/3/' pump.json > other.json
printf 'pressure,flow,power\n1,2,9\n2,,8\n3,1,8.5\n4,4,21\n2,1,7\n5,1,\n6,2,17\n' > d.csv
printf 'a,b,y\n1e-308,1e-308,1\n2e-308,1e-308,2\n9,9,3\n3e-308,1e-308,9\n' > huge.csv
same() { # same MODEL FILE OPTIONS...
    m=$1; f=$2; shift 2
    "$GPA" score --model $m --json --out scores.json $f 2> a.err
    grep -o '"left_out":.*}]' scores.json
    "$GPA" explain --model $m "$@" --json --out a.json $f 2> a.err
    "$GPA" explain --model $m "$@" --json --out b.json --scores scores.json $f 2> b.err
    cmp a.json b.json && cmp a.err b.err && echo "$f: the same"
}
same huge.json huge.csv --all
same pump.json d.csv --all
cp scores.json good.json
"$GPA" score --model pump.json --json --out scores.json.gz d.csv 2> /dev/null
"$GPA" explain --model pump.json --all --json --out b.json --scores scores.json.gz d.csv 2> /dev/null
cmp a.json b.json && echo "packed: the same"
x() { "$GPA" explain --model pump.json --json --out b.json "$@"; echo "exit $?"; }
x --scores good.json --strict d.csv
x --scores nowhere.json d.csv
sed 's/^6,/7,/' d.csv > e.csv && x --scores good.json e.csv
"$GPA" explain --model other.json --scores good.json d.csv; echo "exit $?"
x --scores good.json --sigma 2 d.csv
x --scores good.json --drop flow --target power d.csv
x --scores good.json --top 2 --seed 5 d.csv
"$GPA" score --model pump.json --top 2 --json --out two.json d.csv 2> /dev/null; x --scores two.json d.csv
"$GPA" score --model pump.json --out table.json d.csv 2> /dev/null; x --scores table.json d.csv
x --scores pump.json d.csv
x --scores a.json d.csv
spoil() { sed "$1" good.json > spoilt.json; x --scores spoilt.json d.csv; }
spoil 's/"row":3/"row":4/'
spoil 's/"row":3/"row":33/'
spoil 's/"f":[0-9.]*,/"f":null,/'
spoil 's/"why":"target"/"why":"mood"/'
spoil 's/"rows":\[/"rows":[1,/'
spoil 's/"rows":\[/"rows":[{"a":[]},/'
spoil 's/}]}/}]/'
spoil 's/"input_digest":"[^"]*"/"input_digest":null/'
grep -v ,, d.csv | grep -v ',$' > whole.csv && "$GPA" score --model pump.json --json --out whole.json whole.csv
sed 's/"f":\([0-9]\)/"f":1\1/' whole.json > spoilt.json && x --scores spoilt.json whole.csv
"$GPA" explain --model pump.json --scores good.json --out good.json d.csv; echo "exit $?"
