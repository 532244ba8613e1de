"""Small tables with the traits of those people have, and models for them: only the standard
library, the same numbers everywhere.

    python3 kinds.py insurance|rental|concrete|mixer|same

`same` writes one table and one model in several codings: text.csv (with text.py, for the
worker), onehot.csv, dropped.csv, codes.csv, permuted.csv, renamed.csv, and flags as 1/2 and true/false.
"""
import json
import random
import sys


def write(name, head, rows):
    with open(name, "w", encoding="utf-8") as out:
        print(*head, sep=",", file=out)
        for row in rows:
            print(*(format(v, ".10g") if isinstance(v, float) else v for v in row), sep=",", file=out)


def linear(name, variables, w, b=0.0):
    with open(name, "w", encoding="utf-8") as out:
        json.dump({"type": "linear", "variables": variables, "w": w, "b": b}, out)


def predict(w, b, x):
    return b + sum(a * v for a, v in zip(w, x))


def insurance():
    """Charges with one-hot columns; the last row smokes, and is recorded as one who does not."""
    draw = random.Random(11)
    regions = ["northeast", "northwest", "southeast", "southwest"]
    head = ["age", "bmi", "children", "sex_female", "sex_male", "smoker_no", "smoker_yes",
            *("region_" + r for r in regions)]
    w = [260.0, 330.0, 480.0, 60.0, -60.0, -11900.0, 11900.0, 600.0, 250.0, -400.0, -350.0]
    rows = []
    for i in range(150):
        male, smokes = draw.random() < 0.5, draw.random() < 0.2 or i == 149
        region = draw.randrange(4)
        x = [draw.randrange(18, 65), round(draw.gauss(30, 6), 1), min(int(draw.expovariate(0.9)), 5),
             int(not male), int(male), int(not smokes), int(smokes), *(int(r == region) for r in range(4))]
        rows.append(x + [round(predict(w, 1000.0, x) + draw.gauss(0, 1500), 2)])
    rows[-1][5:7] = [1, 0]
    write("insurance.csv", head + ["charges"], rows)
    linear("insurance.json", head, w, 1000.0)


def rental():
    """Bicycles hired; the last row is a holiday that is marked as a working day."""
    draw = random.Random(12)
    head = ["hour", "weekday", "holiday", "workingday", "temp", "humidity"]
    w = [6.0, 2.0, -10.0, 130.0, 4.5, -0.8]
    rows = []
    for i in range(200):
        weekday, holiday = draw.randrange(7), draw.random() < 0.05
        if i == 199:
            weekday, holiday = 2, True
        working = weekday < 5 and not holiday
        x = [draw.randrange(24), weekday, int(holiday), int(working), round(draw.gauss(14, 7), 1),
             round(min(max(draw.gauss(62, 15), 20), 100))]
        rows.append(x + [round(predict(w, 20.0, x) + draw.gauss(0, 20), 1)])
    rows[-1][3] = 1
    write("rental.csv", head + ["count"], rows)
    linear("rental.json", head, w, 20.0)


def concrete():
    """Amounts, most of them often 0, and an age in days; nothing can be negative."""
    draw = random.Random(13)
    head = ["cement", "slag", "water", "superplasticizer", "aggregate", "age"]
    w = [0.11, 0.08, -0.16, 0.6, 0.015, 0.12]
    rows = []
    for i in range(160):
        x = [round(draw.uniform(110, 520), 1), round(max(0, draw.gauss(30, 80)), 1),
             round(draw.gauss(180, 20), 1), round(max(0, draw.gauss(4, 6)), 1),
             round(draw.gauss(970, 75), 1), draw.choice([1, 3, 7, 7, 14, 28, 28, 28, 56, 90, 180])]
        off = draw.choice([-25, 25]) if i % 10 == 0 else 0
        rows.append(x + [round(predict(w, 2.0, x) + draw.gauss(0, 3) + off, 2)])
    write("concrete.csv", head + ["strength"], rows)
    linear("concrete.json", head, w, 2.0)


def mixer():
    """Trees that take a missing load as if it were low; the last row has none."""
    draw = random.Random(14)
    head = ["temp", "load", "stirred"]

    def stump(k, threshold, low, high, missing_left=1):
        return {"feature": [k, -1, -1], "threshold": [threshold, 0, 0], "left": [1, -1, -1],
                "right": [2, -1, -1], "value": [0, low, high], "missing_left": [missing_left, 0, 0]}

    steps = [(1, 10.0 * j, 0.0, 2.0) for j in range(1, 10)] + [(0, 60.0 + 2 * j, 0.0, 0.5) for j in range(10)]
    trees = [stump(*s) for s in steps + [(2, 0.5, 0.0, 3.0)]]

    def f(x):
        return sum((high if v is not None and v > t else low)
                   for (k, t, low, high) in steps + [(2, 0.5, 0.0, 3.0)] for v in [x[k]])
    rows = []
    for i in range(120):
        x = [round(draw.uniform(55, 85), 1), round(draw.uniform(0, 100), 1), draw.randrange(2)]
        if i == 119:
            x = [70.0, 86.0, 1]
        rows.append(x + [round(f(x) + draw.gauss(0, 0.5), 3)])
    rows[-1][1] = ""
    write("mixer.csv", head + ["viscosity"], rows)
    with open("mixer.json", "w", encoding="utf-8") as out:
        json.dump({"type": "trees", "variables": head, "inputs": 3, "arithmetic": "float64-le",
                   "base": 0.0, "trees": trees}, out)


