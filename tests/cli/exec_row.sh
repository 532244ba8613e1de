# A child that complains about some rows is asked for the first of them.
cat > picky.pl <<'END'
binmode STDIN; binmode STDOUT; $| = 1;
print pack('a4 V V V', 'GPAH', 1, 2, 0);
while (read(STDIN, my $head, 12)) {
    my (undef, $n, $d) = unpack('a4 V V', $head);
    my $body = '';
    read(STDIN, $body, $n * $d * 8 - length $body, length $body) while length $body < $n * $d * 8;
    my @x = unpack('d<*', $body);
    my (@y, $why);
    for my $i (0 .. $n - 1) {
        $why //= "a is $x[2 * $i], which is beyond 90" if $x[2 * $i] > 90;
        push @y, $x[2 * $i] + 2 * $x[2 * $i + 1];
    }
    $why = 'too many' if $n > $ARGV[0];
    print defined $why ? pack('a4 V V a*', 'GPAR', 0, length $why, $why) : pack('a4 V V d<*', 'GPAR', $n, 0, @y);
}
END
perl -e 'print "a,b,y\n";
for (0 .. 59) { my ($a, $b) = ($_ * 37 % 61, $_ * 7 % 5); $a = 95 if $_ == 43;
    printf "%g,%s,%g\n", $a, $b, $a + 2 * ($_ * 7 % 5) + $_ % 3 * 0.3; }' > rows.csv
sed 's/^95,/30,/' rows.csv > near.csv
sed '5s/,[0-9]*,/,,/' rows.csv > gap.csv
"$GPA" score --model 'exec:perl picky.pl 5000' rows.csv
"$GPA" score --model 'exec:perl picky.pl 5000' --batch 10 rows.csv
"$GPA" score --model 'exec:perl picky.pl 5000' gap.csv
"$GPA" score --model 'exec:perl picky.pl 5' near.csv   # no row by itself
"$GPA" score --model 'exec:perl picky.pl 0' rows.csv   # every row
"$GPA" explain --rows 43 --model 'exec:perl picky.pl 5000' --sigma 1 --freeze b near.csv
"$GPA" compare --rows 43 --methods lime --model 'exec:perl picky.pl 5000' --sigma 1 near.csv
"$GPA" compare --rows 43 --methods lime --model 'exec:perl picky.pl 5000' --sigma 1 gap.csv
