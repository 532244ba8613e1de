# unfinished files are gone, and the exit code says what happened
awk 'BEGIN { OFS = ","; print "x1,x2,y"; for (i = 0; i < 300000; i++) print i % 13 / 9, i % 7 / 5, i % 3 }' > long.csv
python3 - <<'END'
import os, signal, subprocess, time
for number in (signal.SIGINT, signal.SIGTERM):
    p = subprocess.Popen([os.environ["GPA"], "explain", "--model", "builtin:sinusoid2d", "--all",
                          "--json", "--out", "r.json", "--html", "r.html", "long.csv"])
    for _ in range(500):
        if sum(name.startswith("r.") for name in os.listdir(".")) == 2:
            break
        time.sleep(0.02)
    time.sleep(0.5)
    print(sum(name.startswith("r.") for name in os.listdir(".")))
    p.send_signal(number)
    print(p.wait(20), os.listdir("."))
END
