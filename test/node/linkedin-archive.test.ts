import { ZipWriter, BlobWriter, TextReader, BlobReader } from "@zip.js/zip.js";
import { describe, expect, test } from "vitest";
import { readArchive } from "../../src/admin/moving-in/linkedin/archive.ts";
import { postsOf } from "../../src/admin/moving-in/linkedin/posts.ts";
import { itemKeyOf } from "../../src/admin/moving-in/linkedin/items.ts";
import { htmlToMarkdown, textToMarkdown } from "../../src/admin/moving-in/to-markdown.ts";

async function zip(files: Record<string, string | Blob>, options = {}) {
  const writer = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false, ...options });
  for (const [name, content] of Object.entries(files))
    await writer.add(name, typeof content === "string" ? new TextReader(content) : new BlobReader(content));
  return writer.close();
}

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

/** Overwrites a file name with another of the same length, unlike any zip writer. */
async function renamed(archive: Blob, from: string, to: string) {
  const bytes = await bytesOf(archive);
  const text = Buffer.from(bytes.buffer).toString("latin1").replaceAll(from, to);
  return new Blob([Buffer.from(text, "latin1")]);
}

describe("the archive of LinkedIn", () => {
  test("gives only its posts and articles", async () => {
    const file = await zip({
      "Shares.csv": "Date,ShareLink",
      "Articles/Articles/One.html": "<h1>One</h1>",
      "messages.csv": "private",
      "Articles/readme.txt": "x",
    });
    const { shares, articles } = await readArchive(file);
    expect(await shares!.text()).toBe("Date,ShareLink");
    expect(articles).toEqual([{ name: "Articles/Articles/One.html", html: "<h1>One</h1>" }]);
  });

  test.each([
    ["what is no zip", async () => new Blob(["Date,ShareLink"]), /zip can’t be read/],
    [
      "a zip that is cut off",
      async () => (await zip({ "Shares.csv": "x".repeat(1000) })).slice(0, 60),
      /zip can’t be read/,
    ],
    ["a zip of other things", () => zip({ "messages.csv": "x" }), /no Shares.csv and no articles/],
    [
      "a bomb",
      () => zip({ "Shares.csv": new Blob([new Uint8Array(101_000_000)]) }),
      /far larger than any such export/,
    ],
    ["an encrypted one", () => zip({ "Shares.csv": "x" }, { password: "p", zipCrypto: true }), /encrypted/],
    [
      "a name that leads out",
      async () => renamed(await zip({ "Shares.csv": "x", "aa/evil.txt": "x" }), "aa/evil.txt", "../evil.txt"),
      /points outside it/,
    ],
    [
      "an absolute name",
      async () => renamed(await zip({ "Shares.csv": "x", "aetc/passwd": "x" }), "aetc/passwd", "/etc/passwd"),
      /points outside it/,
    ],
  ])("refuses %s", async (_what, make, message) => {
    await expect(readArchive(await make())).rejects.toThrow(message);
  });

  test("stops at a zip bomb with a false size", async () => {
    const bytes = await bytesOf(await zip({ "Shares.csv": new Blob([new Uint8Array(101_000_000)]) }));
    const view = new DataView(bytes.buffer);
    // The size in the central directory, and in the local header.
    for (let at = 0; at < bytes.length - 4; at++) {
      const signature = view.getUint32(at, true);
      if (signature === 0x02014b50) view.setUint32(at + 24, 1000, true);
      if (signature === 0x04034b50 && view.getUint32(at + 22, true) !== 0)
        view.setUint32(at + 22, 1000, true);
    }
    await expect(readArchive(new Blob([bytes]))).rejects.toThrow(/far larger|zip can’t be read/);
  });
});

