s() { "$GPA" score --model builtin:sinusoid2d "$@"; echo $?; }
cp "$DATA"/*.csv .
mkdir dir
s none.csv
s dir
s empty.csv
s header.csv
s ragged.csv
s text.csv
s twice.csv
s --target z sinusoid.csv
s --features x1,z sinusoid.csv
s --features x1,x1 sinusoid.csv
s --features x1 sinusoid.csv
s --drop x1 sinusoid.csv
s --id z sinusoid.csv
s --features x1,y sinusoid.csv
s pump.csv
s --target pump --drop power pump.csv
"$GPA" score --model none.json sinusoid.csv; echo $?
"$GPA" score --model builtin:nothing sinusoid.csv; echo $?
