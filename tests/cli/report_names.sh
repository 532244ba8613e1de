# Whatever rows are called, their pictures stay in the folder, complete, and apart.
python3 - <<'END'
import csv
ids = ["../../up", "/etc/passwd", "a/b", "a:b", "A_B", "", ".", "..", "-rf", "x" * 300, "Gr\u00f6\u00dfe",
       "\u202egnp.exe", "new\nline", "<b>&\"'", "a b", "con", "7", "7", "row", "%s%n", "$(touch x)", "a_b-row2"]
with open("h.csv", "w", newline="", encoding="utf-8") as f:
    w = csv.writer(f)
    w.writerow(["id", "a", "b", "y"])
    for i, name in enumerate(ids):
        w.writerow([name, i * 0.5, (i * 7) % 5, 2 * i + (i % 3)])
END
echo '{"type":"linear","w":[4,0.1],"b":0}' > h.json
"$GPA" explain --model h.json --id id --all --json-full --svg deep/er/p --out r.json h.csv; echo $?
"$GPA" report --svg q r.json; echo $?
diff -r deep/er/p q && ls q | wc -l
"$GPA" compare --model h.json --id id --all --methods gpa,lc --svg c h.csv > /dev/null; echo $?
ls c
ls
python3 - <<'END'
import pathlib, xml.etree.ElementTree as t
for p in sorted(pathlib.Path(".").rglob("*.svg")):
    root = t.parse(p).getroot() # whole, and XML
    assert root.tag.endswith("svg")
    assert all(e.tag.split("}")[1] not in ("script", "image", "a", "foreignObject") for e in root.iter()), p
    assert p.stat().st_mode & 0o777 == 0o644, oct(p.stat().st_mode)
END
