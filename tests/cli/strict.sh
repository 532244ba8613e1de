p="--model builtin:sinusoid2d"
"$GPA" explain $p --strict "$DATA/sinusoid.csv" > /dev/null; echo $?
"$GPA" explain $p --solver paper-det --max-iter 1 "$DATA/sinusoid.csv" > /dev/null; echo $?
"$GPA" explain $p --solver paper-det --max-iter 1 --strict --json --out r.json "$DATA/sinusoid.csv"; echo $?
python3 -c 'import json; e = json.load(open("r.json"))["explanations"][0]; print(e["converged"], e["budget_hit"])'
"$GPA" explain $p --budget 40 --strict --json --out r.json "$DATA/sinusoid.csv"; echo $?
python3 -c 'import json; e = json.load(open("r.json"))["explanations"][0]; print(e["budget_hit"], e["model_rows"] <= 40)'
