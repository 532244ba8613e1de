# Without gpa-lab beside it the command says where that belongs; all else works.
mkdir alone && cp "$GPA" alone/gpa
alone/gpa bench planted --cases .; echo $?
alone/gpa help paper; echo $?
PATH=$PWD/alone:/usr/bin:/bin sh -c 'gpa paper; echo $?'
alone/gpa methods > /dev/null; echo $?
