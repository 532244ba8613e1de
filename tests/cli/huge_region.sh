# Where f is as large as numbers go it explains nothing, and the answer is that of any f that is too large: several rows,
# in the table and as JSON.
cat > worker.py <<'PY'
import struct, sys
huge, out, into = float(sys.argv[1]), sys.stdout.buffer, sys.stdin.buffer
out.write(b"GPAH" + struct.pack("<III", 1, 2, 4) + b"a\nb\n")
out.flush()
while len(head := into.read(12)) == 12:
    _, n, d = struct.unpack("<4sII", head)
    x = struct.unpack("<%dd" % (n * d), into.read(8 * n * d))
    f = [huge if x[i * d] > 1 else x[i * d] + x[i * d + 1] for i in range(n)]
    out.write(b"GPAR" + struct.pack("<II", n, 0) + struct.pack("<%dd" % n, *f))
    out.flush()
PY
printf 'a,b,y\n0.1,0.2,2\n0.3,-0.1,2.1\n-0.2,0.4,2.3\n' > data.csv
python3 - <<'PY'
import json, os, subprocess
def ask(huge, *form):
    return subprocess.run(["timeout", "60", os.environ["GPA"], "explain", "--model", "exec:python3 worker.py " + huge, "--sigma", "0.3",
                           "--target", "y", "--all", "--collective", *form, "data.csv"], capture_output=True, check=True).stdout
culprit = lambda huge: json.loads(ask(huge, "--json"))["explanations"][0]["culprit"]
right = culprit("1e30")["responsible"] + [culprit("1e30")["output"]]
assert .6 < right[1] < .9 and sum(right) > .99, right
for huge in "1e120", "1e160", "1e300", "-1.7e308":
    c = culprit(huge)
    assert all(abs(p - q) < 1e-6 for p, q in zip(c["responsible"] + [c["output"]], right)), (huge, c)
    assert b"responsible" in ask(huge)
print("the same")
PY
