import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawLand, landPalettes, type Land } from "#worker/platform/artwork/generated-artwork.ts";
import { numerals } from "#worker/platform/artwork/numerals.ts";
import { color as shareColors } from "#worker/sharing/layout.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const themes = ["day", "night"] as const;
type Theme = (typeof themes)[number];

/** The colours of a style sheet by their names, `--color-` left out. */
function colorsIn(path: string, theme: Theme) {
  const style = read(path);
  const declared = Object.fromEntries(
    [...style.matchAll(/--([\w-]+): (?:light-dark\(([^,]+), (.+?)\)|var\(--([\w-]+)\));/g)].map(
      ([, name, day, night, other]) => [name!, other ? { other } : { day, night }],
    ),
  );
  return (name: string): string => {
    const found = declared[name]!;
    return "other" in found ? colorsIn(path, theme)(found.other!) : found[theme]!;
  };
}

/** A picture of its own, in the colours of a theme. */
function standalone(land: Land, theme: Theme) {
  const { width = 600 } = land;
  const colorOf = colorsIn("src/app.css", theme);
  const drawn = drawLand(land)
    .replace(/var\(--([\w-]+)\)/g, (_, name: string) => colorOf(name))
    .replaceAll("><", ">\n<");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 600" width="${width}" height="600">\n${drawn}\n</svg>\n`;
}

const golden = (name: string) => new URL(`../fixtures/landform/${name}.svg`, import.meta.url).pathname;

describe("a drawn landform", () => {
  for (const theme of themes)
    test.each([
      { seed: 1, figure: 1 },
      { seed: 18, figure: 42 },
      { seed: 107, figure: 107 },
      { seed: 4, figure: 4, label: "Plain Ground" },
    ])(`matches its golden file with the figure $figure by ${theme}`, async (land) => {
      await expect(standalone(land, theme)).toMatchFileSnapshot(golden(`${land.figure}-${theme}`));
    });

  test.each(themes)("matches its golden file for an essay by %s", async (theme) => {
    await expect(standalone({ seed: 2, width: 900 }, theme)).toMatchFileSnapshot(golden(`essay-${theme}`));
  });

  test("writes its figure as Newsreader's outlines, and no figure in a font of the machine", () => {
    const drawn = drawLand({ seed: 1, figure: 107 });
    expect(drawn).not.toContain("<text");
    for (const digit of [1, 0, 7]) expect(drawn).toContain(numerals[digit]!.outline);
  });

  test.each([1, 9, 10, 42, 88, 107, 240, 1203])("keeps the figure %d whole within the picture", (figure) => {
    const places = [...drawLand({ seed: 3, figure }).matchAll(/translate\((-?\d+) 428\)scale\(([\d.]+)\)/g)];
    const digits = [...String(figure)].map((digit) => numerals[Number(digit)]!);
    expect(places).toHaveLength(digits.length);
    for (const [index, [, x, scale]] of places.entries()) {
      expect(Number(x) + digits[index]!.left * Number(scale)).toBeGreaterThan(20);
      expect(Number(x) + digits[index]!.right * Number(scale)).toBeLessThan(580);
    }
  });

  test("has curves for hills, no corners", () => {
    const [, ...outlines] = [...drawLand({ seed: 5 }).matchAll(/ d="(M0 \d+s[^"]*)"/g)].map(([, d]) => d!);
    expect(outlines.length).toBeGreaterThan(4);
    for (const outline of outlines) expect(outline).not.toMatch(/[lLqQ]/);
  });

  test("has other colours than its neighbours in a list, four pairs in all", () => {
    const pairOf = (seed: number) => /color="([^"]+)".*?fill="(var[^"]+)"/.exec(drawLand({ seed }))!.slice(1);
    const pairs = [1, 2, 3, 4].map((seed) => pairOf(seed).join());
    expect(new Set(pairs).size).toBe(4);
    expect(pairOf(5).join()).toBe(pairs[0]);
  });

  test("leaves out a label that is wider than the picture, and escapes the others", () => {
    expect(drawLand({ seed: 1, label: "m".repeat(80) })).not.toContain("<text");
    expect(drawLand({ seed: 1, label: "Salt & <Light>" })).toContain(">Salt &#38; &#60;Light&#62;</text>");
  });
});

describe("the colours of drawn landforms", () => {
  const names = [...new Set(landPalettes.flatMap(({ sky, land }) => [sky, land]))].map((paint) =>
    paint.slice("var(--".length, -1),
  );

  test.each(themes)("are the same on the site and in embedded players by %s", (theme) => {
    const [site, embed] = ["src/app.css", "src/embed/embed.css"].map((path) => colorsIn(path, theme));
    for (const name of names) expect(embed!(name), name).toBe(site!(name));
  });

  test("are the site's by day in pictures for sharing", () => {
    const site = colorsIn("src/app.css", "day");
    for (const [name, value] of Object.entries(shareColors)) expect(site(`color-${name}`), name).toBe(value);
  });

  test.each(themes)("set every sky apart from the page by %s", (theme) => {
    const site = colorsIn("src/app.css", theme);
    for (const { sky } of landPalettes)
      expect(contrast(site(sky.slice(6, -1)), site("color-paper")), sky).toBeGreaterThan(1.15);
  });
});

/** WCAG 2.2's contrast ratio of two colours. */
function contrast(one: string, other: string) {
  const [light, dark] = [one, other].map(luminance).toSorted((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
