"""Makes the fonts of the pictures for sharing from the installed packages.

    python3 worker/sharing/fonts/make.py      # with fontTools 4.66 and brotli

The drawing library takes no compressed fonts, no axes, and looks for a missing letter in other families only: so each is
one file of one drawing with Latin, its extensions, and Vietnamese. It prints what they cover.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.merge import Merger, Options
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).resolve().parent
PACKAGES = HERE.parents[2] / "node_modules/@fontsource-variable"
FONTS = {
    "newsreader.ttf": (
        "newsreader/files/newsreader-{}-opsz-normal.woff2",
        ["latin", "latin-ext", "vietnamese"],
        {"opsz": 48, "wght": 500},
    ),
    "instrument-sans.ttf": (
        "instrument-sans/files/instrument-sans-{}-wght-normal.woff2",
        ["latin", "latin-ext"],
        {"wght": 500},
    ),
}


def ranges(points):
    points, start, before = sorted(points), None, None
    for point in [*points, None]:
        if before is not None and point == before + 1:
            before = point
            continue
        if start is not None:
            yield f"{start:X}" if start == before else f"{start:X}-{before:X}"
        start = before = point


for name, (pattern, subsets, axes) in FONTS.items():
    with TemporaryDirectory() as folder:
        parts = []
        for subset in subsets:
            font = TTFont(PACKAGES / pattern.format(subset))
            instantiateVariableFont(font, axes, inplace=True)
            font.flavor = None
            # For menus and for screens; the merger does not take them.
            for table in ("STAT", "GDEF", "gasp", "prep", "fpgm", "cvt "):
                if table in font:
                    del font[table]
            part = Path(folder) / f"{subset}.ttf"
            font.save(part)
            parts.append(str(part))
        merged = Merger(options=Options()).merge(parts)
        merged.save(HERE / name)
        print(name, (HERE / name).stat().st_size, ",".join(ranges(merged.getBestCmap())))
