"""Makes the site's fonts from the installed packages (README.md beside this file).

    python3 src/ui/fonts/make.py      # with fontTools 4.66 and brotli
"""

import re
from pathlib import Path
from types import SimpleNamespace

from fontTools import varLib
from fontTools.designspaceLib import AxisDescriptor, DesignSpaceDocument, SourceDescriptor
from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).resolve().parent
PACKAGES = HERE.parents[2] / "node_modules/@fontsource-variable"
ROMAN = PACKAGES / "newsreader/files/newsreader-latin-opsz-normal.woff2"
ITALIC = PACKAGES / "newsreader/files/newsreader-latin-opsz-italic.woff2"
SANS = PACKAGES / "instrument-sans/files/instrument-sans-latin-wght-normal.woff2"

# Running text, and what it becomes along each axis: three drawings of the package's, and what lies between them.
TEXT = {"opsz": 16, "wght": 400}
NEWSREADER = [
    ("wght", (400, 600), {"opsz": 16, "wght": 600}),
    ("opsz", (16, 48), {"opsz": 48, "wght": 460}),
]

# As the `unicode-range`s in fonts.css: what English is written in, and what it borrows.
LETTERS = "20-22,24-29,2B-3B,3F-5A,61-7A,7C,A0,A9,B7,D7,2013,2014,2018,2019,201C,201D,2026"
MORE = "23,2A,3C-3E,5B-60,7B,7D-7E,AB,BB,C9,E0-E2,E4,E5,E7-EB,ED,EF,F1,F3,F4,F6,F8,FA,FC,2022,2212"
# Copyright, family, style and PostScript name.
NAMES = [0, 1, 2, 6]
FEATURES = ["kern", "liga", "tnum", "pnum"]
# To the em. A point is at most 0.1 px from where it was drawn in the largest headline, and 0.06 px in what is small.
HEADLINES = 400
SMALL = 250
# Pairs are moved in steps, a hundredth of an em or a little less, 0.2 px in running text: finer ones cost a third of the
# file.
STEPS = 100
# What is moved: letters, ligatures and what stands beside them. Figures keep their place in a column.
KERNED_MARKS = set(". , : ; … - – — ‘ ’ “ ” ' \" ( ) ! ?".split())


def fixed(source, axes, letters, units):
    font = TTFont(source)
    cut(font, letters)
    instantiateVariableFont(font, axes, inplace=True)
    scale_upem(font, units)
    kern_coarsely(font, units // STEPS)
    # For menus of fonts.
    del font["STAT"]
    return font


def variable(source, default, axes, letters):
    """A font of these drawings alone: half the size of the same stretch of the package's, which has more between."""
    space = DesignSpaceDocument()
    start = {tag: lowest for tag, (lowest, _), _ in axes}
    add_drawing(space, fixed(source, default, letters, HEADLINES), start)
    substitutions = space.sources[0].font["GSUB"]
    for tag, (lowest, highest), drawing in axes:
        space.addAxis(
            AxisDescriptor(tag=tag, name=tag, minimum=lowest, default=lowest, maximum=highest)
        )
        drawn = fixed(source, drawing, letters, HEADLINES)
        kerning = drawn["GPOS"]
        add_drawing(space, drawn, {**start, tag: highest})
    for drawing in space.sources:
        for table in {"GPOS", "GSUB", "GDEF"} & set(drawing.font.keys()):
            del drawing.font[table]
    font, _, _ = varLib.build(space, exclude=["MVAR", "STAT"])
    font["GSUB"] = substitutions
    # The headlines', where it is seen; in running text the difference is a fifth of a pixel.
    font["GPOS"] = kerning
    return font


def add_drawing(space, font, location):
    space.addSource(SourceDescriptor(name=str(location), font=font, location=location))


def cut(font, letters):
    options = Options(hinting=False, layout_features=FEATURES, name_IDs=NAMES)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(letters))
    subsetter.subset(font)


def kern_coarsely(font, step):
    pairs = [table for table in positionings(font) if type(table).__name__ == "PairPos"]
    kerned = SimpleNamespace(glyphs=kerned_glyphs(font))
    for table in pairs:
        table.subset_glyphs(kerned)
    by_class = [table for table in pairs if table.Format == 2]
    for table in by_class:
        table.ValueFormat1 = 4
        for left in table.Class1Record:
            for right in left.Class2Record:
                keep_advance(right.Value1, step)
    for table in pairs:
        if table.Format == 1:
            keep_exceptions(table, by_class, step)


def kerned_glyphs(font):
    letters = {
        glyph
        for code, glyph in font.getBestCmap().items()
        if chr(code).isalpha() or chr(code) in KERNED_MARKS
    }
    ligatures = {glyph for glyph in font.getGlyphOrder() if re.fullmatch("f_?[fil](_[il])?", glyph)}
    return letters | ligatures


def positionings(font):
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            yield getattr(table, "ExtSubTable", table)


def keep_exceptions(table, by_class, step):
    """Pairs of their own stay where their classes would move them by more than a step otherwise."""
    table.ValueFormat1 = 4
    kept = []
    for left, pairs in zip(table.Coverage.glyphs, table.PairSet):
        for pair in pairs.PairValueRecord:
            keep_advance(pair.Value1, step)
        pairs.PairValueRecord = [
            pair
            for pair in pairs.PairValueRecord
            if abs(pair.Value1.XAdvance - class_advance(by_class, left, pair.SecondGlyph)) > step
        ]
        pairs.PairValueCount = len(pairs.PairValueRecord)
        if pairs.PairValueCount:
            kept.append((left, pairs))
    table.Coverage.glyphs = [left for left, _ in kept]
    table.PairSet = [pairs for _, pairs in kept]
    table.PairSetCount = len(kept)


def class_advance(by_class, left, right):
    for table in by_class:
        if left in table.Coverage.glyphs:
            record = table.Class1Record[table.ClassDef1.classDefs.get(left, 0)]
            value = record.Class2Record[table.ClassDef2.classDefs.get(right, 0)].Value1
            return value.XAdvance if value else 0
    return 0


def keep_advance(value, step):
    """Its step alone, the same at every weight."""
    if value is None:
        return
    advance = round(getattr(value, "XAdvance", 0) / step) * step
    vars(value).clear()
    value.XAdvance = advance


def keep_names(font):
    """Whose it is, and what its tables refer to."""
    axes = {axis.axisNameID for axis in font["fvar"].axes} if "fvar" in font else set()
    names = font["name"]
    names.names = [record for record in names.names if record.nameID in {*NAMES, *axes}]


def save(font, name):
    keep_names(font)
    path = HERE / f"{name}.woff2"
    font.flavor = "woff2"
    font.save(path)
    print(name, path.stat().st_size)


if __name__ == "__main__":
    for suffix, letters in [("", LETTERS), ("-more", MORE)]:
        save(variable(ROMAN, TEXT, NEWSREADER, letters), f"newsreader{suffix}")
        save(fixed(ITALIC, TEXT, letters, SMALL), f"newsreader-italic{suffix}")
        save(fixed(SANS, {"wght": (400, 600)}, letters, SMALL), f"instrument-sans{suffix}")
