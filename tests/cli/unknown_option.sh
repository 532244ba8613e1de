"$GPA" explain --modle x; echo $?
"$GPA" score --solver paper; echo $?
"$GPA" explain --xyzzy=3; echo $?
"$GPA" explain -q; echo $?
