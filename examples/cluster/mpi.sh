#!/bin/sh
# mpi.sh WORK RANKS MODEL DATA [OPTION of gpa explain]...
# Explains DATA by the ranks of an MPI launcher (Open MPI, or whatever sets PMI_RANK): each
# is a gpa of its own, which needs no MPI. When a rank is lost the launcher ends all of
# them; the same command again goes on with the journal. GPA and MPIRUN are the commands.
set -eu
gpa=${GPA:-gpa} both=${BOTH:-}
work=$1 ranks=$2 model=$3 data=$4
shift 4
mkdir -p "$work"
# shellcheck disable=SC2086 # BOTH and MPIRUN are several words
[ -e "$work/scores.json" ] ||
    "$gpa" score --model "$model" $both --json --out "$work/scores.json" "$data"
# shellcheck disable=SC2086
${MPIRUN:-mpirun} -np "$ranks" "$gpa" explain --model "$model" $both \
    --scores "$work/scores.json" --threads 1 --journal "$work/journal" --shard auto \
    --out "$work/part-{shard}.json" "$@" "$data"
"$gpa" merge --out "$work/all.json" "$work"/part-*.json
