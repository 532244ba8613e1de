# An answer about ten inputs fits a terminal of 80 columns and 24 lines.
cat > run.py <<'END'
import os, pty, sys
sys.path.insert(0, os.environ["TESTS"] + "/../../tools")
from terminal import on_terminal
try:
    pty.openpty()
except OSError as error:
    print(f"SKIP: {error}: the lines of an answer are NOT counted")
    sys.exit()
ROOT = os.environ["TESTS"] + "/../../examples/diabetes/"
def answer(file, *options):
    env = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    return on_terminal([os.environ["GPA"], "explain", "--model", ROOT + "model.json", "--target", "progression",
                        "--progress", "never", *options, ROOT + file], env=env)[0]
def check(text, least=15):
    lines = text.strip("\n").split("\n")
    assert least < len(lines) <= 24, text
    assert max(map(len, lines)) <= 80, text
for options in (["--rows", "10"], ["--top", "1"], ["--top", "1", "--freeze", "age,sex"], ["--rows", "61"], ["--rows", "0"],
                ["--rows", "1-5", "--collective"], ["--rows", "10,61", "--collective"]):
    for file in ("heldout.csv", "spoilt.csv"):
        check(answer(file, *options))
# of many: each of them
many = answer("heldout.csv", "--top", "60", "--marginals", "none").split("\n\n\n")
assert len(many) == 60
for text in many:
    check(text.removeprefix("  note: ").split("\n\n", 1)[-1] if text.startswith("  note") else text)
print(len(many), "answers")
END
python3 run.py
