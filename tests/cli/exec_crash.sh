# a child that ends when it should not: what it did, what it said last, exit code 4
printf 'x1,x2,y\n1,2,3\n4,5,6\n' > rows.csv
"$GPA" score --model "exec:sh -c 'echo no model here >&2; exit 3'" rows.csv; echo $?
cat > dies.pl <<'END'
binmode STDIN; $| = 1;
print pack('a4 V V V', 'GPAH', 1, 2, 0);
read(STDIN, my $head, 12);
die "the weights are gone\n";
END
"$GPA" score --model 'exec:perl dies.pl' rows.csv; echo $?
"$GPA" score --model "exec:sh -c 'kill -9 \$\$'" rows.csv; echo $?
