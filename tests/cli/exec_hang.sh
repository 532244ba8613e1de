# a child that does not answer is ended after --model-timeout, with exit code 4
printf 'x1,x2,y\n1,2,3\n4,5,6\n' > rows.csv
timeout 10 "$GPA" score --model 'exec:sleep 600' --model-timeout 1 rows.csv; echo $?
cat > hangs.pl <<'END'
binmode STDIN; $| = 1;
print pack('a4 V V V', 'GPAH', 1, 0, 0);
sleep 600;
END
timeout 10 "$GPA" score --model 'exec:perl hangs.pl' --model-timeout 1 rows.csv; echo $?
