# Names of files that are empty, and standard input for two of them: refused before anything
# is read or asked.
cp "$DATA/mixer.csv" "$DATA/mixer.json" .
m='--model mixer.json --id batch --sigma 1 --rows 0'
try() { "$GPA" "$@" > out 2> said; echo "$? $(wc -c < out) $(head -n 1 said)"; }
for option in html svg out reference scale delta-init slope-nodes; do
    try explain $m --$option "" mixer.csv
done
try explain $m --html= mixer.csv
try explain $m ""
try verify ""
try report --html "" saved.json
try explain $m --reference - < mixer.csv
try explain $m --scale - - < mixer.csv
try explain --model - --id batch --reference - mixer.csv < mixer.csv
try explain $m --reference - mixer.csv < mixer.csv
ls
