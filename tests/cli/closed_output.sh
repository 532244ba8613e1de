{ sleep 0.2; "$GPA" explain --model builtin:sinusoid2d --json "$DATA/sinusoid.csv"; echo $? >&2; } | true
"$GPA" score --model builtin:sinusoid2d "$DATA/sinusoid.csv" >&-; echo $?
