e() { "$GPA" explain --model builtin:sinusoid2d "$@" "$DATA/sinusoid.csv"; echo $?; }
e --eta 0
e --eta abc
e --eta 1,5
e --eta 0x10
e --eta nan
e --eta ' 1'
e --nu=-1
e --top 0
e --top 1.5
e --top -1
e --seed 18446744073709551616
e --threads 5000
e --max-iter 0
e --slope-nodes 0
e --json=yes
e --culprit yes
e --plausible all
e --marginals all
e --marginal-rows 3
e --solver quick
e --color blue
e --rows 24
e --rows 3-1
e --rows 1,,2
e --rows 1 --top 2
e --json --csv
e --scale reference
"$GPA" explain --model; echo $?
"$GPA" explain "$DATA/sinusoid.csv"; echo $?
"$GPA" explain --model builtin:sinusoid2d a b; echo $?
