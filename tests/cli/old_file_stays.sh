echo old > r.json
echo old > r.html
printf 'x1,x2,y\n0.5,0,1\n1,2,\n' > bad.csv
"$GPA" explain --model builtin:sinusoid2d --json --out r.json --html r.html bad.csv 2>/dev/null
echo $?
"$GPA" explain --model builtin:sinusoid2d --json --out r.json --html /dev/full "$DATA/sinusoid.csv"
echo $?
cat r.json r.html
"$GPA" explain --model builtin:sinusoid2d --json --out r.json --html r.html "$DATA/sinusoid.csv"
echo $?
head -c 11 r.json; echo; head -n 1 r.html
ln -s r.json link
chmod 640 r.json
"$GPA" score --model builtin:sinusoid2d --json --out link "$DATA/sinusoid.csv"
test -L link && stat -c %a r.json && head -c 24 r.json
echo
ls
