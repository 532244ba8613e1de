"$GPA" score --model builtin:sinusoid2d --out nowhere/x "$DATA/sinusoid.csv"; echo $?
"$GPA" explain --model builtin:sinusoid2d --out x --html nowhere/y "$DATA/sinusoid.csv"; echo $?
"$GPA" explain --model builtin:sinusoid2d --out x --html x "$DATA/sinusoid.csv"; echo $?
ls
