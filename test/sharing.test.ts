import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import jpegUrl from "../demo/images/show.jpg?inline";
import { pages, type PagePath } from "#worker/addresses.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { readPicture } from "#worker/files/pictures/picture-headers.ts";
import { numerals } from "#worker/platform/artwork/numerals.ts";
import { countHourly } from "#worker/platform/http/rate.ts";
import { readMetrics } from "#worker/sharing/font-metrics.ts";
import sansFile from "#worker/sharing/fonts/instrument-sans.ttf?inline";
import serifFile from "#worker/sharing/fonts/newsreader.ttf?inline";
import { layOut } from "#worker/sharing/layout.ts";
import { MOST_DRAWN, pruneSharePictures, readSharePicture } from "#worker/sharing/pictures.ts";
import { loadFonts, type LoadedFamily } from "#worker/sharing/load-fonts.ts";
import { stackOf, type Face } from "#worker/sharing/runs.ts";
import { sharePath, type ShareSubject } from "#worker/sharing/subject.ts";
import { writable } from "#worker/sharing/words.ts";
import { publishedArticle } from "./support/articles.ts";
import { archivedLetter, setArchive } from "./support/archive.ts";
import { fetchSite, jobContext, ownerContext, SITE, visitorContext } from "./support/client.ts";
import { holdClock } from "./support/clock.ts";
import { publishedEpisode, savedShow, storedImage } from "./support/factories.ts";
import { aListener } from "./support/listeners.ts";
import { setAccounts } from "./support/members.ts";
import { open } from "./support/pages.ts";

const bytesOf = (address: string) => Uint8Array.fromBase64(address.slice(address.indexOf(",") + 1));

const own = (name: string, address: string): Face => ({ name, outline: 0, ...readMetrics(bytesOf(address)) });
/** The pictures' own fonts. */
const fonts = {
  serif: stackOf(own("Newsreader", serifFile), []),
  sans: stackOf(own("Instrument Sans", sansFile), []),
};
const photograph = bytesOf(jpegUrl);

let cover: string;
const samples = { episode: 0, letter: 0, playlist: "" };

beforeAll(async () => {
  const { id } = await storedImage({ bytes: photograph });
  await savedShow({ artworkFileId: id, people: [{ name: "Imogen Tarrant" }] });
  const stored = await storedImage({ bytes: photograph });
  cover = stored.key;
  const input = { title: "The waiting room", imageFileId: stored.id, imageAlt: "Nine chairs" };
  samples.episode = (await publishedEpisode(input)).id;
  await publishedArticle({ slug: "an-essay" });
  await setArchive(true);
  await setAccounts(true);
  samples.letter = await archivedLetter();
  samples.playlist = (await aListener().create({ name: "For the tram", isPublic: true })).id;
});

const fill = (path: string) =>
  path
    .replace("/playlists/:id", `/playlists/${samples.playlist}`)
    .replace("/letters/:id", `/letters/${samples.letter}`)
    .replace(":id", String(samples.episode))
    .replace("/people/:slug", "/people/imogen-tarrant")
    .replace(":slug", "an-essay");

const metaOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"\/>/g)].map(([, name, content]) => [
      name!,
      content!.replaceAll("&amp;", "&"),
    ]),
  );

async function pictureOf(page: string) {
  const meta = metaOf((await open(page)).html);
  const address = meta["og:image"]!;
  const response = await fetchSite(address.slice(SITE.length));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = response.headers.get("Content-Type")!;
  return { meta, address, response, bytes, type, size: readPicture(bytes, type) };
}

