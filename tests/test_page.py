#!/usr/bin/env python3
"""test_page.py ROOT BUILD: pages of `gpa explain --html`, looked at by a real browser.

Text keeps clear of text and of the edges at every width, nothing is asked of the network,
names that are HTML stay names, hundreds of explanations can be sorted, filtered and folded,
and without scripts the page is complete. Needs chromium; without it everything is skipped.
"""
import contextlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import browser  # noqa: E402

if browser.program() is None:
    print("SKIP: no chromium: pages are NOT checked in a browser")
    sys.exit(77)

MANY = 500  # explanations in the largest page
ROOT, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])

# Texts of the pictures that are seen: outside of their picture, or on top of each other.
LAYOUT = """(() => {
  const bad = [];
  for (const svg of document.querySelectorAll('svg.gpa-plot')) {
    const box = svg.getBoundingClientRect();
    if (box.width === 0) continue;
    const texts = [...svg.querySelectorAll('text')].map(e => {
      const r = e.getBoundingClientRect();
      const node = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join('');
      return {r, node};
    });
    texts.forEach(({r, node}, i) => {
      if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 ||
          r.bottom > box.bottom + 1)
        bad.push('outside: ' + node);
      for (const other of texts.slice(i + 1)) {
        const w = Math.min(r.right, other.r.right) - Math.max(r.left, other.r.left);
        const h = Math.min(r.bottom, other.r.bottom) - Math.max(r.top, other.r.top);
        if (w > 1 && h > 3) bad.push('overlap: ' + node + ' / ' + other.node);
      }
    });
  }
  const page = document.scrollingElement;
  if (page.scrollWidth > innerWidth) bad.push('wider than the window: ' + page.scrollWidth);
  for (const e of document.querySelectorAll('h1,h2,h3,p,dd,summary,figcaption,pre')) {
    const style = getComputedStyle(e);
    if (e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1 && style.overflowX !== 'auto')
      bad.push('clipped: ' + e.textContent.slice(0, 60));
  }
  return bad;
})()"""

# Every element with its attributes' names and its class, in order; and those inside of
# pictures, where long names leave room for fewer numbers, as a set.
SKELETON = """(() => {
  const kind = e => e.localName + '.' + (e.getAttribute('class') || '') + '[' +
                    [...e.attributes].map(a => a.name).sort().join() + ']';
  const all = [...document.querySelectorAll('*')];
  const inside = e => e.closest('svg.gpa-plot') !== null && !e.matches('svg.gpa-plot');
  return [all.filter(e => !inside(e)).map(kind),
          [...new Set(all.filter(inside).map(kind))].sort()];
})()"""


class Failed(Exception):
    pass


def want(truth, *words):
    if not truth:
        raise Failed(" ".join(str(w) for w in words))


def run(*arguments, cwd=None):
    done = subprocess.run([f"{BUILD}/gpa", *map(str, arguments)], cwd=cwd,
                          env=dict(os.environ, LC_ALL="C.UTF-8"), capture_output=True,
                          encoding="utf-8")
    want(done.returncode == 0, arguments, done.stderr)
    return done.stdout


class Data:
    """Rows, a network that predicts them, and faults in some rows."""

    def __init__(self, folder, names, n, target="y", ids=None, model="model.json",
                 faults=8, seed=1):
        rng = random.Random(seed)
        d = len(names)
        hidden = min(12, d + 2)
        w = [[rng.gauss(0, 1) / d ** .5 for _ in range(hidden)] for _ in range(d)]
        v = [rng.gauss(0, 1) for _ in range(hidden)]
        x = [[rng.gauss(20 + k, 1 + k % 5) for k in range(d)] for _ in range(n)]

        def f(row):
            return sum(max(0, sum(row[k] * w[k][j] for k in range(d))) * v[j]
                       for j in range(hidden))
        y = [f(row) + rng.gauss(0, .2) for row in x]
        for i in rng.sample(range(n), min(faults, n)):
            x[i][rng.randrange(d)] += rng.choice((-9, 9))
        self.model = folder / model
        self.model.write_text(json.dumps(
            {"type": "mlp", "activation": "relu",
             "layers": [{"W": w, "b": [0] * hidden}, {"W": [[a] for a in v], "b": [0]}]}))
        self.file = folder / "rows.csv"
        head = names + [target] if ids is None else ["id"] + names + [target]
        with open(self.file, "w", encoding="utf-8", newline="") as out:
            out.write(",".join(quoted(name) for name in head) + "\r\n")
            for i in range(n):
                cells = [f"{a:.4g}" for a in x[i] + [y[i]]]
                out.write(",".join(([quoted(ids[i])] if ids else []) + cells) + "\r\n")
        self.options = ["--id", "id"] if ids else []
        self.folder = folder

    def page(self, *options):
        page = self.folder / "page.html"
        run("explain", "--model", self.model.name, *self.options, *options,
            "--html", page.name, "--csv", "--out", "out.csv", self.file.name,
            cwd=self.folder)
        return page


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory(prefix="gpa-page-") as name:
        yield pathlib.Path(name)


