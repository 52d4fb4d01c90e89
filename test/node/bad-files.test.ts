import { describe, expect, test, vi } from "vitest";
import { readBatch } from "../../src/admin/moving-in/batch/read-batch.client.ts";
import { openFile } from "../../src/admin/moving-in/subscribers/list-file.ts";
import { openZip } from "../../src/admin/moving-in/zip.ts";
import { move } from "../support/elsewhere.ts";
import { openList, survey } from "../support/subscriber-lists.ts";
import { ghostExport, substackFiles, wordPressExport, zipOf } from "../support/exports.ts";

const bytes = (...first: number[]) =>
  new Uint8Array([...first, ...Array.from({ length: 40 }, (_, at) => at)]);
const PNG = bytes(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10);
const officeFiles = {
  "an Excel file (XLSX)": { "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>" },
  "a Word file (DOCX)": { "[Content_Types].xml": "<Types/>", "word/document.xml": "<w:document/>" },
  "a PowerPoint file (PPTX)": { "[Content_Types].xml": "<Types/>", "ppt/presentation.xml": "<p/>" },
  "a Pages or Numbers file": { "Index/Document.iwa": "x", "preview.jpg": "x" },
  "an OpenDocument file": {
    mimetype: "application/vnd.oasis.opendocument.spreadsheet",
    "content.xml": "<x/>",
  },
  "a book (EPUB)": { mimetype: "application/epub+zip", "META-INF/container.xml": "<x/>" },
};

/** What a file of another kind is called, whatever its name says. */
const others: [kind: string, content: () => Promise<BlobPart> | BlobPart][] = [
  ["a PDF", () => "%PDF-1.7\n%âãÏÓ\n1 0 obj"],
  ["a picture (PNG)", () => PNG],
  ["a picture (JPEG)", () => bytes(0xff, 0xd8, 0xff, 0xe0)],
  ["a picture (GIF)", () => "GIF89a,,"],
  ["a recording (MP3)", () => bytes(0x49, 0x44, 0x33, 4)],
  ["an old Excel or Word file", () => bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1)],
  ["a database (SQLite)", () => "SQLite format 3\0"],
  ["a compressed file (GZIP)", () => bytes(0x1f, 0x8b, 8)],
  ["a compressed file (7Z)", () => bytes(0x37, 0x7a, 0xbc, 0xaf)],
  ["a compressed file (RAR)", () => bytes(0x52, 0x61, 0x72, 0x21)],
  ...Object.entries(officeFiles).map(
    ([kind, files]) => [kind, () => zipOf(files)] as [string, () => Promise<Blob>],
  ),
];

const listOf = async (content: BlobPart) => {
  const opened = await openFile(new File([content], "list.csv"));
  return "error" in opened ? opened.error : null;
};
const batchOf = (content: BlobPart, name: string) =>
  readBatch([new File([content], name)], {
    timeZone: "UTC",
    signal: new AbortController().signal,
    onProgress: () => {},
    toMarkdown: String,
  });
const problemOf = async (content: BlobPart, name: string) => {
  const [item] = await batchOf(content, name);
  expect(item!.article).toBeNull();
  return item!.problem;
};
const refusalOf = (content: BlobPart, name: string) =>
  move([new File([content], name)]).then(
    () => null,
    (error: Error) => error.message,
  );

