#!/bin/sh
# parallel.sh WORK SHARDS MODEL DATA [OPTION of gpa explain]...
# Explains DATA by GNU parallel, here or (PARALLEL='--sshlogin a,b --wd .') on machines that
# see the same files. A shard that fails is tried again, and goes on with its journal.
set -eu
gpa=${GPA:-gpa} both=${BOTH:-}
work=$1 shards=$2 model=$3 data=$4
shift 4
mkdir -p "$work"
# shellcheck disable=SC2086 # BOTH is several words
"$gpa" score --model "$model" $both --json --out "$work/scores.json" "$data"
# shellcheck disable=SC2086
seq "$shards" | parallel --quote --retries 3 --joblog "$work/log" \
    "$gpa" explain --model "$model" $both --scores "$work/scores.json" --threads 1 \
    --journal "$work/journal" --shard "{}/$shards" --out "$work/part-{}.json" "$@" "$data"
"$gpa" merge --out "$work/all.json" "$work"/part-*.json
