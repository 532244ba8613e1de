#!/usr/bin/env python3
"""update_images.py BUILD [--data cal_housing.data] [--work DIR] [--only serve]: the pictures
in docs/images.

Makes the pages and figures again and takes them with chromium, at 1200 and at 400 pixels;
also prints them to PDF beside the pages in DIR, to be looked at. Models of the paper are
trained once and kept in DIR. Without --data the California pictures stay as they are;
docs/images/report.png is made by `make readme`. Those of docs/serve.md are taken from the
running program; --only serve takes no others.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import browser  # noqa: E402

IMAGES = ROOT / "docs/images"
FIGURES = {"boston": ["boston-distributions"],
           "california": ["california-distributions"],
           "sinusoid": ["sinusoid-slice", "sinusoid-surface"]}


def run(*command, **options):
    subprocess.run([str(c) for c in command], check=True, **options)


def paper(build, work, name, data):
    """The figures of one experiment."""
    run(build / "gpa", "paper", name, "--work", work, "--out", work / f"{name}.txt",
        *(["--data", data] if data else []))
    for figure in FIGURES[name]:
        shutil.copy(work / "figures" / f"{figure}.svg", IMAGES)


def pages(build, work, data):
    """(name, page) of what is shown as a page."""
    explain = [build / "gpa", "explain", "--csv", "--out", work / "out.csv"]
    run(*explain, "--model", "examples/diabetes/model.json", "--target", "progression",
        "--rows", "10", "--freeze", "age,sex", "--html", work / "diabetes.html",
        "examples/diabetes/spoilt.csv", cwd=ROOT)
    yield "diabetes", work / "diabetes.html"
    run(*explain, "--model", "examples/diabetes/model.json", "--target", "progression",
        "--top", "40", "--html", work / "index.html", "examples/diabetes/spoilt.csv", cwd=ROOT)
    yield "index", work / "index.html"
    if data:
        run(*explain, "--model", "california/model.json", "--target", "MedHouseVal",
            "--top", "3", "--collective", "--html", work / "california.html",
            "california/test.csv", cwd=work)
        yield "california", work / "california.html"


# name: width, height, dark, the state in the address, what is pressed then
SERVED = {
    "serve-answer": (1280, 800, False, "#row=10", None),
    "serve-whatif": (1280, 800, False, "#row=10&set=bmi:24.5&open=bmi", None),
    "serve-together": (1280, 800, False, "#row=10,61,1", None),
    "serve-compare": (1280, 800, True, "#row=10&tab=compare", "#p-compare button"),
    "serve-phone": (390, 844, False, "#row=10&view=answer", None),
}


def served(b, build):
    """The page of `gpa serve`, as it answers."""
    server = subprocess.Popen(
        [str(build / "gpa"), "serve", "--model", "examples/diabetes/model.json", "--target",
         "progression", "--units", "bmi=kg/m²", "--units", "bp=mm Hg", "--reference",
         "examples/diabetes/heldout.csv", "examples/diabetes/spoilt.csv"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().strip()
        for name, (width, height, dark, state, press) in SERVED.items():
            b.width(width, height)
            b.dark(dark)
            b.visit("about:blank")
            b.visit(url + state)
            b.run("(async () => { const rest = () => new Promise(r => setTimeout(r, 400)); do "
                  "await rest(); while (document.getElementById('answer')"
                  ".getAttribute('aria-busy') !== 'false' || "
                  "document.querySelector('#list .v-wait')); await rest(); })()")
            if press:
                b.run(f"(async () => {{ document.querySelector('{press}').click(); do await "
                      "new Promise(r => setTimeout(r, 400)); "
                      "while (!document.querySelector('.methods')); })()")
            b.picture(IMAGES / f"{name}.png")
    finally:
        server.terminate()
        server.wait()
    b.dark(False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--only", choices=["serve"])
    a = parser.parse_args()
    if browser.program() is None:
        sys.exit("update_images.py needs chromium: apt-get install chromium")
    build = a.build.resolve()
    work = (a.work or build / "images").resolve()
    work.mkdir(parents=True, exist_ok=True)
    data = a.data.resolve() if a.data else None
    for name in [] if a.only else FIGURES:
        if name != "california" or data:
            paper(build, work, name, data)
    with browser.Browser() as b:
        served(b, build)
        for name, page in [] if a.only else pages(build, work, data):
            for width, height in (1200, 1130), (400, 1130):
                if (name, width) == ("diabetes", 1200):
                    continue  # that is report.png
                b.width(width)
                b.open(page)
                clip = dict(x=100 if width == 1200 else 0, y=0, scale=1, height=height,
                            width=1000 if width == 1200 else 400)
                b.picture(IMAGES / f"{name}-{width}.png", clip)
            b.width(1200)
            b.pdf(page.with_suffix(".pdf"))
    for image in sorted(IMAGES.iterdir()):
        print(f"{image.stat().st_size / 1000:7.1f} kB  {image.name}")


if __name__ == "__main__":
    main()