describe("a file of another kind", () => {
  test.each(others)("is named as a list, an archive and a batch: %s", async (kind, content) => {
    const given = await content();
    expect(await listOf(given)).toContain(`This isn’t a CSV file: it’s ${kind}.`);
    for (const name of ["export.zip", "export.xml", "export.json"])
      expect(await refusalOf(given, name)).toBe(
        `This isn’t an export: it’s ${kind}. Choose the file exactly as it was exported.`,
      );
    const isPacked = kind in officeFiles;
    expect(await problemOf(given, "essay.md")).toBe(
      `This isn’t a Markdown or JSON file: it’s ${isPacked ? "a zip" : kind}.`,
    );
    if (isPacked)
      expect(await problemOf(given, "site.zip")).toBe(`This isn’t a Markdown or JSON file: it’s ${kind}.`);
  });

  test("is not reported if a list begins with a column PK, or GI", async () => {
    expect(await listOf("PK,Email\n1,a@x.com\n")).toBeNull();
    expect(await listOf("GI,Email\n1,a@x.com\n")).toBeNull();
  });

  test("is named if it is a web page that was saved in place of an export", async () => {
    const comments = "<!-- saved -->\n".repeat(1000);
    const pages = ["<!DOCTYPE html>\n<p>Log in", "<!-- saved -->\n<html lang=en><body>", `${comments}<html>`];
    for (const page of pages)
      expect(await refusalOf(page, "export.xml")).toBe(
        "This isn’t an export: it’s a web page (HTML). Choose the file exactly as it was exported.",
      );
  });

  test("is not one that begins with as many comments", async () => {
    const whole = wordPressExport();
    const commented = "<!-- saved -->\n".repeat(1000) + whole.slice(whole.indexOf("<rss"));
    const [given, expected] = await Promise.all(
      [commented, whole].map((content) => move([new File([content], "export.xml")])),
    );
    expect(given!.articles).toEqual(expected!.articles);
  });

  test("is not a text with a zero byte, which is read without it, and the plan says so", async () => {
    const feed = "<rss><channel><item><title>A\0</title></item></channel></rss>";
    for (const [whole, withZeros, count] of [
      [
        wordPressExport(),
        wordPressExport().replace("<title>", "\0<title>\0").replace("</item>", "\0</item>"),
        "3 zero bytes in the file are",
      ],
      [ghostExport(), ghostExport().replace("{", "{\0"), "1 zero byte in the file is"],
      [feed.replace("\0", ""), feed, "1 zero byte in the file is"],
    ] as const) {
      const [given, expected] = await Promise.all(
        [withZeros, whole].map((content) => move([new File([content], "old")])),
      );
      expect(given!.articles).toEqual(expected!.articles);
      expect(given!.plan.remarks).toEqual(
        expect.arrayContaining([...expected!.plan.remarks, `${count} left out.`]),
      );
      expect(expected!.plan.remarks.join()).not.toContain("zero");
    }
    const [article] = await batchOf("---\ntitle: A\0\ndraft: true\n---\nWords.\n", "a.md");
    expect(article).toMatchObject({
      article: { title: "A" },
      notes: ["1 zero byte in the file is left out."],
    });
    const { states } = await survey(
      await openList("email,status\na@x.com,act\0ive\nb@x.com,unsub\0scribed\n"),
    );
    expect([states.active.count, states.unsubscribed.count]).toEqual([1, 1]);
  });

  test("is said of an empty one", async () => {
    expect(await listOf("")).toBe("This file is empty.");
    expect(await refusalOf("", "export.xml")).toBe("This file is empty.");
    expect(await problemOf("", "essay.md")).toBe("The file is empty.");
  });
});

/** Changes what a zip says of its entries: the bytes at an offset behind each of these signatures. */
async function forged(zip: Blob, change: (view: DataView, at: number, isCentral: boolean) => void) {
  const view = new DataView(await zip.arrayBuffer());
  for (let at = 0; at + 4 < view.byteLength; at++) {
    const signature = view.getUint32(at, true);
    if (signature === 0x04034b50 || signature === 0x02014b50) change(view, at, signature === 0x02014b50);
  }
  return new Blob([view.buffer as ArrayBuffer]);
}

const TOO_LARGE = "This zip is far larger than any such export. It wasn’t unpacked.";
const CANT = /This zip can’t be read|far larger than any such export/;

