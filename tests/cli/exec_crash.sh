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
echo "rows are those of the table, whichever are left out, and changed ones are said to be"
cat > above.pl <<'END'
binmode STDIN; binmode STDOUT; $| = 1;
my $most = shift;
print pack('a4 V V V', 'GPAH', 1, 2, 0);
while ((read(STDIN, my $head, 12) // 0) == 12) {
    my (undef, $rows) = unpack('a4 V', $head);
    read(STDIN, my $body, $rows * 16);
    my @x = unpack('d<*', $body);
    my $no = (grep { $_ > $most } @x) ? 'too much' : '';
    print pack('a4 V V', 'GPAR', $rows, length $no), $no || pack('d<*', map { $x[2 * $_] } 0 .. $rows - 1);
}
END
printf 'x1,x2,y\n1,2,3\n1,2,\n4,5,6\n5,5,6\n9,5,6\n7,5,6\n' > gaps.csv
"$GPA" score --model 'exec:perl above.pl 8' --batch 1 gaps.csv; echo $?
"$GPA" explain --model 'exec:perl above.pl 9' --rows 4 --sigma 0.1 gaps.csv; echo $?
