# --state and --out that are others' stay as they are; lines that are too long, or not text.
cat > rows.py <<'P'
import watch_rows
row = '{"a":1,"b":2,"y":-4}\n'
for name, begin, rest in (("whole", "z" * 3000000 + "\n", row),
                          ("half", "z" * 2000000, "z" * 2000000 + "\n" + row),
                          ("short", "z" * 1048580 + "\r\n", row)):
    with open(name + "-1", "w") as f:
        f.write(row + begin)
    with open(name + "-2", "w") as f:
        f.write(row + begin + rest)
P
PYTHONPATH="$DATA" python3 rows.py
echo '{"type":"linear","w":[2,-4],"b":0,"variables":["a","b"]}' > other.json
echo '{"a":1,"b":2,"y":-4}' > rows
p="--target y --reference ref.csv --every --json"
quiet() { "$@" 2> said; code=$?; grep -v 'taken as' said >&2; return $code; }

echo "a state of another model: --out stays as it is"
quiet "$GPA" watch --model m.json $p --state s --out o rows
echo more >> o
quiet "$GPA" watch --model other.json $p --state s --out o rows
tail -n 1 o

echo "--out that is not the one of the state stays as it is"
quiet "$GPA" watch --model m.json $p --state t --out u rows
seq 1000 > longer; seq 1000 > as_it_was; : > shorter
for o in longer shorter; do
    quiet "$GPA" watch --model m.json $p --state t --out $o rows
    echo "exit $?"
done
cmp longer as_it_was && wc -c < shorter
quiet "$GPA" watch --model m.json $p --state v rows > /dev/null
quiet "$GPA" watch --model m.json $p --state v --out longer rows
cmp longer as_it_was && echo same

echo "names that are none for a state"
for s in - o s.gz /dev/null .; do
    quiet "$GPA" watch --model m.json $p --state $s --out o rows
done
tail -n 1 o

echo "a start behind a line that is too long"
for name in whole half short; do
    rm -f lines s o undisturbed
    for part in 1 2; do
        cp $name-$part lines
        quiet "$GPA" watch --model m.json $p --state s --out o lines 2>&1 | grep -c "going on behind byte"
    done
    "$GPA" watch --model m.json $p --out undisturbed lines 2> /dev/null
    cmp o undisturbed && echo same
done

echo "a last line without its end waits for it; without a state it counts"
rm -f s o undisturbed
printf '{"a":1,"b":2,"y":-4}\n{"a":1,"b":2,"y":-' > lines
quiet "$GPA" watch --model m.json $p lines | wc -l
quiet "$GPA" watch --model m.json $p --state s --out o lines
wc -l < o
printf '4.5}\n{"a"' >> lines
quiet "$GPA" watch --model m.json $p --state s --out o lines
printf ':1,"b":2,"y":-4}\n' >> lines
quiet "$GPA" watch --model m.json $p --state s --out o lines
"$GPA" watch --model m.json $p --out undisturbed lines 2> /dev/null
cmp o undisturbed && echo same

echo "one process adds to a file, and a state is that of one watch"
mkfifo pipe
rm -f s o
"$GPA" watch --model m.json $p --state s --out o pipe 2> first &
exec 7> pipe
while ! grep -q taken first; do sleep 0.05; done
quiet "$GPA" watch --model m.json $p --out o rows
quiet "$GPA" watch --model m.json $p --state s rows > /dev/null
exec 7>&-
wait $!
echo "exit $?"
grep -v 'taken as' first

echo "a byte that is zero, ports that are none"
printf 'a,b,y\n1,2,-4\n1\0,2,-4\n' | quiet "$GPA" watch --model m.json $p |
    grep -o '"event":"[a-z]*"\|"text":"[^"]*"'
for port in 99999 '' ' 5' x; do
    quiet "$GPA" watch --model m.json $p --metrics "127.0.0.1:$port" rows
done

echo "a journal's name on a short file that is none"
mkdir journal
echo mine > journal/all.gpaj
"$GPA" explain --model m.json --target y --all --journal journal ref.csv
echo "exit $?"
cat journal/all.gpaj
