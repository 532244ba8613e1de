#!/usr/bin/env python3
"""gpa watch ... --only episodes | to_alertmanager.py URL

Episodes as alerts of Alertmanager (POST URL/api/v2/alerts), without Prometheus: an alert
while one is open, ended when it closes. An alert is told by its labels, so that a record
that comes again after a new start changes nothing. Each open one is sent again every
minute, as Alertmanager forgets those of which it hears nothing. Python's own library only.
"""
import datetime
import json
import os
import select
import sys
import time
import urllib.request

RENEW = 60  # seconds


def alert(record, began, ended=None):
    made = {
        "labels": {"alertname": "GpaEpisode", "episode": str(record["episode"]),
                   "first": record["first"], "culprit": record["accused"] or "several"},
        "annotations": {"summary": record["verdict"]["text"] if record["verdict"] else
                        "an episode without a verdict",
                        "rows": f"{record['n']} rows, {record['first']} to {record['last']}"},
        "startsAt": began}
    if ended:
        made["endsAt"] = ended
    return made


def send(url, alerts):
    request = urllib.request.Request(url.rstrip("/") + "/api/v2/alerts",
                                     json.dumps(alerts).encode(),
                                     {"Content-Type": "application/json"})
    for wait in 0, 1, 5, 25:
        time.sleep(wait)
        try:
            with urllib.request.urlopen(request, timeout=10):
                return
        except OSError as why:
            print(f"to_alertmanager: {url}: {why}", file=sys.stderr)
    print("to_alertmanager: given up; the next record is tried again", file=sys.stderr)


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat()


def take(line, opened):
    """The alerts that a record asks for; `opened` holds the last record of each episode."""
    record = json.loads(line)
    number = record.get("episode")
    if record["event"] not in ("open", "update", "close", "new-normal"):
        return []
    before = opened.pop(number, None)
    began = before[1] if before else now()
    if record["event"] in ("open", "update"):
        opened[number] = (record, began)
        changed = before and before[0]["accused"] != record["accused"]
        return ([alert(before[0], began, now())] if changed else []) + [alert(record, began)]
    return [alert({**record, "accused": (before or [record])[0]["accused"]}, began, now())]


def main(url):
    opened, last, rest = {}, time.monotonic(), b""
    while True:
        if select.select([0], [], [], 1)[0]:
            piece = os.read(0, 1 << 16)
            if not piece:
                return
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                alerts = take(line, opened)
                if alerts:
                    send(url, alerts)
        if opened and time.monotonic() - last > RENEW:
            last = time.monotonic()
            send(url, [alert(record, began) for record, began in opened.values()])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
