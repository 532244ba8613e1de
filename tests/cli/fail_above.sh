p="--model $DATA/pump.json --id pump"
"$GPA" score $p --fail-above 3 --top 1 --csv "$DATA/pump.csv"; echo $?
"$GPA" score $p --fail-above 1000 --top 1 --csv "$DATA/pump.csv" > /dev/null; echo $?
"$GPA" explain $p --fail-above 3 "$DATA/pump.csv" > /dev/null; echo $?
"$GPA" explain $p --fail-above 3 --rows 0 "$DATA/pump.csv" > /dev/null; echo $?
