#!/usr/bin/env python3
"""Makes the mixed tables of `gpa bench planted --tables`, with models and planted faults.

    python3 tables.py tables FOLDER [--seed N] [--plant K]

Six tables as they are met in practice (text, flags, counts, codes, one-hot columns, numbers
that depend on each other, gaps), each with a forest, boosted trees and a polynomial: 18
sets of cases as gpa(1) describes them, with K faults of every kind in each where the table
has such inputs. A fault takes |y - f| beyond 3 sigma; the rows it is planted in are within
the median. Texts stand as the numbers of their levels, whose names are in the description.
Trees are exported, the polynomial stays a scikit-learn Pipeline on frames with text.
All of it is seeded; about.json is written last.
"""
import argparse
import json
import os
import pathlib
import sys
import threading
import time
import warnings

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # sums in one order
    os.environ.setdefault(threads, "1")
import joblib  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import sklearn  # noqa: E402
from sklearn.compose import ColumnTransformer  # noqa: E402
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor  # noqa: E402
from sklearn.impute import SimpleImputer  # noqa: E402
from sklearn.linear_model import Ridge  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import (OneHotEncoder, PolynomialFeatures,  # noqa: E402
                                   StandardScaler)

import export_sklearn  # noqa: E402

TRAIN, NORMAL, UNLABELLED = 900, 700, 200
VISIBLE = 3.0       # sigma
NUMBER, COUNT, FLAG, CHOICE, ONEHOT = "number", "count", "flag", "choice", "onehot"


class Table:
    """Columns of codes and numbers, what each is, and y."""

    def __init__(self, name):
        self.name, self.columns, self.roles, self.levels = name, {}, {}, {}
        self.groups, self.gaps = {}, []

    def add(self, name, role, values):
        self.columns[name], self.roles[name] = np.asarray(values, float), role

    def add_text(self, name, texts, values):
        """Texts as numbers of their levels in alphabetical order."""
        names = sorted(texts)
        codes = np.array([names.index(t) for t in texts])[np.asarray(values, int)]
        self.add(name, FLAG if len(names) == 2 else CHOICE, codes)
        self.levels[name] = names

    def add_onehot(self, name, words, values, drop=False):
        columns = [f"{name}_{w}" for w in words][drop:]
        for column, level in zip(columns, range(int(drop), len(words))):
            self.add(column, ONEHOT, np.asarray(values) == level)
        self.groups[name] = columns

    def finish(self, y, rng):
        """Digits as people write them, and gaps."""
        self.names = list(self.columns)
        self.x = np.column_stack([self.columns[n] for n in self.names])
        for name in self.gaps:
            self.x[rng.random(len(self.x)) < 0.05, self.names.index(name)] = np.nan
        self.y = y
        return self


def insurance(rng, n):
    t = Table("insurance")
    age, region = rng.integers(18, 65, n), rng.choice(4, n, p=[.24, .24, .27, .25])
    bmi = np.round(rng.normal(29 + 0.04 * (age - 40) + 3 * (region == 2), 5.5, n), 1)
    children = np.minimum(rng.poisson(1.1, n), 5)
    smoker = rng.random(n) < 0.21
    plan = rng.choice(3, n, p=[.5, .35, .15])
    t.add("age", NUMBER, age)
    t.add_text("sex", ["female", "male"], rng.random(n) < 0.5)
    t.add("bmi", NUMBER, bmi)
    t.add("children", COUNT, children)
    t.add_text("smoker", ["no", "yes"], smoker)
    t.add_text("region", ["north", "east", "south", "west"], region)
    t.add_text("plan", ["basic", "plus", "full, with dental"], plan)
    y = (230 * age + 2.1 * (age - 18.0) ** 2 + 60 * np.maximum(bmi - 25, 0) + 650 * children
         + smoker * (9500 + 650 * np.maximum(bmi - 26, 0)) + np.array([0, -900, 1900, 400])[region]
         + np.array([0, 1500, 5200])[plan])
    return t.finish(y + 1100 * rng.standard_normal(n), rng)


