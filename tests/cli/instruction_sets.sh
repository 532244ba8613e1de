# every instruction set gives the same bytes
root="$(dirname "$(dirname "$TESTS")")"
work() {
    "$GPA" explain --model "$root/examples/diabetes/model.json" --rows 0-2 --json "$root/examples/diabetes/heldout.csv"
    "$GPA" explain --model builtin:sinusoid2d --marginals surrogate --json "$DATA/sinusoid.csv"
    "$GPA" model --model "$root/tests/data/onnx/gemm.onnx" | head -n 4
}
work > best
for set in scalar sse2 avx2 avx512; do
    GPA_ISA=$set "$GPA" --version > /dev/null 2>&1 || { echo "SKIP: $set, which this machine has not"; continue; }
    (export GPA_ISA=$set; work > $set)
    cmp best $set
done
wc -c < best | awk '{ print ($1 > 10000 ? "all of it" : "little") }'
GPA_ISA=mmx "$GPA" --version; echo $?
