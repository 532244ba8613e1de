# On a terminal lines are as wide as it is, in a file always the same.
cat > run.py <<'END'
import os, pty, sys
sys.path.insert(0, os.environ["TESTS"] + "/../../tools")
from terminal import on_terminal
try:
    pty.openpty()
except OSError as error:
    print(f"SKIP: {error}: the width of tables is NOT checked")
    sys.exit()
def table(columns, told=None):
    """What explain prints on a terminal so wide; COLUMNS says otherwise when told."""
    env = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    if told is not None:
        env["COLUMNS"] = told
    return on_terminal([os.environ["GPA"], "explain", "--model", os.environ["DATA"] + "/mixer.json",
                        "--id", "batch", "--rows", "10", "--progress", "never",
                        os.environ["DATA"] + "/mixer.csv"], columns, 50, env=env)[0]
def widest(text):
    return max(len(line) for line in text.split("\n"))
file = open("file").read()
for columns in 40, 60, 80, 100, 200:
    text = table(columns)
    assert widest(text) <= columns, text
    assert "\x1b" not in text # TERM is dumb
    assert "interval" in text.split("\n\n")[1] or columns < 60, text
assert widest(table(200, "60")) <= 60
assert table(100, "nonsense") == table(100)
assert table(0) == file # a terminal that does not say
assert widest(file) > 80
END
"$GPA" explain --model "$DATA/mixer.json" --id batch --rows 10 "$DATA/mixer.csv" > file
COLUMNS=50 "$GPA" explain --model "$DATA/mixer.json" --id batch --rows 10 "$DATA/mixer.csv" | cmp - file
python3 run.py