def rental(rng, n):
    t = Table("rental")
    season, weekday = rng.integers(1, 5, n), rng.integers(0, 7, n)
    holiday = rng.random(n) < 0.06
    working = (weekday < 5) & ~holiday
    hour = rng.integers(6, 24, n)
    temp = np.round(np.array([4, 13, 21, 11])[season - 1] + 4.5 * rng.standard_normal(n)
                    + 3 * np.sin((hour - 9) / 24 * 6.28), 1)
    humidity = np.clip(np.round(68 - 0.9 * (temp - 12) + 11 * rng.standard_normal(n)), 15, 100)
    wind = np.round(rng.gamma(3.0, 4.0, n), 1)
    rush = np.exp(-(hour - 17.0) ** 2 / 45)
    noon = np.exp(-(hour - 13.0) ** 2 / 30)
    t.add("season", COUNT, season)
    t.add("hour", COUNT, hour)
    t.add("weekday", COUNT, weekday)
    t.add("holiday", FLAG, holiday)
    t.add("workingday", FLAG, working)
    t.add("temp", NUMBER, temp)
    t.add("humidity", NUMBER, humidity)
    t.add("windspeed", NUMBER, wind)
    y = (50 + np.where(working, 330 * rush, 260 * noon) + 7.5 * np.clip(temp, -5, 28)
         - 1.1 * (humidity - 60) - 1.5 * wind + 15 * season)
    return t.finish(y + 22 * rng.standard_normal(n), rng)


def cars(rng, n):
    t = Table("cars")
    makes = ["Astra", "Bora", "Corsa", "Delta", "Ypsilon", "Zeta", "Zoë"]
    make = rng.choice(7, n, p=[.22, .2, .17, .14, .12, .1, .05])
    fuel = rng.choice(3, n, p=[.5, .38, .12])
    automatic = rng.random(n) < 0.25 + 0.3 * (fuel == 2)
    year = 2022 - np.minimum(rng.geometric(0.16, n) - 1, 18)
    km = np.round((2023 - year) * rng.gamma(6, 2300, n) * (1 + 0.4 * (fuel == 1)), -2)
    power = np.round(np.array([95, 110, 80, 140, 70, 190, 100])[make] * np.exp(0.16 * rng.standard_normal(n)))
    owners = 1 + np.minimum(rng.poisson((2022 - year) / 6), 5)
    t.add_text("make", makes, make)
    t.add_text("fuel", ["petrol", "diesel", "electric"], fuel)
    t.add_text("gearbox", ["manual", "automatic"], automatic)
    t.add("year", COUNT, year)
    t.add("km", NUMBER, km)
    t.add("power", NUMBER, power)
    t.add("owners", COUNT, owners)
    t.add("serviced", FLAG, rng.random(n) < 0.6)
    new = (np.array([19, 23, 15, 31, 14, 44, 27])[make] + 0.11 * (power - 100) + 3 * automatic
           + np.array([0, 1.5, 9])[fuel])
    y = new * np.exp(-0.085 * (2022 - year) - 1.6e-6 * km) - 0.5 * (owners - 1) + 1.4 * t.columns["serviced"]
    return t.finish(1000 * (y + 0.75 * rng.standard_normal(n)), rng)


def heating(rng, n):
    t = Table("heating")
    kind, side = rng.choice(4, n, p=[.4, .3, .2, .1]), rng.choice(3, n, p=[.5, .3, .2])
    area = np.round(np.array([70, 110, 160, 420])[kind] * np.exp(0.25 * rng.standard_normal(n)), 1)
    height = np.round(2.5 + 0.12 * kind + 0.12 * rng.standard_normal(n), 2)
    outer = np.round(area ** 0.7 * height * 1.9 * np.exp(0.1 * rng.standard_normal(n)), 1)
    glass = np.round(rng.beta(2, 6, n), 2)
    insulated, storeys = rng.random(n) < 0.55, 1 + np.minimum(rng.poisson(0.9, n), 4)
    t.add("area", NUMBER, area)
    t.add("height", NUMBER, height)
    t.add("outer_area", NUMBER, outer)
    t.add("glass", NUMBER, glass)
    t.add_onehot("kind", ["flat", "row", "house", "hall"], kind)
    t.add_onehot("faces", ["south", "west", "north"], side, drop=True)
    t.add("insulated", FLAG, insulated)
    t.add("storeys", COUNT, storeys)
    y = (0.09 * area + outer * (0.10 - 0.055 * insulated) + 26 * glass * (1 + 0.5 * side)
         + np.array([0, 3, 7, -9])[kind] + 1.6 * storeys + 3 * (height - 2.5))
    return t.finish(y + 1.5 * rng.standard_normal(n), rng)


