# the model names its inputs, so order and extra columns do not matter
python3 - <<'END'
import csv, os
rows = list(csv.DictReader(open(os.environ["DATA"] + "/pump.csv")))
with open("moved.csv", "w") as f:
    f.write("flow,note,pressure,power\n")
    for i, r in enumerate(rows):
        f.write("%s,%d,%s,%s\n" % (r["flow"], i, r["pressure"], r["power"]))
END
"$GPA" score --model "$DATA/pump.json" --csv "$DATA/pump.csv" > a
"$GPA" score --model "$DATA/pump.json" --csv moved.csv | cmp - a
"$GPA" score --model "$DATA/pump.json" --csv --target power --features pressure,flow moved.csv | cmp - a
"$GPA" score --model "$DATA/pump.json" --csv - < moved.csv | cmp - a
"$GPA" score --model "$DATA/pump.json" --csv < moved.csv | cmp - a
tail -n +2 moved.csv | "$GPA" score --model "$DATA/pump.json" --csv --no-header --features x3,x1 | cmp - a
"$GPA" score --model "$DATA/pump.json" --drop note moved.csv > wrong_order; echo $?