describe("Shares.csv", () => {
  const now = new Date("2026-11-25T00:00:00Z");
  const HEADER = "Date,ShareLink,ShareCommentary,SharedUrl,MediaUrl,Visibility";
  const link = (id: number) => `https://www.linkedin.com/feed/update/urn%3Ali%3Ashare%3A${id}`;
  const read = (csv: string | Uint8Array<ArrayBuffer>) =>
    postsOf({ shares: new Blob([csv]), articles: [] }, now, { htmlToMarkdown, textToMarkdown });
  const rows = (...lines: string[]) => [HEADER, ...lines].join("\r\n");

  test("becomes posts of the owner's own, of two years, newest first", async () => {
    const { posts, leftOut } = await read(
      rows(
        `2025-03-04 05:06:07,${link(1)},Older words,,,MEMBER_NETWORK`,
        `2026-03-04 05:06:07,${link(2)},Newer words,https://a.example/p,https://media.licdn.com/x,CONNECTIONS`,
        `2024-11-24 23:59:59,${link(3)},Too old,,,`,
        `2026-01-01 00:00:00,${link(4)},,https://a.example/,,`,
        `2026-01-01 00:00:00,${link(5)},Look at this,https://www.linkedin.com/feed/update/urn:li:share:9,,`,
        `never,${link(6)},Words,,,`,
        `2026-02-31 00:00:00,${link(7)},Words,,,`,
        `2026-01-01 00:00:00,javascript:alert(1),Words,,,`,
        `2026-03-04 05:06:07,${link(2)},Newer words,https://a.example/p,https://media.licdn.com/x,CONNECTIONS`,
      ),
    );
    expect(posts).toMatchObject([
      {
        title: "Newer words",
        content: "Newer words\n\n<https://a.example/p>",
        sourceUrl: "https://www.linkedin.com/feed/update/urn:li:share:2",
        originalPublishedAt: Date.UTC(2026, 2, 4, 5, 6, 7),
        notes: [
          "Its picture stays at LinkedIn.",
          "Only your LinkedIn connections can see it, so it’s imported as a draft.",
        ],
      },
      { title: "Older words", notes: [] },
    ]);
    expect(leftOut).toEqual({ older: 1, notOriginal: 2, unread: 3 });
  });

  test("loses its quotation marks around each line, and has Markdown characters escaped", async () => {
    const commentary = '"First line of *words*""\n""second""\n""""\n""# third <b>"';
    const { posts } = await read(rows(`2026-03-04 05:06:07,${link(1)},${commentary},,,`));
    expect(posts[0]).toMatchObject({ title: "First line of *words*" });
    expect(posts[0]!.content).toMatch(/^First line of \\\*words\\?\*\\\nsecond\n\n\\# third \\?<b>"?$/);
  });

  test("in Latin-1, with a broken quotation mark, is read as far as possible", async () => {
    const csv = rows(`2026-03-04 05:06:07,${link(1)},Café,,,`, `2026-03-05 05:06:07,${link(2)},"open`);
    const { posts } = await read(Uint8Array.from(Buffer.from(csv, "latin1")));
    expect(posts.map(({ title }) => title)).toEqual(["open", "Café"]);
  });

  test("of ten thousand posts, one of 300 kB, is read whole", async () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => {
      const words = n === 77 ? "Wörter ".repeat(43_000) : `Post ${n}`;
      return `2026-03-04 05:06:07,${link(n)},${words},,,`;
    });
    const { posts } = await read(rows(...lines));
    expect(posts).toHaveLength(10_000);
    expect(Math.max(...posts.map(({ content }) => content?.length ?? 0))).toBeGreaterThan(290_000);
  });

  test("gives titles on one line, without invisible characters", async () => {
    const { posts } = await read(rows(`2026-03-04 05:06:07,${link(1)},"A\ttitle\u0007 \u202ehere",,,`));
    expect(posts[0]).toMatchObject({ title: "A title here", excerpt: "" });
    expect(posts[0]!.content).not.toContain("\u0007");
    expect(posts[0]!.content).not.toContain("\u202e");
  });

  test.each([
    ["A short post.", "A short post.", ""],
    ["A first line\nA second one.\n\nA third.", "A first line", "A second one. A third."],
    ["A question?\tAnd  an answer.", "A question? And an answer.", ""],
    [`${"word ".repeat(30)}and the end.`, `${"word ".repeat(18)}word…`, `…${"word ".repeat(11)}and the end.`],
  ])("has no excerpt that repeats the title: %j", async (words, title, excerpt) => {
    const { posts } = await read(rows(`2026-03-04 05:06:07,${link(1)},"${words}",,,`));
    expect(posts[0]).toMatchObject({ title, excerpt });
  });

  test("cuts a long first line at a word", async () => {
    const { posts } = await read(rows(`2026-03-04 05:06:07,${link(1)},${"word ".repeat(80)},,,`));
    expect(posts[0]!.title).toMatch(/^(word )+word…$/);
    expect(posts[0]!.title.length).toBeLessThanOrEqual(101);
  });

  test("lists a line with too long an address as unread, and shortens the key of a long one", async () => {
    const long = (length: number) => `https://www.linkedin.com/posts/${"%D0%B6".repeat(length / 6)}`;
    const { posts, leftOut } = await read(
      rows(
        `2026-03-04 05:06:07,${link(1)},Words,,,`,
        `2026-03-04 05:06:07,${long(600)},Words,,,`,
        `2026-03-04 05:06:07,${long(2400)},Words,,,`,
      ),
    );
    expect(leftOut.unread).toBe(1);
    expect(await Promise.all(posts.map(itemKeyOf))).toEqual([
      "https://www.linkedin.com/feed/update/urn:li:share:1",
      expect.stringMatching(/^sha256 [0-9a-f]{64}$/),
    ]);
  });

  test("with unknown columns is refused", async () => {
    await expect(read("Name,Mail\r\nA,b@example.com")).rejects.toThrow(/columns/);
  });
});
