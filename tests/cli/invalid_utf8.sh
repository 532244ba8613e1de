printf 'id,a\377b,c,y\nx\300\200,1,2,3\ny,2,1,5\nz,4,1,9\n\355\240\200,3,3,7\nq,0,1,0\n' > u.csv
printf '{"type":"linear","w":[2,0.5],"b":0}' > u.json
"$GPA" explain --model linear:u.json --id id --json --html u.html --out u.out u.csv 2> err; code=$?
cat err
test $code = 3 && exit # refused when it is read: fine as well
python3 - <<'END'
import json
d = json.loads(open("u.out", "rb").read().decode("utf-8"))
open("u.html", "rb").read().decode("utf-8")
END