REGIONS = ["east", "north", "south", "west"]  # in the order of their bytes: codes 0 to 3
EFFECT = {"east": 0.0, "north": 3.5, "south": -4.0, "west": 9.0}


def above(k, threshold, high):
    """A tree that is 0 up to the threshold."""
    return {"feature": [k, -1, -1], "threshold": [threshold, 0, 0], "left": [1, -1, -1],
            "right": [2, -1, -1], "value": [0, 0, high]}


def exactly(k, code, value):
    """A tree that is 0 unless input k is that whole number."""
    return {"feature": [k, -1, k, -1, -1], "threshold": [code - 0.5, 0, code + 0.5, 0, 0],
            "left": [1, -1, 3, -1, -1], "right": [2, -1, 4, -1, -1], "value": [0, 0, 0, value, 0]}


def trees(name, variables, more):
    steps = [above(0, 18 + 4 * j, 1.0) for j in range(12)] + [above(1, j + 0.5, 1.75) for j in range(5)]
    with open(name, "w", encoding="utf-8") as out:
        json.dump({"type": "trees", "variables": variables, "inputs": len(variables),
                   "arithmetic": "float64-le", "base": 0.0, "trees": steps + more}, out)


def same():
    """age, children, smoker and region: rows 0 to 5 are spoilt, in one input each or in y."""
    draw = random.Random(15)
    rows = []
    for i in range(140):
        smokes = draw.random() < 0.25
        region = draw.choices(REGIONS, [4, 3, 2, 1])[0]
        x = [round(draw.uniform(18, 65), 1), draw.randrange(6), smokes, region]
        y = (sum(1.0 for j in range(12) if x[0] > 18 + 4 * j) + 1.75 * x[1] + 8.0 * smokes
             + EFFECT[region] + draw.gauss(0, 0.8))
        rows.append(x + [round(y, 3)])
    for i in (0, 1):
        rows[i][2] = not rows[i][2]
    for i in (2, 3):
        rows[i][3] = "west" if rows[i][3] != "west" else "south"
    rows[4][1] = 5 if rows[4][1] < 3 else 0
    rows[5][4] += 60
    head = ["age", "children", "smoker", "region", "charges"]

    def coded(name, order, flag):
        write(name + ".csv", head, ([a, c, flag[s], order.index(r), y] for a, c, s, r, y in rows))
        trees(name + ".json", head[:4], [above(2, 1.5 if flag == [1, 2] else 0.5, 8.0)]
              + [exactly(3, order.index(r), EFFECT[r]) for r in REGIONS])

    coded("codes", REGIONS, [0, 1])
    coded("permuted", ["west", "east", "south", "north"], [0, 1])
    coded("onetwo", REGIONS, [1, 2])
    coded("truth", REGIONS, ["false", "true"])
    write("text.csv", head, ([a, c, ["no", "yes"][s], r, y] for a, c, s, r, y in rows))
    write("renamed.csv", head,  # in the opposite order
          ([a, c, ["z", "a"][s], "%d-%s" % (9 - REGIONS.index(r), r), y] for a, c, s, r, y in rows))
    columns = head[:3] + ["region_" + r for r in REGIONS]
    write("onehot.csv", columns + head[4:],
          ([a, c, int(s), *(int(r == q) for q in REGIONS), y] for a, c, s, r, y in rows))
    trees("onehot.json", columns, [above(2, 0.5, 8.0)] + [above(3 + k, 0.5, EFFECT[r]) for k, r in enumerate(REGIONS)])
    write("dropped.csv", columns[:3] + columns[4:] + head[4:],  # the first level is all 0
          ([a, c, int(s), *(int(r == q) for q in REGIONS[1:]), y] for a, c, s, r, y in rows))
    trees("dropped.json", columns[:3] + columns[4:],
          [above(2, 0.5, 8.0)] + [above(3 + k, 0.5, EFFECT[r]) for k, r in enumerate(REGIONS[1:])])
    with open("text.py", "w", encoding="utf-8") as out:
        out.write(TEXT_MODEL % EFFECT)


TEXT_MODEL = """def f(frame):
    effect = %r
    age, children = frame["age"].to_numpy(float), frame["children"].to_numpy(float)
    y = sum(1.0 * (age > 18 + 4 * j) for j in range(12)) + sum(1.75 * (children > j + 0.5) for j in range(5))
    y = y + [8.0 * (s in ("yes", "a")) for s in frame["smoker"]]
    return y + [effect[r.split("-")[-1]] for r in frame["region"]]
"""


if __name__ == "__main__":
    for word in sys.argv[1:]:
        {"insurance": insurance, "rental": rental, "concrete": concrete, "mixer": mixer, "same": same}[word]()