describe("every public page", () => {
  const shown = (Object.keys(pages) as PagePath[]).filter((path) => !pages[path].isPersonal);

  test.each(shown)("%s names a picture of 1200 × 630 with its size and alt text", async (path) => {
    const { html } = await open(fill(path));
    const meta = metaOf(html);
    const page = fill(path) === "/" ? "/home" : fill(path);
    expect(meta["og:image"]).toMatch(new RegExp(`^${SITE}/share${page}\\?v=[0-9a-f]{12}$`));
    expect([meta["og:image:width"], meta["og:image:height"]]).toEqual(["1200", "630"]);
    expect(meta["og:image:alt"]).toMatch(/\S/);
    expect(meta["twitter:image:alt"]).toBe(meta["og:image:alt"]);
  });

  test.each(["/", "/about", "/essays/:slug", "/letters/:id", "/playlists/:id"])(
    "%s serves it with at most 300 kB",
    async (path) => {
      const { response, bytes, size, type } = await pictureOf(fill(path));
      expect([response.status, type]).toEqual([200, "image/jpeg"]);
      expect(size).toMatchObject({ width: 1200, height: 630 });
      expect(bytes.length).toBeLessThanOrEqual(300_000);
    },
  );
});

describe("an episode's picture", () => {
  test("is a small JPEG of its cover that any site may show, and is stored in R2", async () => {
    const { meta, response, bytes, size, type } = await pictureOf(`/episode/${samples.episode}`);
    expect(meta["og:image:alt"]).toBe("The waiting room. Plain Ground. Nine chairs");
    expect(type).toBe("image/jpeg");
    expect(size).toMatchObject({ width: 1200, height: 630 });
    expect(bytes.length).toBeGreaterThan(20_000);
    expect(bytes.length).toBeLessThanOrEqual(300_000);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=86400");
    expect(response.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    expect(response.headers.get("X-Frame-Options")).toBe("DENY");
    const kept = await env.MEDIA.head(`share/episode/${samples.episode}`);
    expect(kept?.size).toBe(bytes.length);
    expect(response.headers.get("ETag")).toBe(kept?.httpEtag);
  });

  test("is not drawn again for a letter whose number is written differently", async () => {
    expect((await fetchSite(`/share/letters/0${samples.letter}`)).status).toBe(404);
  });

  test("has a new address once its title changes, and replaces the stored picture", async () => {
    const { id } = await publishedEpisode({ title: "Before" });
    const before = await pictureOf(`/episode/${id}`);
    await updateEpisode(ownerContext(), id, { title: "Afterwards" });
    const after = await pictureOf(`/episode/${id}`);
    expect(after.address).not.toBe(before.address);
    expect(after.bytes).not.toEqual(before.bytes);
    expect((await env.MEDIA.list({ prefix: `share/episode/${id}` })).objects).toHaveLength(1);
    // Visitors with the old address get the current picture.
    const old = await fetchSite(before.address.slice(SITE.length));
    expect(new Uint8Array(await old.arrayBuffer())).toEqual(after.bytes);
  });

  test.each([
    "/about%2F",
    "/about%2F%2F",
    "/episode/999999",
    "/nothing",
    "/verify-email",
    "/comment",
    "/admin/articles",
    "/share/home",
  ])("is missing for %s", async (path) => {
    const response = await fetchSite(`/share${path}`);
    expect(response.status).toBe(404);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });
});

/** Counts the calls of Cloudflare Images. */
function countedImages() {
  const input = vi.fn((stream: ReadableStream<Uint8Array>) => env.IMAGES.input(stream));
  return { input, images: { input } as unknown as ImagesBinding };
}

const subject = (values: Partial<ShareSubject> = {}): ShareSubject => ({
  title: "The waiting room",
  label: "Plain Ground",
  cover,
  seed: 7,
  ...values,
});

const read = async (ctx = visitorContext(), path = `/episode/${crypto.randomUUID()}`, of = subject()) => {
  const { type, etag, body } = await readSharePicture(ctx, path, of);
  return { type, etag, path, bytes: new Uint8Array(await new Response(body as BodyInit).arrayBuffer()) };
};

describe("a picture for sharing", () => {
  test("is drawn once: a second request gets it from R2", async () => {
    const { input, images } = countedImages();
    const first = await read(visitorContext({ images }));
    const asked = input.mock.calls.length;
    expect(asked).toBeGreaterThan(0);
    const second = await read(visitorContext({ images }), first.path);
    expect(input).toHaveBeenCalledTimes(asked);
    expect(second.bytes).toEqual(first.bytes);
  });

  test("is drawn once for concurrent requests", async () => {
    holdClock();
    const { input, images } = countedImages();
    const path = `/episode/${crypto.randomUUID()}`;
    await read(visitorContext({ images }));
    const alone = input.mock.calls.length;
    input.mockClear();
    const all = await Promise.all(Array.from({ length: 6 }, () => read(visitorContext({ images }), path)));
    expect(input).toHaveBeenCalledTimes(alone);
    for (const { bytes } of all) expect(bytes).toEqual(all[0]!.bytes);
  });

  test("shows generated artwork if there is no cover, or the cover cannot be decoded", async () => {
    const land = await read(visitorContext(), undefined, subject({ cover: null }));
    expect(land.bytes.length).toBeLessThan(150_000);
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { key } = await storedImage();
    const broken = await read(visitorContext(), undefined, subject({ cover: key }));
    expect(broken.bytes).toEqual(land.bytes);
    expect(broken.etag).toBe("");
    // It is retried after some minutes, not by each request.
    const { input, images } = countedImages();
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    const again = (minutes: number) =>
      read(visitorContext({ images, now: at(minutes) }), broken.path, subject({ cover: key }));
    expect(await again(9)).toMatchObject({ etag: "", bytes: land.bytes });
    expect(input).not.toHaveBeenCalled();
    await again(11);
    expect(input).toHaveBeenCalled();
  });

  test("shows an episode's number in the generated artwork, as its page does, in colours that need no style sheet", () => {
    const svg = layOut(subject({ cover: null, seed: 4, figure: 42 }), fonts, null);
    expect(svg).toContain(numerals[4]!.outline);
    expect(svg).toContain(numerals[2]!.outline);
    expect(svg).not.toMatch(/var\(|undefined/);
  });

  test("has the generated artwork of the essay's page", async () => {
    const { id } = await publishedArticle({ slug: "no-picture", title: "No picture" });
    const { html } = await open("/essays/no-picture");
    const expected = { title: "No picture", label: metaOf(html)["og:site_name"]!, cover: null, seed: id };
    expect(metaOf(html)["og:image"]).toBe(SITE + sharePath("/essays/no-picture", expected));
  });

  test("is drawn a limited number of times an hour for one address, and served to everyone once it exists", async () => {
    holdClock();
    const client = { address: "192.0.2.77", userAgent: "" };
    const images = undefined;
    const first = await read(visitorContext({ client, images }));
    for (let n = 1; n < MOST_DRAWN; n++) {
      await countHourly(visitorContext({ client }), "share", MOST_DRAWN);
    }
    await expect(read(visitorContext({ client, images }))).rejects.toMatchObject({ code: "too_many" });
    expect((await read(visitorContext({ client, images }), first.path)).bytes).toEqual(first.bytes);
    await read(visitorContext({ client: { ...client, address: "192.0.2.78" }, images }));
  });

  test("is not drawn for more than a burst of different ones", async () => {
    const refused = vi.fn(() => Promise.resolve({ success: false }));
    const ctx = visitorContext({
      client: { address: "192.0.2.79", userAgent: "" },
      images: undefined,
      burst: { limit: refused } as unknown as RateLimit,
    });
    await expect(read(ctx)).rejects.toMatchObject({ code: "too_many" });
  });

  test("is a small PNG of generated artwork without Cloudflare Images", async () => {
    const { type, bytes } = await read(visitorContext({ images: undefined }));
    expect(type).toBe("image/png");
    expect(readPicture(bytes, type)).toMatchObject({ width: 1200, height: 630 });
    expect(bytes.length).toBeLessThan(300_000);
  });

  test("is deleted after ninety days, and no sooner", async () => {
    const { path } = await read(visitorContext(), undefined, subject({ cover: null }));
    await pruneSharePictures(jobContext({ now: new Date(Date.now() + 89 * 86_400_000) }));
    expect(await env.MEDIA.head(`share${path}`)).not.toBeNull();
    await pruneSharePictures(jobContext({ now: new Date(Date.now() + 91 * 86_400_000) }));
    expect(await env.MEDIA.head(`share${path}`)).toBeNull();
    expect(await env.MEDIA.head(cover)).not.toBeNull();
  });
});

describe("a title in another script", () => {
  const titles = {
    Greek: "Ἡ αἴθουσα ἀναμονῆς",
    Cyrillic: "Зал ожидания, Україна",
    Arabic: "غرفة الانتظار؟ چهار پنج",
    Hebrew: "חֲדַר הַהַמְתָּנָה",
    Devanagari: "प्रतीक्षालय की कहानियाँ",
    Thai: "ห้องรอคอยของกรุงเทพมหานคร",
    Chinese: "等候室：龍與龙（第二部分）",
    Japanese: "待合室、「第二回」ヴ",
    Korean: "대기실과 漢字",
    "several scripts": "The 等候室 and مرحبا in Ελλάδα",
  };

  test.each(Object.entries(titles))("has a font for each letter of %s", async (_script, title) => {
    const { families, isComplete } = await loadFonts(title, fonts.serif.has, env.ASSETS);
    expect(isComplete).toBe(true);
    const stack = stackOf(own("Newsreader", serifFile), facesOf(families));
    expect(writable(title, stack)).toBe(title.normalize("NFC"));
    expect(families.flatMap(({ files }) => files).length).toBeLessThanOrEqual(24);
    for (const run of stack.runsOf(title)) expect(run.face.widthOf(run.text)).toBeGreaterThan(0);
  });

  const facesOf = (families: LoadedFamily[]) =>
    families.map(({ family, ...metrics }): Face => ({ ...metrics, name: family.name, outline: 0 }));

  test("is read from 32 font files at most", async () => {
    const rare = Array.from({ length: 400 }, (_, at) => String.fromCodePoint(0x4e00 + 47 * at)).join("");
    const { families } = await loadFonts(rare, fonts.serif.has, env.ASSETS);
    expect(families.flatMap(({ files }) => files)).toHaveLength(32);
  });

  test("is drawn without its letters and again after ten minutes, if the fonts cannot be read", async () => {
    const assets = { fetch: () => Promise.reject(new Error("No answer")) } as unknown as Fetcher;
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    const of = subject({ title: "等候室", cover: null });
    const first = await read(visitorContext({ assets }), undefined, of);
    const again = (minutes: number) => read(visitorContext({ now: at(minutes) }), first.path, of);
    expect(first.etag).toBe("");
    expect((await again(9)).bytes).toEqual(first.bytes);
    const whole = await again(11);
    expect(whole.bytes).not.toEqual(first.bytes);
    expect(whole.etag).not.toBe("");
  });

  test("asks for no font if the pictures' own fonts have all letters", async () => {
    const fetch = vi.fn();
    await read(
      visitorContext({ assets: { fetch } as unknown as Fetcher }),
      undefined,
      subject({ cover: null }),
    );
    expect(fetch).not.toHaveBeenCalled();
  });

  const linesIn = async (title: string) => {
    const { families } = await loadFonts(title, fonts.serif.has, env.ASSETS);
    const serif = stackOf(own("Newsreader", serifFile), facesOf(families));
    const svg = layOut(subject({ title, label: "" }), { ...fonts, serif }, "");
    const texts = [...svg.matchAll(/<text x="([\d.-]+)" y="([\d.]+)"[^>]*>(.*?)<\/text>/g)];
    const lines = Map.groupBy(texts, ([, , y]) => y!);
    return [...lines.values()].map((line) => line.map(([, , , text]) => text!));
  };

  test("is written from right to left: signs and words of other scripts are where a reader expects them", async () => {
    // From left to right, as they are seen.
    expect(await linesIn("עם Ada (2)!")).toEqual([["!", "Ada (2)", "עם"]]);
    expect(await linesIn("חדר (2)!")).toEqual([["!(", "2", ")", "חדר"]]);
    expect(await linesIn("مرحبا: Ada")).toEqual([["Ada", ":", "مرحبا"]]);
  });

  test("breaks between words of a script without spaces, and not before a full stop or after a bracket", async () => {
    const chinese = (await linesIn("我们在等候室里谈论城市、房租与沉默。（第二部分）")).map((line) =>
      line.join(""),
    );
    expect(chinese.length).toBeGreaterThan(1);
    for (const line of chinese) expect(line).not.toMatch(/^[、。）]|（$/);
    const thai = (await linesIn("ห้องรอคอยและเรื่องราวของเมืองกรุงเทพมหานคร")).map((line) => line.join(""));
    expect(thai.length).toBeGreaterThan(1);
    const words = new Intl.Segmenter("th", { granularity: "word" });
    const starts = Array.from(words.segment(thai.join("")), ({ index }) => index);
    let at = 0;
    for (const line of thai) {
      expect(starts).toContain(at);
      at += line.length;
    }
  });
});

describe("the text of a picture", () => {
  const linesOf = (title: string, label = "Plain Ground") => {
    const svg = layOut(subject({ title, label }), fonts, "");
    return [...svg.matchAll(/<text x="(\d+)" y="([\d.]+)" [^>]*font-size="(\d+)"[^>]*>(.*?)<\/text>/g)].map(
      ([, x, y, size, text]) => ({ x: Number(x), y: Number(y), size: Number(size), text: text! }),
    );
  };

  test("are the show's name and the title, in lines", () => {
    const [label, ...title] = linesOf("The waiting room is a policy");
    expect(label).toMatchObject({ text: "Plain Ground", size: 28 });
    expect(title.map(({ text }) => text).join(" ")).toBe("The waiting room is a policy");
    expect(title.length).toBeGreaterThan(1);
  });

  test.each([
    ["a long title", "On rent, repair and the right to stay put ".repeat(7).trim()],
    [
      "one endless word",
      "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3),
    ],
    ["many short words", "a i ".repeat(150).trim()],
    ["wide letters", "WWWWWWWWWW ".repeat(20).trim()],
  ])("of %s fits, cut with an ellipsis", (_what, text) => {
    const [, ...lines] = linesOf(text);
    expect(lines.at(-1)!.text).toMatch(/…$/);
    for (const { x, y, size, text: line } of lines) {
      expect(x + fonts.serif.widthOf(line) * size).toBeLessThanOrEqual(1200 - 50);
      expect(y).toBeLessThan(630 - 40);
    }
  });

  test.each([
    ["Polish", "Łódź, zażółć gęślą jaźń"],
    ["Vietnamese", "Tiếng Việt ở Adelaide"],
    ["Māori", "Te whare o ngā tūpuna"],
    ["quotes and dashes", "“Rent” – it’s £5, €6 & more…"],
  ])("are written in %s", (_language, title) => {
    const [, ...lines] = linesOf(title);
    expect(lines.map(({ text }) => text.replace("&amp;", "&")).join(" ")).toBe(title);
  });

  test("composes decomposed accents", () => {
    const [, ...lines] = linesOf("Cafe\u0301 society");
    expect(lines.map(({ text }) => text).join(" ")).toBe("Café society");
  });

  test.each([
    ["Arabic", "مرحبا بالعالم"],
    ["Chinese", "等候室"],
    ["Greek", "Ἡ αἴθουσα"],
  ])("is left out in %s where the fonts of other scripts are not deployed: no boxes", (_language, title) => {
    // The show's name takes its place.
    expect(linesOf(title).map(({ text }) => text)).toEqual(["Plain", "Ground"]);
    expect(linesOf("A title", title).map(({ text }) => text)).toEqual(["A title"]);
  });

  test("keeps its letters and loses those that no font has", () => {
    const [, ...lines] = linesOf("The 대기실 room");
    expect(lines.map(({ text }) => text)).toEqual(["The room"]);
  });

  test("loses its emoji, not the rest", () => {
    const [, ...lines] = linesOf("Rent 🏠👩🏽‍⚕️ and repair 🇦🇺");
    expect(lines.map(({ text }) => text).join(" ")).toBe("Rent and repair");
    expect(linesOf("🏠🏠", "")).toEqual([]);
  });

  test("cannot close its element", () => {
    expect(layOut(subject({ title: "</text><image href='x'/>" }), fonts, "")).not.toContain(
      "<image href='x'",
    );
  });
});