def mill(rng, n):
    """A plant with product grades and sensors that fall silent."""
    t = Table("mill")
    grade, line = rng.choice(5, n, p=[.35, .25, .2, .15, .05]), rng.integers(1, 4, n)
    load = rng.standard_normal(n)
    speed = np.round(410 + 35 * load + 40 * (line == 3) + 10 * rng.standard_normal(n), 1)
    steam = np.round(6.2 + 0.7 * load + 0.25 * rng.standard_normal(n), 2)
    pressure = np.round(95 + 9 * load + 6 * rng.standard_normal(n), 1)
    moisture = np.round(8 + 1.1 * rng.standard_normal(n) - 0.5 * load, 2)
    additive, breaks = 1 + (rng.random(n) < 0.3), np.minimum(rng.poisson(0.8, n), 6)
    t.add_text("grade", ["A1", "A2", "B1", "B2 heavy", "C"], grade)
    t.add("line", COUNT, line)
    t.add("speed", NUMBER, speed)
    t.add("steam", NUMBER, steam)
    t.add("pressure", NUMBER, pressure)
    t.add("moisture", NUMBER, moisture)
    t.add("additive", FLAG, additive)
    t.add("breaks", COUNT, breaks)
    t.gaps = ["steam", "pressure", "moisture", "breaks"]
    y = (0.12 * (speed - 410) + 5.5 * (steam - 6) + 0.30 * (pressure - 95) - 4.2 * np.abs(moisture - 7.5)
         + np.array([0, 6, -5, 13, 22])[grade] + 6.5 * (additive == 2) - 2.6 * breaks + 3.0 * (line - 2))
    return t.finish(120 + y + 2.0 * rng.standard_normal(n), rng)


def flats(rng, n):
    t = Table("flats")
    share = 1 / np.arange(1, 13) ** 0.8
    district = rng.choice(12, n, p=share / share.sum())
    rooms = 1 + np.minimum(rng.poisson(1.6, n), 6)
    area = np.round(14 + 21 * rooms * np.exp(0.17 * rng.standard_normal(n)))
    year = np.minimum(np.round(1968 + 28 * rng.standard_normal(n)), 2023)
    floor = np.minimum(rng.poisson(2.1, n), 9)
    heating_kind = rng.choice(3, n, p=[.6, .3, .1])
    t.add_text("district", ["Altstadt", "Bach", "Chapel", "Dom", "Eiche", "Feld", "Garten", "Hafen",
                            "Insel", "Jagd", "Kolonie", "Linde"], district)
    t.add("rooms", COUNT, rooms)
    t.add("area", NUMBER, area)
    t.add("floor", COUNT, floor)
    t.add("built", NUMBER, year)
    t.add("balcony", FLAG, rng.random(n) < 0.5)
    t.add("lift", FLAG, rng.random(n) < 0.15 + 0.5 * (floor > 3))
    t.add_text("heating", ["central", "floor", "stove"], heating_kind)
    t.add("distance", NUMBER, np.round(rng.gamma(2.2, 1.6, n) + 0.25 * district, 1))
    t.gaps = ["built", "area", "distance"]
    price = (9.5 + np.array([5, 0, 2, 6, -2, -1, 3, 4, 7, -3, 1, 8])[district] + 0.00055 * (year - 1960) ** 2
             - 0.28 * t.columns["distance"] + np.array([0, 1.2, -2.5])[heating_kind])
    y = area * price + 75 * t.columns["balcony"] + 28 * floor * (2 * t.columns["lift"] - 1) + 35 * rooms
    return t.finish(y + 60 * rng.standard_normal(n), rng)


