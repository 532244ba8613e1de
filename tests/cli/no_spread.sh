# residuals that differ by rounding only say nothing of the noise
printf '{"type":"linear","w":[0.1,0.3],"b":0}' > m.json
python3 - <<'END'
with open("d.csv", "w") as f:
    f.write("a,b,y\n")
    for i in range(40):
        a, b = i * 0.7, i * i * 0.1
        f.write("%.17g,%.17g,%.17g\n" % (a, b, 0.1 * a + 0.3 * b + 5.3))
END
"$GPA" score --model linear:m.json d.csv; echo $?
"$GPA" explain --model linear:m.json --sigma 1 --rows 3 --marginals none d.csv | sed -n '/off on average/,/^$/p'
# an input that is held, as it never changes, needs no unit and no warning
awk -F, -v OFS=, 'NR > 1 { $2 = 7 } 1' d.csv > held.csv
"$GPA" explain --model linear:m.json --sigma 1 --rows 3 --marginals none held.csv 2>&1 | grep -e warning -e 'taken as'
