# the example in R, with a linear model whose coefficients are 1, 2 and -3
if ! Rscript --version > /dev/null 2>&1; then
    echo "SKIP: no Rscript: examples/exec/worker.R is NOT checked"
    exit
fi
cp "$TESTS/../../examples/exec/worker.R" .
Rscript -e 'd <- data.frame(a = c(1, 2, 3, 5), b = c(0, 1, 4, 1)); d$y <- 1 + 2 * d$a - 3 * d$b
            saveRDS(lm(y ~ a + b, d), "model.rds")'
printf 'b,a,y\n1,1,1\n0,4,9\n2,1,-2\n' > rows.csv
"$GPA" score --model 'exec:Rscript worker.R model.rds' --csv rows.csv > scores.csv || exit 1
awk -F, 'NR > 1 && $1 > 0 { printf "%s %.9f\n", $1, $4 }' scores.csv | sort > got
printf '1 9.000000000\n2 -3.000000000\n' | diff - got
