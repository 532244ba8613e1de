#!/usr/bin/perl
# A model behind gpa that takes text, in plain Perl: a base price by region, and 3 a day of
# rain. The frames are described in docs/connect/exec.md.
#   gpa score --model 'exec:perl prices.pl' data.csv
use strict;
use warnings;

binmode STDIN;
binmode STDOUT;
$| = 1; # every answer leaves at once

my %base = (north => 10, south => 20, 'the isles' => 35);
my @level; # of each input: the texts of its codes, once they were told

# Takes the next values off a body of bytes.
sub take { my ($form, $size, $body) = @_; unpack($form, substr($$body, 0, $size, '')) }
sub text { my ($body) = @_; take('a*', take('V', 4, $body), $body) }

print pack('a4 V V V', 'GPAH', 2, 2, 12), "region\nrain\n"; # version 2: text is fine

while ((read(STDIN, my $head, 12) // 0) == 12) {
    my ($magic, $m, $n) = unpack('a4 V V', $head);
    my $size = $magic eq 'GPAK' ? $n : $m * $n * 8;
    last if (read(STDIN, my $body, $size) // 0) != $size;
    if ($magic eq 'GPAK') { # what the m inputs are
        @level = map {
            my ($writing, $name) = (take('V', 4, \$body), text(\$body));
            +{map { (take('d<', 8, \$body), text(\$body)) } 1 .. take('V', 4, \$body)};
        } 1 .. $m;
        next;
    }
    my @x = unpack('d<*', $body); # row after row
    my @region = map { $level[0]{$x[2 * $_]} // '' } 0 .. $m - 1; # NaN: it is missing
    my @y = map { ($base{$region[$_]} // 15) + 3 * $x[2 * $_ + 1] } 0 .. $m - 1;
    print pack('a4 V V', 'GPAR', $m, 0), pack('d<*', @y);
}
