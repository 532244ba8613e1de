#!/usr/bin/perl
# A model behind gpa in plain Perl: f(x) = 1 + 2 x1 - 3 x2. The frames are described in
# docs/connect/exec.md.   gpa score --model 'exec:perl linear.pl' data.csv
use strict;
use warnings;

binmode STDIN;
binmode STDOUT;
$| = 1; # every answer leaves at once

print pack('a4 V V V', 'GPAH', 1, 2, 6), "x1\nx2\n"; # hello: version 1, 2 inputs, their names

while ((read(STDIN, my $head, 12) // 0) == 12) {
    my (undef, $rows, $inputs) = unpack('a4 V V', $head);
    my $size = $rows * $inputs * 8;
    last if (read(STDIN, my $body, $size) // 0) != $size;
    my @x = unpack('d<*', $body); # row after row
    my @y = map { 1 + 2 * $x[2 * $_] - 3 * $x[2 * $_ + 1] } 0 .. $rows - 1;
    print pack('a4 V V', 'GPAR', $rows, 0), pack('d<*', @y);
}
