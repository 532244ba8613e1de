# a journal: what it holds is not asked again, in any format; one of another question, a foreign file and
# a folder that cannot be are refused, and stay as they are
d=$(dirname "$(dirname "$TESTS")")/examples/diabetes
cp "$d/heldout.csv" "$d/model.json" .
x() { "$GPA" explain --model model.json --top 6 "$@"; }
x --json-full --html a.html --svg a --out a.json heldout.csv
x --csv --out a.csv heldout.csv
x --out a.txt heldout.csv
x --journal j --json --out b.json heldout.csv
x --journal j --json-full --html b.html --svg b --out b.json heldout.csv
x --journal j --csv --out b.csv heldout.csv
x --journal j --out b.txt heldout.csv
cmp a.json b.json && cmp a.html b.html && diff -r a b && cmp a.csv b.csv && cmp a.txt b.txt && echo "the same"
# a file that is cut short, also within its first record; shards, then all
cp -r j cut && truncate -s -100 cut/all.gpaj && x --journal cut --csv heldout.csv | cmp - a.csv
truncate -s 50 cut/all.gpaj && x --journal cut --csv heldout.csv | cmp - a.csv
cp -r j bad && printf x | dd of=bad/all.gpaj bs=1 seek=200 conv=notrunc 2> /dev/null
cp bad/all.gpaj was && ! x --journal bad --csv heldout.csv && cmp was bad/all.gpaj
: > cut/all.gpaj && x --journal cut --csv heldout.csv | cmp - a.csv
for i in 1 2 3; do x --journal parts --shard $i/3 --json-full --out $i.json heldout.csv; done
"$GPA" merge 1.json 2.json 3.json | cmp - a.json; ls parts
x --journal parts --csv heldout.csv | cmp - a.csv; ls parts
"$GPA" explain --model model.json --rows 1,2,3 --collective --json --journal c --out a.json heldout.csv
"$GPA" explain --model model.json --rows 1,2,3 --collective --json --journal c --out b.json heldout.csv && cmp a.json b.json
# what is refused
sha256sum j/* > before; ls j > files
r() { x --journal j --out new.txt "$@"; echo "exit $?"; }
r --seed 2 heldout.csv
head -n 60 heldout.csv > short.csv; r short.csv
cp heldout.csv copy.csv; r copy.csv
"$GPA" explain --model model.json --top 5 --journal j --out new.txt heldout.csv; echo "exit $?"
sed 's/0\.1/0.2/' model.json > other.json && "$GPA" explain --model other.json --top 6 --journal j --out new.txt heldout.csv; echo "exit $?"
cp model.json kept.json; cp other.json model.json; r heldout.csv; cp kept.json model.json
sha256sum -c --quiet before && ls j | cmp - files && [ ! -e new.txt ] && echo "as it was"
head -n 30 heldout.csv > ref.csv; mkdir foreign; printf '%0200d' 0 > foreign/all.gpaj
x --journal foreign --out new.txt heldout.csv; echo "exit $?"
x --journal model.json --out new.txt heldout.csv; echo "exit $?"
mkdir pipe; mkfifo pipe/all.gpaj; x --journal pipe --out new.txt heldout.csv; echo "exit $?"
# reference rows are part of the question
x --reference ref.csv --plausible reference --journal ref --out new.txt heldout.csv 2> /dev/null; sed -i '$d' ref.csv
x --reference ref.csv --plausible reference --journal ref --out newer.txt heldout.csv; echo "exit $?"
