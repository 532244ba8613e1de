#!/bin/sh
# slurm.sh WORK SHARDS MODEL DATA [OPTION of gpa explain]...
# Explains DATA as an array of SHARDS tasks: one job scores all rows, the tasks of the array
# explain a part each when that is done, and a last job merges them into WORK/all.json.
# A task that is lost with its node is requeued and goes on with its journal. WORK, MODEL
# and DATA must be where every node sees them. BOTH are options that scoring needs, too
# (BOTH='--target y'), GPA is the command, SBATCH options for every job (SBATCH='-p long').
set -eu
gpa=${GPA:-gpa} both=${BOTH:-} step=${STEP:-submit}
work=$1 shards=$2 model=$3 data=$4
shift 4
# shellcheck disable=SC2086 # BOTH and SBATCH are several words
case $step in
submit)
    mkdir -p "$work"
    script=$0
    submit() { # submit STEP OPTIONS-OF-SBATCH OPTION...
        export STEP="$1"
        options=$2
        shift 2
        sbatch --parsable --requeue --output="$work/$STEP-%j.log" ${SBATCH:-} $options \
            "$script" "$work" "$shards" "$model" "$data" "$@"
    }
    score=$(submit score "" "$@")
    array=$(submit explain "--dependency=afterok:$score --array=1-$shards" "$@")
    submit merge "--dependency=afterok:$array --kill-on-invalid-dep=yes" "$@"
    ;;
score)
    exec "$gpa" score --model "$model" $both --json --out "$work/scores.json" "$data"
    ;;
explain)
    exec "$gpa" explain --model "$model" $both --scores "$work/scores.json" --threads 1 \
        --journal "$work/journal" --shard auto --shards "$shards" \
        --out "$work/part-{shard}.json" "$@" "$data"
    ;;
merge)
    exec "$gpa" merge --out "$work/all.json" "$work"/part-*.json
    ;;
esac