def check_layout(b, page, name):
    """At both widths, and that the browser had nothing to object to."""
    for width in 1200, 400:
        b.width(width)
        b.open(page)
        b.run("document.querySelectorAll('details').forEach(e => { e.open = true; })")
        bad = b.run(LAYOUT)
        want(not bad, f"{name} at {width} pixels:", *bad[:5])
        want(b.run("document.querySelectorAll('svg.gpa-plot').length") >= 2, name)
    want(not b.complaints(), name, b.complaints())


def demo(b):
    """The outlier of the demo: all kinds of pictures, axes with units, print, dark."""
    with folder() as work:
        page = work / "page.html"
        data = ROOT / "examples/diabetes"
        run("explain", "--model", data / "model.json", "--target", "progression",
            "--rows", "10", "--html", page, "--out", work / "table", data / "spoilt.csv")
        check_layout(b, page, "demo")
        b.width(1200)
        labels = b.run("[...document.querySelectorAll('.wide text')]"
                       ".map(e => e.textContent)")
        for label in ("change, in units of the input's spread", "prediction",
                      "90 % of the data, and how often", "would look normal", "progression", "anomaly score", "row", "bmi"):
            want(label in labels, f"no axis says {label}")
        pictures = b.run("[...document.querySelectorAll('.wide > svg > title')]"
                         ".map(e => e.textContent)")
        want(pictures == ["The prediction along each input",
                          "Distribution of each input's change", "Inputs against the outcome",
                          "Anomaly scores"], pictures)
        check_answer(b, page)
        want(b.run("document.querySelectorAll('figure').length") ==
             b.run("document.querySelectorAll('figure > figcaption').length"), "captions")
        b.pdf(work / "page.pdf")
        sheets = len(re.findall(rb"/Type\s*/Page\b", (work / "page.pdf").read_bytes()))
        want(2 <= sheets <= 12, f"{sheets} sheets of paper")
        check_dark(b, page)


def check_answer(b, page):
    """Sentence and table on one screen, everything else folded; the profile of bmi is in
    its own values: 51.4 now, no number below 0."""
    b.open(page)
    bottom = b.run("document.querySelector('.who').getBoundingClientRect().bottom")
    want(bottom < 900, f"the table ends at {bottom}")
    want(b.run("document.querySelectorAll('.case details[open]').length") == 0, "unfolded")
    want(b.run("document.querySelector('.who tbody tr').className") == "first", "first")
    marks = b.run("['h', 'i', 'o', 'n'].map(c => "
                  "document.querySelectorAll('.who .first .strip .' + c).length)")
    want(marks == [1, 1, 1, 1], "histogram, interval, now, normal:", marks)
    ticks = b.run("""(() => { const all = [...document.querySelectorAll(
        '.wide svg')].find(e => e.textContent.includes('The prediction along'))
        .querySelectorAll('text');
      return [...all].map(e => e.textContent); })()""")
    ticks = ticks[:ticks.index("bmi")]
    want("50" in ticks and not any("\u2212" in text for text in ticks), ticks)
    b.width(360)
    b.open(page)
    want(b.run("document.scrollingElement.scrollWidth") <= 360, "wider than a phone")
    b.width(1200)
    b.open(page)