TABLES = (insurance, rental, cars, heating, mill, flats)


# Models: fit(x, y), then predict(x) on rows of codes, and write(folder, name)

class Forest:
    def __init__(self, table):
        self.names = table.names
        self.model = RandomForestRegressor(40, min_samples_leaf=2, max_features=0.6, random_state=1)

    def fit(self, x, y):
        self.middle = np.nanmedian(x, axis=0)
        self.model.fit(self.filled(x), y)

    def filled(self, x):
        return np.where(np.isnan(x), self.middle, x)

    def predict(self, x):
        return self.model.predict(self.filled(x))

    def content(self):
        """A gap goes where the median, which stands for it, would go."""
        content = export_sklearn.export(self.model)
        for tree in content["trees"]:
            tree["missing_left"] = [int(k >= 0 and np.float32(self.middle[k]) <= t)
                                    for k, t in zip(tree["feature"], tree["threshold"])]
        return content

    def write(self, path):
        export_sklearn.write({**self.content(), "variables": self.names}, f"{path}.json")
        return f"{path.name}.json"


class Boosting(Forest):
    def __init__(self, table):
        self.names = table.names
        self.model = HistGradientBoostingRegressor(max_iter=150, max_leaf_nodes=12, min_samples_leaf=8,
                                                   learning_rate=0.08, random_state=1)

    def filled(self, x):
        return x

    def content(self):
        return export_sklearn.export(self.model)


