import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import jpegUrl from "../demo/images/show.jpg?inline";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { episodePreviewLink } from "#worker/episodes/owner-queries.ts";
import { readPicture } from "#worker/files/pictures/picture-headers.ts";
import { countHourly } from "#worker/platform/http/rate.ts";
import { readMetrics } from "#worker/sharing/font-metrics.ts";
import sansFile from "#worker/sharing/fonts/instrument-sans.ttf?inline";
import serifFile from "#worker/sharing/fonts/newsreader.ttf?inline";
import { MOST_DRAWN, pruneSharePictures } from "#worker/sharing/pictures.ts";
import { quoteShapes, wholeWords, type QuoteShape } from "#worker/sharing/quote-address.ts";
import { layOutQuote } from "#worker/sharing/quote-layout.ts";
import { readQuotePicture } from "#worker/sharing/quotes.ts";
import { stackOf, type Face } from "#worker/sharing/runs.ts";
import { fetchSite, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { holdClock } from "./support/clock.ts";
import { publishedEpisode, savedShow, storedImage } from "./support/factories.ts";

const bytesOf = (address: string) => Uint8Array.fromBase64(address.slice(address.indexOf(",") + 1));
const own = (name: string, address: string): Face => ({ name, outline: 0, ...readMetrics(bytesOf(address)) });
const fonts = {
  serif: stackOf(own("Newsreader", serifFile), []),
  sans: stackOf(own("Instrument Sans", sansFile), []),
};

const transcript = `WEBVTT

00:00:01.000 --> 00:00:04.000
<v Ada>The waiting room is a policy,

00:00:04.000 --> 00:00:07.000
<v Ada>and nobody voted for it.

00:00:07.000 --> 00:00:09.000
<v Noor>So who wrote it down?
`;
/** Of Ada's paragraph, as the page shows it. */
const SAID = "The waiting room is a policy, and nobody voted for it.";

let id: number;

beforeAll(async () => {
  const artwork = await storedImage({ bytes: bytesOf(jpegUrl) });
  await savedShow({ artworkFileId: artwork.id });
  id = (await publishedEpisode({ title: "Rooms", transcript })).id;
});

const place = (words: string, text = SAID) => `${text.indexOf(words)}-${text.indexOf(words) + words.length}`;

const ask = (path: string, init?: RequestInit) => fetchSite(`/share/quotes/${path}`, init);

async function pictureAt(path: string, init?: RequestInit) {
  const response = await ask(path, init);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { response, bytes, type: response.headers.get("Content-Type")! };
}

describe("a quote's picture", () => {
  test.each(Object.entries(quoteShapes))(
    "in the shape %s is a JPEG of its size, at most 300 kB, that each visit revalidates",
    async (shape, size) => {
      const path = `${id}/0/${place("nobody voted for it")}/${shape}`;
      const { response, bytes, type } = await pictureAt(path);
      expect([response.status, type]).toEqual([200, "image/jpeg"]);
      expect(readPicture(bytes, type)).toMatchObject(size);
      expect(bytes.length).toBeGreaterThan(10_000);
      expect(bytes.length).toBeLessThanOrEqual(300_000);
      expect(response.headers.get("Cache-Control")).toBe("public, no-cache");
      const etag = response.headers.get("ETag")!;
      expect((await env.MEDIA.head(`share/quotes/${path}`))?.httpEtag).toBe(etag);
      const again = await ask(path, { headers: { "If-None-Match": etag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    },
  );

  test("has whole words: a selection that cuts one has the same picture, stored once", async () => {
    const whole = await pictureAt(`${id}/0/${place("waiting room")}/wide`);
    const cut = await pictureAt(`${id}/0/${place("aiting roo")}/wide`);
    expect(cut.bytes).toEqual(whole.bytes);
    const prefix = `share/quotes/${id}/0/${place("waiting room").split("-")[0]}`;
    expect((await env.MEDIA.list({ prefix })).objects).toHaveLength(1);
  });

  test("changes with the transcript, and is missing for words that are no longer there", async () => {
    const changing = await publishedEpisode({ title: "Changing", transcript });
    const path = `${changing.id}/0/0-28/wide`;
    const before = await pictureAt(path);
    await updateEpisode(ownerContext(), changing.id, { transcript: transcript.replace("policy", "prison") });
    const after = await pictureAt(path);
    expect(after.response.status).toBe(200);
    expect(after.bytes).not.toEqual(before.bytes);
    await updateEpisode(ownerContext(), changing.id, { transcript: "" });
    expect((await ask(path)).status).toBe(404);
  });

  test.each([
    ["a paragraph that is not there", "2/0-5/wide"],
    ["words beyond the end", `0/0-${SAID.length + 1}/wide`],
    ["nothing", "0/5-5/wide"],
    ["a place from right to left", "0/9-4/wide"],
    ["a comma alone", `0/${place(",")}/wide`],
    ["an unknown shape", "0/0-5/round"],
    ["a shape of every object", "0/0-5/constructor"],
    ["a number written differently", "00/0-5/wide"],
    ["words in the address", "0/The%20end/wide"],
  ])("is missing for %s", async (_what, path) => {
    const answer = await ask(`${id}/${path}`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });

  test("is missing for an episode that does not exist, and shows nothing that the address adds", async () => {
    expect((await ask("999999/0/0-5/wide")).status).toBe(404);
    const path = `${id}/0/0-28/wide`;
    const { bytes } = await pictureAt(path);
    expect((await pictureAt(`${path}?text=Something+else&title=x`)).bytes).toEqual(bytes);
  });

  test("has at most 280 characters", async () => {
    const long = await publishedEpisode({ title: "Long", transcript: "word ".repeat(80).trim() });
    expect((await ask(`${long.id}/0/0-280/wide`)).status).toBe(200);
    const answer = await ask(`${long.id}/0/0-285/wide`);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("At most 280 characters fit on a picture. Select fewer words.");
  });

  test("is refused for a text that is long, or has very many marks, before it takes time", async () => {
    const marks = await publishedEpisode({ title: "Marks", transcript: `a${"\u0301".repeat(400_000)}` });
    for (const to of [5601, 400_000]) expect((await ask(`${marks.id}/0/0-${to}/wide`)).status).toBe(422);
    // To a reader it is one character.
    const few = wholeWords(`a${"\u0301".repeat(400_000)}`, 0, 5)!;
    expect(few.words.length).toBeLessThan(500);
  });

  test("answers 304 for its tag in a list, and the picture for what is no list of tags", async () => {
    const path = `${id}/0/0-28/wide`;
    const { response } = await pictureAt(path);
    const etag = response.headers.get("ETag")!;
    const answerTo = async (tags: string) => {
      const { status, headers } = await ask(path, { headers: { "If-None-Match": tags } });
      return [status, headers.get("Cross-Origin-Resource-Policy")];
    };
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, "*"])
      expect(await answerTo(tags)).toEqual([304, "cross-origin"]);
    for (const tags of ['"', "nonsense", `${etag}x"`, '"x"'])
      expect((await answerTo(tags))[1]).toBe("cross-origin");
    for (const tags of ['"', "nonsense", '"x"']) expect((await answerTo(tags))[0]).toBe(200);
  });

  test("of an unpublished episode is for its users and for those with its preview link", async () => {
    const draft = await publishedEpisode({ title: "Draft", transcript, status: "draft" });
    const other = await publishedEpisode({ title: "Other draft", transcript, status: "draft" });
    const path = `${draft.id}/0/0-28/wide`;
    expect((await ask(path)).status).toBe(404);
    const at = { episodeId: draft.id, paragraph: 0, from: 0, to: 28, shape: "wide" as const };
    expect(await readQuotePicture(ownerContext(), at)).toMatchObject({ isPublic: false });
    const tokenOf = async (of: number) =>
      new URL((await episodePreviewLink.create(ownerContext(), of)).url).searchParams.get("token")!;
    const token = await tokenOf(draft.id);
    const withLink = await ask(path, { headers: { "Preview-Token": token } });
    expect([withLink.status, withLink.headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
    expect(withLink.headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
    // Stored, and still refused.
    expect(await env.MEDIA.head(`share/quotes/${path}`)).not.toBeNull();
    expect((await ask(path)).status).toBe(404);
    for (const wrong of [await tokenOf(other.id), "nonsense"])
      expect((await ask(path, { headers: { "Preview-Token": wrong } })).status).toBe(404);
    await episodePreviewLink.remove(ownerContext(), draft.id);
    expect((await ask(path, { headers: { "Preview-Token": token } })).status).toBe(404);
  });

  test("counts towards the drawings of an hour, unless it is stored", async () => {
    holdClock();
    const client = { address: "192.0.2.90", userAgent: "" };
    const ctx = () => visitorContext({ client });
    const read = (from: number, to: number) =>
      readQuotePicture(ctx(), { episodeId: id, paragraph: 0, from, to, shape: "wide" });
    await read(0, 3);
    for (let n = 1; n < MOST_DRAWN; n++) await countHourly(ctx(), "share", MOST_DRAWN);
    await expect(read(4, 11)).rejects.toMatchObject({ code: "too_many" });
    await read(0, 3);
  });

  test("is deleted with the pictures for sharing", async () => {
    const path = `${id}/1/0-2/wide`;
    await ask(path);
    await pruneSharePictures(jobContext({ now: new Date(Date.now() + 91 * 86_400_000) }));
    expect(await env.MEDIA.head(`share/quotes/${path}`)).toBeNull();
  });

  test("is in Arabic, Chinese and Thai, or refused if a letter has no font", async () => {
    const texts = [
      "الغرفة سياسة، ولم يصوّت عليها أحد.",
      "等候室是一项政策，没有人投过票。",
      "ห้องรอคอยคือนโยบาย",
    ];
    const drawn = [];
    for (const text of texts) {
      const said = await publishedEpisode({ title: "Scripts", transcript: text });
      const { response, bytes } = await pictureAt(`${said.id}/0/0-${text.length}/square`);
      expect(response.status).toBe(200);
      drawn.push(bytes.length);
    }
    expect(new Set(drawn).size).toBe(texts.length);
    const rare = await publishedEpisode({ title: "Rare", transcript: "ᚠᚢᚦᚨᚱᚲ are runes" });
    const answer = await ask(`${rare.id}/0/0-16/square`);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(
      "The pictures’ fonts lack some of these letters. Select fewer words, or others.",
    );
  });

  test("is not drawn without letters that cannot be read just now", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const said = await publishedEpisode({ title: "Later", transcript: "等候室" });
    const assets = { fetch: () => Promise.reject(new Error("No answer")) } as unknown as Fetcher;
    const at = { episodeId: said.id, paragraph: 0, from: 0, to: 3, shape: "wide" as const };
    await expect(readQuotePicture(visitorContext({ assets }), at)).rejects.toMatchObject({
      code: "unavailable",
      message: "The letters of these words can’t be read just now. Try again in a minute.",
    });
    expect((await readQuotePicture(visitorContext(), at)).type).toBe("image/jpeg");
  });
});

describe("the layout of a quote", () => {
  const subject = { title: "Rooms", label: "Plain Ground", cover: null, seed: 1 };
  const linesOf = (text: string, shape: QuoteShape, speaker = "Ada") => {
    const svg = layOutQuote(subject, { text, speaker, shape }, fonts, "");
    return [
      ...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" [^>]*font-size="(\d+)"[^>]*>(.*?)<\/text>/g),
    ].map(([, x, y, size, words]) => ({ x: Number(x), y: Number(y), size: Number(size), words: words! }));
  };

  test("has the words, then who says them, the episode and the show", () => {
    const lines = linesOf(SAID, "square").map(({ words }) => words);
    expect(lines.slice(-3)).toEqual(["Ada", "Rooms", "Plain Ground"]);
    expect(lines.slice(0, -3).join(" ")).toBe(SAID);
    expect(
      linesOf(SAID, "square", "")
        .map(({ words }) => words)
        .slice(-2),
    ).toEqual(["Rooms", "Plain Ground"]);
  });

  const longest = {
    "short words": "a i ".repeat(70).trim(),
    "wide letters": "WWWWWWWWW ".repeat(28).trim(),
    "one word": "M".repeat(280),
  };
  const shapes = Object.keys(quoteShapes) as QuoteShape[];
  test.each(
    Object.entries(longest).flatMap(([what, text]) => shapes.map((shape) => [what, shape, text] as const)),
  )("fits 280 characters as %s into %s, uncut", (_what, shape, text) => {
    const lines = linesOf(text, shape);
    const { width, height } = quoteShapes[shape];
    expect(
      lines
        .slice(0, -3)
        .map(({ words }) => words)
        .join("")
        .replaceAll(" ", ""),
    ).toBe(text.replaceAll(" ", ""));
    for (const { x, y, size, words } of lines.slice(0, -3)) {
      expect(x + fonts.serif.widthOf(words) * size).toBeLessThanOrEqual(width - 50);
      expect(y).toBeLessThan(height - 160);
    }
  });

  test("cannot close its element", () => {
    expect(
      layOutQuote(subject, { text: "</text><image href='x'/>", speaker: "<b>", shape: "wide" }, fonts, ""),
    ).not.toMatch(/<image href='x'|<b>/);
  });
});

describe("the words of a selection", () => {
  const words = (text: string, from: number, to: number) => wholeWords(text, from, to)?.words ?? null;

  test("are whole, with apostrophes and hyphens, and without spaces at the ends", () => {
    expect(words("I can’t well-nigh say", 4, 12)).toBe("can’t well-nigh");
    expect(words("one two three", 3, 8)).toBe("two");
    expect(words("“Rent,” she said.", 0, 7)).toBe("“Rent,”");
  });

  test("are letters with their marks in scripts without spaces, and never half of a character", () => {
    expect(words("等候室是一项政策", 1, 3)).toBe("候室");
    expect(words("ห้องรอ", 1, 3)).toBe("ห้อ");
    expect(words("a 😀 b", 0, 3)).toBe("a 😀");
  });

  test("are the same in the middle of a long text, and never more than some hundred characters wider", () => {
    const before = "Not this. ".repeat(2000);
    const found = wholeWords(`${before}one two three`, before.length + 5, before.length + 6);
    expect(found).toEqual({ from: before.length + 4, to: before.length + 7, words: "two" });
    expect(words("x".repeat(5000), 2500, 2501)).toHaveLength(401);
  });

  test("are none without a letter, or outside of the text", () => {
    expect(words("a, b", 1, 3)).toBeNull();
    expect(words("abc", 0, 4)).toBeNull();
    expect(words("abc", 2, 2)).toBeNull();
  });
});