def kinds(b):
    """Flags, choices of many levels, one-hot groups, gaps and dates."""
    with folder() as work:
        subprocess.run([BUILD / "tests/test_report_kinds", "--write", work], check=True,
                       timeout=60)
        page = work / "mixed.html"
        check_layout(b, page, "kinds")
        b.width(1200)
        b.open(page)
        shown = b.run("[...document.querySelectorAll('.wide text')].map(e => "
                      "[...e.childNodes].filter(n => n.nodeType === 3)"
                      ".map(n => n.data).join(''))")
        for text in ("smoker", "no", "yes", "=west", "52 others", "\u2192 south", "stays",
                     "load"):
            want(text in shown, f"no picture says {text}")
        notes = b.run("[...document.querySelectorAll('header .note')]"
                      ".map(e => e.textContent)")
        want(notes == ["taken as: children whole numbers 0-5; region one of 4",
                       "the model is off by 20 on average"], notes)
        want(b.run("document.querySelector('.who tbody tr').textContent")
             .startswith("smoker72\u00a0%yesno"), "the first suspect")
        want(b.run("document.body.textContent").count("off by 20 on average") == 1, "note")
        check_dark(b, page)


def check_dark(b, page):
    """Text and its background change places; both stay far apart."""
    seen = []
    for dark in False, True:
        b.dark(dark)
        b.open(page)
        seen.append(b.run("""(() => {
          const light = colour => { const c = colour.match(/[\\d.]+/g).map(Number);
            return (.299 * c[0] + .587 * c[1] + .114 * c[2]) / 255; };
          const style = e => getComputedStyle(document.querySelector(e));
          return [light(style('.case').backgroundColor), light(style('h2').color),
                  light(style('.wide svg text').fill), light(style('td').color)];
        })()"""))
    b.dark(False)
    paper, *inks = seen[0]
    want(paper > .9 and max(inks) < .5, "light:", seen[0])
    paper, *inks = seen[1]
    want(paper < .2 and min(inks) > .6, "dark:", seen[1])


def sizes(b):
    """One input and two hundred; names of sixty letters, wide and narrow ones."""
    with folder() as work:
        check_layout(b, Data(work, ["only"], 60).page(), "one input")
    with folder() as work:
        names = [f"input number {k:03d}" for k in range(200)]
        check_layout(b, Data(work, names, 60).page("--top", "2"), "200 inputs")
        want(b.run("document.querySelectorAll('#case-0 table:not(.who) tbody tr').length")
             >= 200, "an input is missing")
    with folder() as work:
        names = [("W" if k % 2 else "il") * 60 for k in range(8)]
        names = [name[:57] + f" {k:02d}" for k, name in enumerate(names)]
        check_layout(b, Data(work, names, 60, target="M" * 60).page("--top", "2"),
                     "names of 60 letters")
    with folder() as work:
        check_layout(b, Data(work, ["a", "b", "c"], 60).page("--top", "5", "--collective"),
                     "collective")
    with folder() as work:
        page = Data(work, ["a", "b"], 60).page("--culprit", "off", "--marginals", "none")
        check_layout(b, page, "bare")


HOSTILE = [
    "<script>window.pwned=1</script>", "</td></tr></table><h1>", "\" onmouseover=\"pwned=1",
    "' onload='pwned=1", "<img src=x onerror=pwned=1>", "</title></style><b>", "&lt;b&gt;",
    "\U0001F600\U0001F468\u200d\U0001F469", "\u062f\u0631\u062c\u0629 \u062d\u0631", "\u202egnp.exe",
    "=HYPERLINK(\"http://x\")", "\x1b[31mred\x1b]0;t\x07", "]]><!--", "javascript:pwned=1",
    "a" * 10000, "<svg onload=pwned=1>" * 500, "e\u0301\u0301\u0301\u0301\u0301\u0301",
    "{{7*7}}${7*7}",
]