class Polynomial:
    def __init__(self, table):
        self.table = table
        text = [n for n in table.names if n in table.levels]
        rest = [n for n in table.names if n not in text]
        first = ColumnTransformer([
            ("text", OneHotEncoder(handle_unknown="ignore", sparse_output=False), text),
            ("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), rest)])
        self.model = make_pipeline(first, PolynomialFeatures(2, include_bias=False), Ridge(alpha=2.0))

    def frame(self, x):
        columns = {}
        for k, name in enumerate(self.table.names):
            texts = self.table.levels.get(name)
            columns[name] = x[:, k] if texts is None else np.array(texts, object)[x[:, k].astype(int)]
        return pd.DataFrame(columns)

    def fit(self, x, y):
        self.model.fit(self.frame(x), y)

    def predict(self, x):
        return self.model.predict(self.frame(x))

    def write(self, path):
        joblib.dump(self.model, f"{path}.joblib")
        return f"{path.name}.joblib"


MODELS = {"forest": Forest, "boosting": Boosting, "polynomial": Polynomial}


# Faults

class Planter:
    def __init__(self, table, model, rng):
        self.table, self.model, self.rng = table, model, rng
        self.x, self.y = table.x[TRAIN:], table.y[TRAIN:]
        self.f = model.predict(self.x)
        self.sigma = float(np.std(self.y - self.f))
        off = np.abs(self.y - self.f)
        self.normal = np.flatnonzero(off <= np.median(off))
        low, high = np.nanpercentile(self.x, [25, 75], axis=0)
        spread = (high - low) / 1.349
        self.unit = np.where(spread > 0, spread, np.maximum(np.nanstd(self.x, axis=0), 1e-9))
        self.values = [np.unique(c[~np.isnan(c)]) for c in self.x.T]
        self.cases = []

    def having(self, *roles):
        return [k for k, n in enumerate(self.table.names) if self.table.roles[n] in roles]

    def other_value(self, k, x):
        return self.rng.choice(self.values[k][self.values[k] != x[k]])

    def spoil_flag(self, k, x):
        x[k] = self.other_value(k, x)

    def spoil_level(self, k, x):
        """Another level; of a one-hot group, all columns."""
        name = self.table.names[k]
        if self.table.roles[name] == CHOICE:
            x[k] = self.other_value(k, x)
            return
        group = next(g for g in self.table.groups.values() if name in g)
        columns = [self.table.names.index(g) for g in group]
        rows = np.unique(self.x[:, columns], axis=0)
        x[columns] = self.rng.choice(rows[(rows != x[columns]).any(1)])

    def spoil_count(self, k, x):
        """Another count that occurs, some steps off."""
        low, high = self.values[k][[0, -1]]
        step = self.rng.integers(1, max(2, int(high - low) // 2 + 1)) * self.rng.choice([-1, 1])
        x[k] = np.clip(x[k] + step, low, high)

    def spoil_countgross(self, k, x):
        """A digit too many, or a count that was never seen."""
        high = self.values[k][-1]
        x[k] = 10 * x[k] if x[k] > 0 and self.rng.random() < 0.5 else high + self.rng.integers(2, 20)

    def spoil_gross(self, k, x):
        move = self.unit[k] * self.rng.uniform(4, 12) * self.rng.choice([-1, 1])
        can_be_negative = self.values[k][0] < 0
        x[k] = round(x[k] + (move if can_be_negative or x[k] + move >= 0 else -move), 3)

    def spoil_x10(self, k, x):
        x[k] = x[k] * 10 if self.rng.random() < 0.5 else x[k] / 10

    def spoil_swap(self, k, x):
        x[k] = self.rng.choice(self.x[~np.isnan(self.x[:, k]), k])

    def spoil_missing(self, k, x):
        x[k] = np.nan

    KINDS = {"flag": (FLAG,), "level": (CHOICE, ONEHOT), "count": (COUNT,), "countgross": (COUNT,),
             "gross": (NUMBER,), "x10": (NUMBER,), "swap": (NUMBER,)}

    def candidates(self, kind, tries, bystander):
        """Spoilt rows of a kind, with their sources and culprits."""
        able = self.having(*self.KINDS[kind]) if kind in self.KINDS else [
            self.table.names.index(n) for n in self.table.gaps]
        rows, sources, culprits = [], [], []
        gaps = [self.table.names.index(n) for n in self.table.gaps]
        for _ in range(tries if able else 0):
            i, k = self.rng.choice(self.normal), self.rng.choice(able)
            x = self.x[i].copy()
            if np.isnan(x[k]) or (np.isnan(x).any() and not self.table.gaps):
                continue
            getattr(self, "spoil_" + kind)(k, x)
            if bystander:
                others = [g for g in gaps if g != k]
                if not others:
                    continue
                x[self.rng.choice(others)] = np.nan
            elif kind != "missing" and np.isnan(x).any():
                continue
            rows.append(x)
            sources.append(i)
            culprits.append(k)
        return np.array(rows), np.array(sources), np.array(culprits)

    def plant_inputs(self, kind, wanted, bystander=False):
        x, source, who = self.candidates(kind, 100 + 75 * wanted, bystander)
        if not len(x):
            return
        f = self.model.predict(x)
        shows = np.flatnonzero(np.abs(self.y[source] - f) > VISIBLE * self.sigma)
        used = set()
        for c in shows:
            if len(used) == wanted:
                break
            if source[c] in used or (bystander and not self.still_normal(x[c], source[c], who[c])):
                continue
            used.add(source[c])
            self.cases.append(("bystander" if bystander else kind, x[c], self.y[source[c]], [who[c]], source[c]))

    def still_normal(self, x, source, k):
        """With the culprit as it was, the gap beside it leaves the row normal."""
        mended = self.whole(x, source, k)
        return abs(self.y[source] - self.model.predict(mended[None])[0]) < 2 * self.sigma

    def whole(self, x, source, k):
        mended = x.copy()
        name = self.table.names[k]
        group = next((g for g in self.table.groups.values() if name in g), [name])
        for column in group:
            j = self.table.names.index(column)
            mended[j] = self.x[source, j]
        return mended

    def plant_output(self, kind, wanted):
        made = 0
        while made < wanted:
            i = self.rng.choice(self.normal)
            if np.isnan(self.x[i]).any():
                continue
            y = (self.rng.choice(self.y) if kind == "outrow" else
                 self.y[i] + self.sigma * self.rng.uniform(3, 9) * self.rng.choice([-1, 1]))
            if abs(y - self.f[i]) > VISIBLE * self.sigma:
                self.cases.append((kind, self.x[i], y, [], i))
                made += 1

    def plant(self, wanted):
        for kind in self.KINDS:
            self.plant_inputs(kind, wanted)
        if self.table.gaps:
            self.plant_inputs("missing", 2 * wanted)
            for kind in ("flag", "level", "gross", "count"):
                self.plant_inputs(kind, (wanted + 1) // 2, bystander=True)
        self.plant_output("out", wanted)
        self.plant_output("outrow", wanted)


def cell(v):
    return "" if np.isnan(v) else f"{v:.17g}"


def write_cases(path, planter):
    names = planter.table.names
    head = ["case", "kind", "row", "N", "y", "culprits", *("x_" + n for n in names),
            *("dtrue_" + n for n in names), "source"]
    with open(f"{path}.csv", "w", newline="\n", encoding="utf-8") as out:
        out.write(",".join(head) + "\n")
        for number, (kind, x, y, who, source) in enumerate(planter.cases):
            repair = np.zeros(len(names))
            for k in who:
                moved = planter.whole(x, source, k) - x
                repair = np.where(np.isnan(moved), 0.0, moved)
            line = [str(number), kind, "0", "1", f"{y:.17g}", ";".join(map(str, who)),
                    *map(cell, x), *map(cell, repair), str(TRAIN + source)]
            out.write(",".join(line) + "\n")


def write_batch(path, planter):
    with open(f"{path}.batch.csv", "w", newline="\n", encoding="utf-8") as out:
        out.write(",".join(["row", *planter.table.names]) + "\n")
        for i in range(UNLABELLED):
            out.write(",".join([str(TRAIN + i), *map(cell, planter.x[i])]) + "\n")


def write_set(folder, planter, kind):
    table, name = planter.table, f"{planter.table.name}-{kind}"
    model_file = planter.model.write(folder / f"{name}.model")
    write_cases(folder / name, planter)
    write_batch(folder / name, planter)
    spread = float(np.var(planter.f))
    meta = {"set": name, "variables": table.names, "scale": planter.unit.tolist(),
            "sigma_yf": planter.sigma, "levels": table.levels, "groups": table.groups,
            "model": model_file, "python": sys.executable, "r2": 1 - planter.sigma ** 2 / (spread + planter.sigma ** 2)}
    with open(folder / f"{name}.meta.json", "w", encoding="utf-8") as out:
        json.dump(meta, out, indent=1)


def watch(parent):
    """Nobody waits any more: what is half made is removed by whoever called this."""
    while True:
        try:
            os.kill(parent, 0)
        except OSError:
            os._exit(1)
        time.sleep(0.2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("set", choices=["tables"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plant", type=int, default=3)
    parser.add_argument("--parent", type=int, help="end when this process does")
    args = parser.parse_args()
    if args.parent:
        threading.Thread(target=watch, args=(args.parent,), daemon=True).start()
    warnings.filterwarnings("ignore")
    args.folder.mkdir(parents=True, exist_ok=True)
    for number, make in enumerate(TABLES):
        table = make(np.random.default_rng([args.seed, number]), TRAIN + NORMAL)
        for i, (kind, fresh) in enumerate(MODELS.items()):
            model = fresh(table)
            model.fit(table.x[:TRAIN], table.y[:TRAIN])
            planter = Planter(table, model, np.random.default_rng([args.seed, number, i]))
            planter.plant(args.plant)
            write_set(args.folder, planter, kind)
    about = {"seed": args.seed, "plant": args.plant, "sets": len(TABLES) * len(MODELS),
             "sklearn": sklearn.__version__, "numpy": np.__version__}
    (args.folder / "about.json").write_text(json.dumps(about, indent=1) + "\n", "ascii")


if __name__ == "__main__":
    main()
