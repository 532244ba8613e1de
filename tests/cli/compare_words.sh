printf '{"type":"linear","w":[2,-3],"b":1}' > m.json
printf 'x1,x2,y\n1,2,5\n0,1,-2.1\n2,0,5.2\n' > d.csv
try() { "$GPA" compare --model m.json "$@"; echo "exit $?"; }
try --methods gpa,limo d.csv
try --methods gpa,gpa d.csv
try --baseline reference d.csv
try --sv-draws draws d.csv
printf '0,0,1\n0,1,1\n' > draws
try --sv-draws draws --reference d.csv d.csv
printf '9,0,1\n' > draws
try --sv-draws draws --reference d.csv d.csv
try --threshold 1e9 d.csv
try --flip maybe d.csv

# a method that finds nothing has no order to compare
printf '{"type":"linear","w":[0,0],"b":1,"variables":["a","b"]}' > same.json
printf 'a,b,y\n1,2,3\n2,1,1\n3,5,1\n4,4,1\n5,1,1\n' > same.csv
"$GPA" compare --model same.json --methods lc --rows 0 --sigma 1 same.csv 2> /dev/null | sed -n '/^consistency/,$p'