def hostile(b):
    """Names of inputs, rows, the outcome and the model that want to be something else."""
    n = 40
    with folder() as work, folder() as twin:
        evil = Data(work, HOSTILE, n, target="<iframe src=//x>",
                    ids=[HOSTILE[i % len(HOSTILE)][:300] for i in range(n)],
                    model="<img src=x onerror=pwned=1>.json")
        plain = Data(twin, [f"x{k}" for k in range(len(HOSTILE))], n, target="y",
                     ids=[f"r{i}" for i in range(n)], model="plain.json")
        b.width(1200)
        b.open(plain.page("--top", "20"))
        expected, kinds = b.run(SKELETON)
        page = evil.page("--top", "20")
        b.open(page)
        got, got_kinds = b.run(SKELETON)
        for i, (a, c) in enumerate(zip(expected, got)):
            want(a == c, f"element {i} is {c}, not {a}")
        want(len(expected) == len(got), len(expected), "elements expected,", len(got))
        want(set(got_kinds) == set(kinds), set(got_kinds) ^ set(kinds))
        want(b.run("typeof window.pwned") == "undefined", "a name was run")
        want(b.run("document.scripts.length") == 1, "scripts")
        want(not b.complaints(), b.complaints())
        text = b.run("document.body.textContent")
        for name in HOSTILE[:7] + HOSTILE[12:14]:
            want(name in text, f"{name!r} is not in the page")
        want("\x1b" not in text and "\u202e" not in text, "a control character")
        b.run("document.querySelectorAll('details').forEach(e => { e.open = true; })")
        b.run("document.querySelectorAll('*').forEach(e => "
              "e.dispatchEvent(new MouseEvent('mouseover')))")
        want(b.run("typeof window.pwned") == "undefined", "a name was run")
        bad = [x for x in b.run(LAYOUT) if not x.startswith("overlap")]
        want(not bad, *bad[:5])
        check_policy(b)
        table = run("explain", "--model", evil.model.name, "--id", "id", "--top", "20",
                    "--color", "never", evil.file.name, cwd=work)
        odd = {c for c in table if c != "\n" and (c < " " or "\x7f" <= c < "\xa0")}
        want(not odd and "\u202e" not in table, "the terminal gets", odd)
        want(max(len(line) for line in table.split("\n")) < 120, "a line without end")


def check_policy(b):
    """What is put into the page later is held back by its policy."""
    got = b.run("""(async () => {
      const refused = new Set();
      document.addEventListener('securitypolicyviolation',
                                e => refused.add(e.effectiveDirective));
      const add = (tag, set) => { const e = document.createElement(tag); set(e);
                                  document.body.append(e); return e; };
      add('script', e => { e.textContent = 'window.injected = 1'; });
      add('style', e => { e.textContent = 'h1{color:rgb(1,2,3)}'; });
      add('img', e => { e.src = 'http://127.0.0.1:9/x.png'; });
      add('iframe', e => { e.src = 'http://127.0.0.1:9/'; });
      await fetch('http://127.0.0.1:9/').catch(() => 0);
      for (let i = 0; i < 100 && (i < 4 || refused.size < 5); i++)
        await new Promise(r => setTimeout(r, 50));
      return [[...refused].sort(), typeof window.injected,
              getComputedStyle(document.querySelector('h1')).color];
    })()""")
    want(got[0] == ["connect-src", "frame-src", "img-src", "script-src-elem",
                    "style-src-elem"], got[0])
    want(got[1] == "undefined" and got[2] != "rgb(1, 2, 3)", got)


def many(b):
    """Many explanations of 20 inputs."""
    with folder() as work:
        data = Data(work, [f"sensor {k:02d}" for k in range(20)], MANY + 20, faults=60)
        page = data.page("--top", MANY)
        size = page.stat().st_size
        want(size < 8e6, f"{size} bytes")
        b.width(1200)
        loaded = b.open(page)
        print(f"{MANY} explanations of 20 inputs: {size / 1e6:.1f} MB, in the browser after "
              f"{loaded:.1f} s")
        want(not b.complaints(), b.complaints())
        check_summary(b)
        check_sorting(b)
        b.ask("Emulation.setScriptExecutionDisabled", value=True)
        b.open(page)
        want(b.run("document.querySelectorAll('.tools').length") == 0, "scripts are off")
        want(b.run("document.querySelectorAll('details.case').length") == MANY, "cases")
        x, y = b.run("(() => { const s = document.querySelector('#case-1 > summary'); s.scrollIntoView();"
                     " const r = s.getBoundingClientRect(); return [r.left + 40, r.top + 9]; })()")
        for kind in "mousePressed", "mouseReleased":
            b.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                  clickCount=1)
        want(b.run("document.querySelector('#case-1').open"), "does not unfold")
        b.ask("Emulation.setScriptExecutionDisabled", value=False)


