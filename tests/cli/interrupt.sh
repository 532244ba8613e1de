# unfinished files are gone whatever signal came, and the exit code says which
awk 'BEGIN { OFS = ","; print "x1,x2,y"; for (i = 0; i < 300000; i++) print i % 13 / 9, i % 7 / 5, i % 3 }' > long.csv
python3 - <<'END'
import os, resource, signal, subprocess, time
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):  # the background ignores them, or nohup
    signal.signal(number, signal.SIG_DFL)
def outputs(pid):
    """Files in this folder that it has open, with a name or without."""
    here, found = os.getcwd() + "/", 0
    for fd in os.listdir("/proc/%d/fd" % pid):
        try:
            to = os.readlink("/proc/%d/fd/%s" % (pid, fd))
        except OSError:
            continue
        found += to.startswith(here) and not to.endswith("long.csv")
    return found
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM,
               signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU, signal.SIGVTALRM,
               signal.SIGRTMIN, signal.SIGABRT):
    p = subprocess.Popen([os.environ["GPA"], "explain", "--model", "builtin:sinusoid2d", "--all",
                          "--json", "--out", "r.json", "--html", "r.html", "long.csv"])
    for _ in range(1000):
        if outputs(p.pid) == 2:
            break
        time.sleep(0.01)
    print(outputs(p.pid), end=" ")
    p.send_signal(number)
    print(p.wait(20), os.listdir("."))
END
# a file that may not grow is an error like others
echo old > r.json; echo old > r.html
for to in "--json --out r.json --html r.html" "--html r.html"; do
    (ulimit -f 8; "$GPA" explain --model builtin:sinusoid2d --rows 0-20 $to long.csv > /dev/null 2> said)
    echo $? "$(sed "s#$PWD#HERE#" said)"; rm said
done
ls; cat r.json r.html
