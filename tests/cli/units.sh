# What inputs are measured in: said, or in the header, whose name is then the rest of it.
cp "$DATA/mixer.csv" plain.csv; cp "$DATA/mixer.json" model.json
m="--model model.json --id batch --sigma 1 --rows 10"
sed '1s/speed/speed [1\/min]/; 1s/load/load [kg]/' plain.csv > measured.csv
head -1 measured.csv
"$GPA" explain $m --units "speed=1/min" --units load=kg plain.csv > said.txt 2> /dev/null
"$GPA" explain $m measured.csv > header.txt 2> /dev/null
tail -n +3 said.txt > a; tail -n +3 header.txt > b; cmp a b && grep -o 'speed \[1/min\]\|load \[kg\]' said.txt | sort -u
# the same numbers as without units
"$GPA" explain $m --json plain.csv > plain.json
"$GPA" explain $m --json-full --html page.html --svg pictures --out full.json measured.csv 2> /dev/null
python3 - <<'END'
import json
plain, full = json.load(open("plain.json")), json.load(open("full.json"))
assert plain["features"] == full["features"], full["features"]
units = dict(zip(full["features"], full["units"]))
assert units["speed"] == "1/min" and units["load"] == "kg" and "units" not in plain, units
assert plain["explanations"][0]["culprit"]["responsible"] == full["explanations"][0]["culprit"]["responsible"]
page = open("page.html", encoding="utf-8").read()
assert '>speed <span class="u">1/min</span>' in page and "speed [1/min]" in page
assert any("speed [1/min]" in open("pictures/" + name, encoding="utf-8").read()
           for name in ("row-%s-profile.svg" % full["explanations"][0]["ids"][0],))
END
# what was saved makes the same page; verify finds nothing
"$GPA" report --html again.html full.json && cmp page.html again.html
"$GPA" verify page.html
# options take either name
"$GPA" explain $m --freeze "load [kg]" --bounds "speed=0:90" --json measured.csv > a.json
"$GPA" explain $m --freeze load --bounds "speed [1/min]=0:90" --json measured.csv > b.json
python3 -c 'import json; a, b = (json.load(open(f))["explanations"] for f in ("a.json", "b.json")); assert a == b'
# brackets that are no unit, names that would be two: they stay as they are
printf 'a [1],b [kg],b [lb],c[m],y\n1,2,3,4,10\n2,3,4,5,14\n3,4,5,7,19\n' > odd.csv
printf '{"type":"linear","w":[1,1,1,1],"b":0}' > sum.json
"$GPA" explain --model linear:sum.json --sigma 1 --top 1 --json --out odd.json odd.csv 2> /dev/null; python3 -c 'import json; d = json.load(open("odd.json")); print(d["features"], d.get("units"))'
"$GPA" explain $m --units spede=rpm plain.csv; echo $?
"$GPA" explain $m --units speed plain.csv; echo $?
