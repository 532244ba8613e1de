"""An SVG as PNG, by whatever there is: librsvg, cairosvg, or matplotlib drawing it again."""
from __future__ import annotations

import shutil
import subprocess
from typing import Any, Callable, Optional

ZOOM = 2  # for screens with fine dots
NEEDED = ("a PNG needs rsvg-convert (Debian's librsvg2-bin), the Rsvg of PyGObject, cairosvg or "
          "matplotlib; .svg needs nothing")


def by_command(svg: str) -> Optional[bytes]:
    program = shutil.which("rsvg-convert")
    if program is None:
        return None
    done = subprocess.run([program, "--format=png", f"--zoom={ZOOM}", "--background-color=white"],
                          input=svg.encode(), capture_output=True, check=True)
    return done.stdout


def by_rsvg(svg: str) -> Optional[bytes]:
    import io

    import cairo
    import gi
    gi.require_version("Rsvg", "2.0")
    from gi.repository import Rsvg
    handle = Rsvg.Handle.new_from_data(svg.encode())
    _, width, height = handle.get_intrinsic_size_in_pixels()
    surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, int(ZOOM * width), int(ZOOM * height))
    context, area = cairo.Context(surface), Rsvg.Rectangle()
    context.set_source_rgb(1, 1, 1)
    context.paint()
    area.width, area.height = ZOOM * width, ZOOM * height
    handle.render_document(context, area)
    out = io.BytesIO()
    surface.write_to_png(out)
    return out.getvalue()


def by_cairosvg(svg: str) -> Optional[bytes]:
    from cairosvg import svg2png
    return svg2png(bytestring=svg.encode(), scale=ZOOM, background_color="white")


def drawn(again: Optional[Callable[[Any], Any]]) -> Optional[bytes]:
    """By matplotlib, from what the picture was made of."""
    import io

    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    if again is None:
        return None
    figure = Figure(constrained_layout=True)
    FigureCanvasAgg(figure)
    again(figure)
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=100 * ZOOM)
    return out.getvalue()


def png(svg: str, again: Optional[Callable[[Any], Any]]) -> bytes:
    """`again` draws the same on a figure of matplotlib."""
    for way in (by_command, by_rsvg, by_cairosvg):
        try:
            found = way(svg)
        except Exception:  # not there, or not fit for it: the next
            continue
        if found:
            return found
    try:
        found = drawn(again)
    except ImportError:
        found = None
    if not found:
        raise ImportError(NEEDED)
    return found
