# what a child says is checked: one line about it, naming the row where there is one
printf 'x1,x2,y\n1,2,3\n4,5,6\n7,8,9\n' > rows.csv
cat > answers.pl <<'END'
binmode STDIN; binmode STDOUT; $| = 1;
print pack('a4 V V V', 'GPAH', 1, 2, 0);
while (read(STDIN, my $head, 12)) {
    my (undef, $n, $d) = unpack('a4 V V', $head);
    read(STDIN, my $body, $n * $d * 8);
    print eval $ARGV[0];
}
END
lie() {
    "$GPA" score --model "exec:perl answers.pl '$1'" rows.csv
    echo $?
}
lie 'pack("a4 V V d<*", "GPAR", 2, 0, 1, 2)'
lie 'pack("a4 V V d<*", "GPAR", 4, 0, 1, 2, 3, 4)'
lie 'pack("a4 V V d<*", "GPAR", 3, 0, 1, 9**9**9 / 9**9**9, 3)'
lie 'pack("a4 V V", "GPAR", 0, 4294967295)'
lie 'pack("a4 V V a*", "GPAR", 0, 13, "no such model")'
lie '"3 rows predicted\n"'
lie 'pack("a4 V V d<*", "GPAR", 3, 0, 1, 2, 3) . "done\n"'
"$GPA" score --model 'exec:echo ready' rows.csv; echo $?
"$GPA" score --model 'exec:no-such-program x' rows.csv; echo $?
"$GPA" score --model "exec:perl 'linear.pl" rows.csv; echo $?
# names without end: refused at once, within the memory and the time that there is
for inputs in 16777216 1000000; do
    timeout 20 "$GPA" score --model-timeout 2 --model "exec:perl -e 'binmode STDOUT; \$| = 1; print pack(qq(a4VVV), qq(GPAH), 1, $inputs, $inputs), qq(\n) x $inputs; sleep 9'" rows.csv
    echo $?
done