describe("a zip that unpacks to far more", () => {
  const large = () => zipOf({ "posts.csv": new Blob([new Uint8Array(3_000_000)]) });

  test("is counted while it is unpacked, whatever it says of its size", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    // APPNOTE.TXT 4.3.7 and 4.3.12: the uncompressed size is at 22, or at 24 in the directory.
    const small = await forged(await large(), (view, at, isCentral) =>
      view.setUint32(at + (isCentral ? 24 : 22), 10, true),
    );
    const zip = await openZip(small);
    await expect(zip.unpack("posts.csv", 1_000_000)).rejects.toThrow(CANT);
    await zip.close();
  });

  test("is refused by the size that it says", async () => {
    const zip = await openZip(await large());
    await expect(zip.unpack("posts.csv", 1_000_000)).rejects.toThrow(TOO_LARGE);
    await zip.close();
  });

  test("is refused if its files together are too large", async () => {
    const zip = await openZip(
      await zipOf({ a: new Blob([new Uint8Array(600)]), b: new Blob([new Uint8Array(600)]) }),
      1000,
    );
    await zip.unpack("a", 1000);
    await expect(zip.unpack("b", 1000)).rejects.toThrow(TOO_LARGE);
    await zip.close();
  });

  test("is refused if its entries overlap", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    // As in https://www.bamsoftware.com/hacks/zipbomb/ : every entry of the directory leads to the first file.
    const files = Object.fromEntries(
      ["posts.csv", "a.html", "b.html"].map((name) => [name, "x".repeat(5000)]),
    );
    const bomb = await forged(await zipOf(files), (view, at, isCentral) => {
      if (isCentral) view.setUint32(at + 42, 0, true);
    });
    const zip = await openZip(bomb);
    await zip.unpack("posts.csv", 10_000);
    await expect(zip.unpack("a.html", 10_000)).rejects.toThrow(CANT);
    await zip.close();
  });

  test("is not opened if it is a zip within a zip", async () => {
    const inner = await zipOf({ "a.csv": `email\n${"a@x.com\n".repeat(1000)}` });
    const outer = await zipOf({ "a.zip": inner, "b.zip": inner });
    expect(await listOf(outer)).toBe("This zip has no CSV file.");
    expect(await refusalOf(outer, "export.zip")).toMatch(/no posts.csv from Substack/);
    expect(await problemOf(outer, "site.zip")).toMatch(/This zip has no Markdown files/);
  });
});

describe("half a file", () => {
  const half = (blob: Blob) => blob.slice(0, Math.floor(blob.size / 2));

  test("of a zip is refused wherever it is read", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const zip = half(await zipOf({ ...substackFiles, "a.md": "# A", "list.csv": "email\na@x.com\n" }));
    expect(await listOf(zip)).toMatch(/This zip can’t be read/);
    expect(await refusalOf(zip, "export.zip")).toMatch(/This zip can’t be read/);
    expect(await problemOf(zip, "site.zip")).toMatch(/This zip can’t be read/);
  });

  test("of WordPress's XML brings what is whole, and says that the rest is missing", async () => {
    const whole = wordPressExport();
    const { plan, articles } = await move([
      new File([whole.slice(0, whole.indexOf("Classic") + 100)], "old.xml"),
    ]);
    expect(articles.map(({ title }) => title)).toEqual(["Blocks & bricks"]);
    expect(plan.remarks).toContain("The file is cut off. Everything after that point is missing.");
  });

  test("of JSON is refused", async () => {
    expect(await refusalOf('{"db":[{"data":{"posts":[{"title":"A', "ghost.json")).toMatch(
      /JSON can’t be read/,
    );
    expect(await problemOf('[{"title":"A"},{"tit', "batch.json")).toMatch(/isn’t valid JSON/);
  });

  test("of a CSV within quotation marks counts the line, and has the others", async () => {
    const list = await openList('email,name\na@x.com,"A"\nb@x.com,"B, and');
    const { broken, chosen } = await survey(list);
    expect([broken, [...chosen.keys()]]).toEqual([1, ["a@x.com"]]);
  });
});
