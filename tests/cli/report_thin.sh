# What a plain result cannot show is named; the rest is there.
m="--model $DATA/mixer.json --id batch --sigma 1"
"$GPA" explain $m --top 2 --json --out r.json "$DATA/mixer.csv"
"$GPA" report --svg p r.json; echo $?
ls p
# the name of y is in it
"$GPA" report r.json | grep -c torque
"$GPA" explain $m --top 2 --target torque --json "$DATA/mixer.csv" | "$GPA" report - | grep -c 'torque = .* was observed'
# nothing was explained
"$GPA" explain $m --threshold 1e9 --json --out none.json "$DATA/mixer.csv"
"$GPA" report none.json; echo $?
"$GPA" report none.json --svg q; echo $?; ls
# a comparison needs nothing more
"$GPA" compare $m --top 1 --methods gpa,lc --json --out c.json "$DATA/mixer.csv"
"$GPA" report c.json --svg q; echo $?; ls q
