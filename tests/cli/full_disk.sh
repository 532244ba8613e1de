m="--model builtin:sinusoid2d"
"$GPA" score $m "$DATA/sinusoid.csv" > /dev/full; echo $?
"$GPA" score $m --out /dev/full "$DATA/sinusoid.csv"; echo $?
"$GPA" explain $m --json "$DATA/sinusoid.csv" > /dev/full; echo $?
"$GPA" explain $m --html /dev/full "$DATA/sinusoid.csv" > /dev/null; echo $?
"$GPA" --help > /dev/full; echo $?
"$GPA" --version > /dev/full; echo $?
"$GPA" methods > /dev/full; echo $?
