"$GPA" score --model builtin:sinusoid2d --out nowhere/x "$DATA/sinusoid.csv"; echo $?
"$GPA" explain --model builtin:sinusoid2d --out x --html nowhere/y "$DATA/sinusoid.csv"; echo $?
"$GPA" explain --model builtin:sinusoid2d --out x --html x "$DATA/sinusoid.csv"; echo $?
# endings of packers that we are not
"$GPA" score --model builtin:sinusoid2d --out r.json.xz "$DATA/sinusoid.csv"; echo $?
"$GPA" explain --model builtin:sinusoid2d --out r.csv --html page.html.BZ2 "$DATA/sinusoid.csv"; echo $?
"$GPA" watch --model builtin:sinusoid2d --reference "$DATA/sinusoid.csv" --out r.jsonl.lz4 < /dev/null; echo $?
ls
"$GPA" score --model builtin:sinusoid2d --csv --out r.csv.GZ "$DATA/sinusoid.csv" && gzip -dc < r.csv.GZ | head -n 1