def whole_table(b):
    """Every row of a table: the worst come first, and have their pictures."""
    with folder() as work:
        b.open(Data(work, ["a", "b", "c"], 60, faults=3).page("--all"))
        scores = b.run("[...document.querySelectorAll('.case')].map(e => +e.dataset.score)")
        rows = b.run("[...document.querySelectorAll('.case')].map(e => +e.dataset.row)")
        want(len(rows) == 60 and sorted(rows) != rows, "in the order of the table")
        want(scores == sorted(scores, reverse=True), "not the worst first")
        want(b.run("document.querySelector('.case').querySelectorAll('.gpa-plot').length") > 1,
             "the worst has no pictures")


def check_summary(b):
    """Which inputs how often, which verdicts; it stands above the cases."""
    counts = b.run("[...document.querySelectorAll('.sum .who tbody .p')]"
                   ".map(e => +e.textContent)")
    said = [int(n) for n in re.findall(r"\d+", b.run(
        "document.querySelector('.sum h2').textContent"))]
    want(said[0] == MANY and sum(said[1:]) == MANY, said)
    want(len(counts) >= 3 and sum(counts) >= MANY - 60, counts)
    want(b.run("document.querySelector('.sum').getBoundingClientRect().bottom < "
               "document.querySelector('.tools').getBoundingClientRect().top"), "order")
    ways = b.run("document.querySelector('.sum .who .first .nn').textContent")
    want("too high" in ways or "too low" in ways, ways)


def check_sorting(b):
    rows = "[...document.querySelectorAll('details.case')]"
    seen = f"{rows}.filter(e => !e.hidden)"

    def press(text):
        b.run("[...document.querySelectorAll('.tools button')]"
              f".find(e => e.textContent === {json.dumps(text)}).click()")

    def values(name):
        return [float(v) for v in b.run(f"{rows}.map(e => e.dataset.{name})")]
    want(b.run(f"{rows}.filter(e => e.open).length") == 0, "many cases are folded")
    want(values("index") == list(range(MANY)), "order")
    press("by row")
    want(values("row") == sorted(values("row")), "by row")
    press("by score")
    want(values("score") == sorted(values("score"), reverse=True), "by score")
    press("by probability")
    want(values("sure") == sorted(values("sure"), reverse=True), "by probability")
    press("by verdict")
    want(values("kind") == sorted(values("kind"), reverse=True), "by verdict")
    press("as found")
    want(values("index") == list(range(MANY)), "as found")
    b.run("(() => { const e = document.querySelector('.tools input'); "
          "e.value = ' NOTHING unusual'; e.dispatchEvent(new Event('input')); })()")
    shown = b.run(f"{seen}.map(e => e.firstElementChild.textContent)")
    want(0 < len(shown) < MANY, len(shown))
    want(all("Nothing unusual" in text for text in shown), "filtered")
    want(b.run("document.querySelector('.tools span').textContent") ==
         f"{len(shown)} of {MANY}", "count")
    press("open all")
    want(b.run(f"{rows}.filter(e => e.open).length") == len(shown), "open all")
    press("fold all")
    want(b.run(f"{rows}.filter(e => e.open).length") == 0, "fold all")
    b.run("location.hash = '#case-477'")
    time.sleep(.2)
    want(b.run("document.querySelector('#case-477').open"), "a link unfolds")


def main():
    failed = 0
    with browser.Browser() as b:
        for check in demo, kinds, sizes, hostile, whole_table, many:
            try:
                check(b)
                print(f"ok - {check.__doc__.splitlines()[0]}")
            except Failed as e:
                failed += 1
                print(f"not ok - {check.__doc__.splitlines()[0]}\n  {e}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
