# the first example of each help can be pasted as it stands
PATH=$(dirname "$GPA"):$PATH
for c in score explain methods; do
    "$GPA" $c --help | sed -n '/^Examples:/{n;p}' > example.sh
    sh example.sh 2>/dev/null > out || echo "$c: exit $?"
    head -n 1 out
done
