"$GPA" explian; echo $?
"$GPA" frobnicate; echo $?
"$GPA" help frobnicate; echo $?
