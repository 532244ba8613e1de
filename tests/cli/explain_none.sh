"$GPA" explain --model builtin:sinusoid2d --threshold 1e6 "$DATA/sinusoid.csv"; echo $?
"$GPA" explain --model builtin:sinusoid2d --threshold 1e6 --json "$DATA/sinusoid.csv" 2>/dev/null |
    python3 -c 'import json, sys; d = json.load(sys.stdin); print(d["explanations"], d["model"])'
# an observation that is just what the model says needs no change
printf 'x1,x2,y\n0,0,2\n' | "$GPA" explain --model builtin:sinusoid2d --sigma 1 --scale none | sed -n '1,9p'
