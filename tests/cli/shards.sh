# the parts of a job, put together: the bytes of one run, in every format; what is missing, double,
# of another question or no shard at all is named; what schedulers say of parts
d=$(dirname "$(dirname "$TESTS")")/examples/diabetes
cp "$d/heldout.csv" "$d/model.json" .
x() { "$GPA" explain --model model.json "$@" heldout.csv; }
x --top 7 --json --out one.json
x --top 7 --json-full --html one.html --svg one --out full.json
x --top 7 --csv --out one.csv
for i in 1 2 3; do
    x --top 7 --shard $i/3 --out thin-$i.json
    x --top 7 --json-full --shard $i/3 --threads $i --out full-$i.json
done
"$GPA" merge --out merged.json thin-3.json thin-1.json thin-2.json thin-3.json && cmp one.json merged.json && echo "JSON: the same"
"$GPA" merge --html merged.html --svg merged --out merged.json full-?.json && cmp full.json merged.json &&
    cmp one.html merged.html && diff -r one merged && echo "in full, with a page and pictures: the same"
"$GPA" merge --html thin.html --out thin.json thin-?.json && cmp one.json thin.json && test -s thin.html
"$GPA" merge --json full-?.json | cmp - one.json
"$GPA" merge --csv full-?.json | cmp - one.csv
"$GPA" report thin-2.json > table && sed -n 1p table | cut -c 1-40
# more shards than rows, and no rows at all
for i in 1 2 3; do x --rows 5 --shard $i/3 --out few-$i.json; x --threshold 1e9 --shard $i/3 --out none-$i.json; done
x --rows 5 --json --out few.json
x --threshold 1e9 --json --out none.json
"$GPA" merge few-?.json | cmp - few.json && "$GPA" merge none-?.json | cmp - none.json && echo "few and none: the same"
x --rows 1,2,5 --collective --shard 1/2 --out all-1.json
x --rows 1,2,5 --collective --shard 2/2 --out all-2.json
x --rows 1,2,5 --collective --json --out all.json
"$GPA" merge all-?.json | cmp - all.json && echo "one explanation of several rows: the same"
# what does not belong together
echo old > merged.json
m() { "$GPA" merge --out merged.json "$@"; echo "exit $? $(cat merged.json)"; }
m thin-1.json thin-3.json
m thin-?.json full-1.json
x --top 7 --seed 2 --shard 2/3 --out seed.json && m thin-1.json thin-3.json seed.json
x --top 7 --shard 2/4 --out four.json && m thin-1.json four.json
sed 's/"converged":true/"converged":false/' thin-2.json > spoilt.json && m thin-?.json spoilt.json
sed '2s/"top":7/"top":8/' thin-2.json > options.json && m thin-1.json options.json thin-3.json
sed 's/"solver":"fast"/"solver":"thorough"/' thin-2.json > solver.json && m solver.json thin-1.json thin-3.json
sed 's/"target_name":"progression",//' thin-2.json > lacks.json && m thin-1.json lacks.json thin-3.json
head -n 60 heldout.csv > short.csv && "$GPA" explain --model model.json --top 7 --shard 2/3 --out data.json short.csv && m thin-1.json data.json
m one.json
m thin-1.json nowhere.json
m
sed 's/"index":2/"index":4/' thin-2.json > beyond.json && m beyond.json
sed 's/"explanations":7/"explanations":70/' thin-2.json > count.json && m count.json
"$GPA" merge --out thin-1.json thin-?.json; echo "exit $?"
"$GPA" verify thin-1.json; echo "exit $?"
# what schedulers say
auto() { # auto NAME=VALUE... [-- OPTION...]: which shard it is
    e=; while [ $# -gt 0 ] && [ "$1" != -- ]; do e="$e $1"; shift; done; [ $# -eq 0 ] || shift
    env $e "$GPA" explain --model model.json --rows 5 --shard auto "$@" heldout.csv 2>&1 >/dev/null | grep -v 'has none'
}
auto SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=4
auto SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_COUNT=1 -- --shards 16
auto JOB_COMPLETION_INDEX=2 -- --shards 4
auto JOB_COMPLETION_INDEX=2
auto AWS_BATCH_JOB_ARRAY_INDEX=2 AWS_BATCH_JOB_ARRAY_SIZE=4
auto OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 PMI_RANK=2 PMI_SIZE=4
auto PMI_RANK=0 PMI_SIZE=1
auto PMI_RANK=0 PMI_SIZE=1 SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=4
auto PBS_ARRAY_INDEX=3 -- --shards 4
auto SGE_TASK_ID=5 SGE_TASK_FIRST=1 SGE_TASK_LAST=8 SGE_TASK_STEPSIZE=2
auto SGE_TASK_ID=undefined
auto PARALLEL_SEQ=3 -- --shards 4
auto PARALLEL_SEQ=5 -- --shards 4
auto PARALLEL_SEQ=3 JOB_COMPLETION_INDEX=1 -- --shards 4
auto
for s in 0/3 4/3 3 1/0 a/b 1/2x; do x --shard $s; echo "exit $?"; done
x --shard 1/3 --shards 4
x --shards 4
x --shard 1/3 --csv
x --shard 1/3 --html page.html
# a name with the number in it
x --rows 5,6 --shard 2/2 --out 'named-{shard}.json' && ls named-*
x --rows 5 --json --out 'plain-{shard}.json' && ls plain-*
