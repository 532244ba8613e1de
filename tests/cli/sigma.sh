printf 'x1,x2,y\n0.5,0,1\n' > one.csv
printf 'x1,x2,y\n0,0,3\n0,0,3\n' > same.csv
"$GPA" score --model builtin:sinusoid2d one.csv; echo $?
"$GPA" score --model builtin:sinusoid2d same.csv; echo $?
"$GPA" score --model builtin:sinusoid2d --sigma 1 --csv one.csv; echo $?
# with the noise given and the row named, nobody needs sigma
"$GPA" explain --model builtin:sinusoid2d --b0 0.01 --rows 0 --scale none --json one.csv > e.json
echo $?
python3 - <<'END'
import json
e = json.load(open("e.json"))["explanations"][0]
print(e["score"], e["score_reason"], e["prior"]["sigma"], e["prior"]["sigma_reason"])
END
