import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { shareFontFiles } from "../../scripts/share-fonts.ts";
import { root } from "../../scripts/tools.ts";
import { familiesFor, FONTS_FOLDER } from "../../worker/sharing/font-families.ts";
import { site, test } from "./support/demo.ts";

/** Titles that fit into one line of the largest size. */
const titles = {
  Greek: "Αναμονή",
  Cyrillic: "Ожидание",
  Arabic: "الانتظار",
  Hebrew: "המתנה",
  Devanagari: "प्रतीक्षा की",
  Thai: "น้ำคำห้อง",
  Chinese: "等候室，默",
  Japanese: "待つ部屋",
  Korean: "대기실",
  "Arabic with Latin": "مع Ada (١٢)",
  "Hebrew with Latin": "עם Ada!",
  "Latin with Chinese": "At 等候室",
};

/** A public playlist's page has a picture with its name. */
async function pictureOf(title: string) {
  const answer = await fetch(`${site.url}/api/playlists`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Listener-Id": `user_${crypto.randomUUID().replaceAll("-", "")}`,
    },
    body: JSON.stringify({ name: title, isPublic: true }),
  });
  const { id } = (await answer.json()) as { id: string };
  const picture = await fetch(`${site.url}/share/playlists/${id}`);
  return Buffer.from(await picture.arrayBuffer()).toString("base64");
}

type Font = { name: string; outline: number; weight: string; files: string[] };

/** The fonts of a title, as base64: those of the family that has all its letters. */
function fontsOf(title: string): Font[] {
  const files = [...shareFontFiles()];
  const newsreader = readFileSync(join(root, "worker/sharing/fonts/newsreader.ttf"), "base64");
  const others = familiesFor(title)
    .slice(0, 1)
    .map(({ name, outline, package: folder }) => ({
      name,
      outline,
      weight: name.endsWith("Thin") ? "100" : "400",
      files: files
        .filter(([path]) => path.startsWith(`${FONTS_FOLDER}/${folder}/`) && path.endsWith(".woff2"))
        .map(([, path]) => readFileSync(path, "base64")),
    }));
  return [{ name: "Newsreader", outline: 0, weight: "400", files: [newsreader] }, ...others];
}

/**
 * Compares the title in a picture with the browser's own drawing of it, in the same fonts: the sizes of both in pixels, and
 * the correlation of their ink on a grid of 48 × 16 cells.
 */
const compare = (page: Page, input: { picture: string; title: string; fonts: Font[] }) =>
  page.evaluate(async ({ picture, title, fonts }) => {
    for (const { name, files } of fonts)
      for (const file of files) {
        const face = new FontFace(name, Uint8Array.fromBase64(file), { weight: "100 900" });
        document.fonts.add(await face.load());
      }
    const canvas = () => {
      const element = new OffscreenCanvas(1200, 630);
      const context = element.getContext("2d", { willReadFrequently: true })!;
      context.fillStyle = "#faf7f0";
      context.fillRect(0, 0, 1200, 630);
      return context;
    };
    const image = canvas();
    image.drawImage(await createImageBitmap(new Blob([Uint8Array.fromBase64(picture)])), 0, 0);
    const expected = canvas();
    const { outline, weight } = fonts.at(-1)!;
    expected.font = `${weight} 76px ${fonts.map(({ name }) => `"${name}"`).join()}`;
    expected.fillStyle = expected.strokeStyle = "#1c1a16";
    expected.lineWidth = outline * 76;
    expected.lineJoin = "round";
    expected.direction = /^[\u0590-\u07ff]/.test(title) ? "rtl" : "ltr";
    expected.textAlign = "left";
    expected.fillText(title, 690, 300);
    if (outline > 0) expected.strokeText(title, 690, 300);
    const inkOf = (context: OffscreenCanvasRenderingContext2D) => {
      // Right of the cover, below the show's name.
      const [left, top] = [640, 150];
      const { data, width, height } = context.getImageData(left, top, 560, 480);
      const isInk = (x: number, y: number) => data[4 * (y * width + x)]! < 140;
      const columns = Array.from({ length: width }, (_, x) => x).filter((x) =>
        Array.from({ length: height }, (__, y) => y).some((y) => isInk(x, y)),
      );
      const rows = Array.from({ length: height }, (_, y) => y).filter((y) =>
        columns.some((x) => isInk(x, y)),
      );
      const box = {
        x: columns[0]!,
        y: rows[0]!,
        width: columns.at(-1)! - columns[0]! + 1,
        height: rows.at(-1)! - rows[0]! + 1,
      };
      const cells = Array.from({ length: 48 * 16 }, () => 0);
      for (const x of columns)
        for (const y of rows) {
          const cell =
            Math.floor((48 * (x - box.x)) / box.width) + 48 * Math.floor((16 * (y - box.y)) / box.height);
          if (isInk(x, y)) cells[cell]! += 1;
        }
      return { box, cells };
    };
    const [drawn, wanted] = [inkOf(image), inkOf(expected)];
    const mean = (list: number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;
    const centred = (list: number[]) => list.map((each) => each - mean(list));
    const product = (one: number[], other: number[]) => mean(one.map((each, at) => each * other[at]!));
    const [a, b] = [centred(drawn.cells), centred(wanted.cells)];
    return {
      likeness: product(a, b) / Math.sqrt(product(a, a) * product(b, b)),
      drawn: drawn.box,
      wanted: wanted.box,
    };
  }, input);

test("sharing pictures have titles in all scripts as the browser writes them @full", async ({ page }) => {
  for (const [script, title] of Object.entries(titles)) {
    await page.goto("about:blank");
    const picture = await pictureOf(title);
    const { likeness, drawn, wanted } = await compare(page, { picture, title, fonts: fontsOf(title) });
    expect.soft(Math.abs(drawn.width - wanted.width), `width in ${script}`).toBeLessThanOrEqual(8);
    expect.soft(Math.abs(drawn.height - wanted.height), `height in ${script}`).toBeLessThanOrEqual(4);
    // Latin letters have no outline in a picture.
    const least = script.includes("with") ? 0.7 : 0.9;
    expect.soft(likeness, `ink in ${script}`).toBeGreaterThan(least);
  }
});

test("sharing pictures of two titles in Chinese differ", async () => {
  const [one, other] = await Promise.all(["等候室", "厨房的灯"].map(pictureOf));
  expect(one!.length).toBeGreaterThan(10_000);
  expect(other).not.toBe(one);
});
