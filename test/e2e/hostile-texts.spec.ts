import { expect, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { pagePaths } from "../../worker/pages/contract.ts";
import { playlistFeedPath } from "../../worker/playlists/public-queries.ts";
import { hostileTexts } from "../support/hostile.ts";
import { complaintsOf } from "./support/console.ts";
import { enquiryMails, fillComments, fillEnquiries, SENDER } from "./support/hostile-enquiries.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { wordFields } from "./support/word-fields.ts";

/** Texts that call `ran(index)` if a browser runs them. */
const texts = hostileTexts("ran");
/** The separator ends any HTML block, which would otherwise swallow the following texts (CommonMark §4.6). */
const markdown = texts.join("\n--> ]]> ?> </style>\n\n");
/** Without what a single-line field refuses: tabs, line breaks, control characters. */
const lines = texts.map((text) => text.replaceAll(/\s/g, " "));

/** Number of texts in one field. One text can only swallow others in the same field. */
const TOGETHER = 71;
const chunksOf = <T>(list: T[]) =>
  Array.from({ length: Math.ceil(list.length / TOGETHER) }, (_, at) =>
    list.slice(at * TOGETHER, (at + 1) * TOGETHER),
  );

/** One item of each kind; the API creates the others. */
const REDUCED = ["campaigns", "engagements", "episodes", "social_posts", "ventures"];
const ONE_EACH = [
  "delete from articles",
  "delete from press_items",
  ...REDUCED.map((table) => `delete from ${table} where id > 1`),
  "update engagements set status = 'upcoming', date = null",
];

let site: Site;
let context: BrowserContext;
let page: Page;
let complaints: string[];
/** The page of a careless feed reader: no content policy, and no network. */
let reader: Page;
const ran = new Set<number>();

test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ browser }) => {
  // Rows are written without the API here, so the cache would not be invalidated.
  site = await startSite({ sql: ONE_EACH, vars: { EDGE_CACHE: "off" } });
  context = await contextOf(browser);
  complaints = complaintsOf(context);
  page = await context.newPage();
  await signInAsOwner(page, site);
  reader = await openReader(await contextOf(browser));
});
test.afterAll(() => site?.stop());

async function contextOf(browser: Browser) {
  const made = await browser.newContext();
  await made.exposeBinding("ran", (_, index: number) => void ran.add(index));
  return made;
}

async function openReader(its: BrowserContext) {
  const opened = await its.newPage();
  await opened.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
  await opened.goto("http://reader.example/");
  await opened.unroute("**/*");
  await its.setOffline(true);
  return opened;
}

/** An animation that ends one frame after loading, later than other automatic scripts. */
const LAST = `<style>@keyframes last { from { opacity: 0 } }</style><p style="animation: last 1ms" onanimationend="ran(-1)">`;

/** Shows each text in its own document until all have run. */
async function showUnguarded(htmls: string[]) {
  const show = (shown: string[]) =>
    reader.evaluate(async (all) => {
      const loads = all.map((html) => {
        const frame = document.createElement("iframe");
        frame.srcdoc = html;
        const load = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
        document.body.appendChild(frame);
        return load;
      });
      await Promise.all(loads);
    }, shown);
  await show(htmls);
  await show([LAST]);
  await expect.poll(() => ran.delete(-1)).toBe(true);
  await reader.evaluate(() => document.body.replaceChildren());
}

/** Elements that would run something, now or on a click: in the page, or in documents that it only parses. */
const dangersIn = (shown: Page, htmls?: string[]) =>
  shown.evaluate((given) => {
    const address = /^[\s\0-\x20]*(?:javascript|vbscript|data:text\/html|data:image\/svg)/i;
    const isDanger = ({ name, value }: Attr) =>
      name.startsWith("on") ||
      name === "srcdoc" ||
      (/^(?:href|src|action|formaction|xlink:href|data|poster|background|ping|srcset)$/.test(name) &&
        address.test(value));
    const foreign = "iframe, object, embed, applet, portal, base, marquee, frameset, main script, main style";
    const roots = given?.map((html) => new DOMParser().parseFromString(html, "text/html")) ?? [document];
    const found = (root: Document) => [
      ...[...root.querySelectorAll("body *")].flatMap((element) =>
        [...element.attributes]
          .filter(isDanger)
          .map(({ name, value }) => `${element.localName} ${name}=${value}`),
      ),
      ...[...root.querySelectorAll(foreign)].map(({ outerHTML }) => outerHTML),
    ];
    return roots.flatMap((root) => found(root).map((danger) => `${root.title.slice(0, 40)}: ${danger}`));
  }, htmls);

/** Fails if one of these documents runs anything when shown without the site's policy. */
async function expectHarmless(htmls: string[]) {
  expect(await dangersIn(reader, htmls)).toEqual([]);
  await showUnguarded(htmls);
  expectNothingRan();
}

function expectNothingRan() {
  expect([...ran].map((index) => texts[index])).toEqual([]);
  expect(complaints).toEqual([]);
}

const api = async <T>(method: "get" | "post" | "put" | "patch", path: string, data?: object) => {
  const answer = await page.request[method](`${site.url}/api/admin/${path}`, { data });
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
  return (await answer.json()) as T;
};

/** The elements of a feed that contain HTML; the others contain plain text. The feed is well-formed for any text. */
const htmlOf = (xml: string) =>
  reader.evaluate((source) => {
    const feed = new DOMParser().parseFromString(source, "application/xml");
    if (feed.querySelector("parsererror")) throw new Error(feed.documentElement.textContent);
    const named = (name: string) => [...feed.getElementsByTagName(name)];
    return [...named("description"), ...named("content:encoded")].map(({ textContent }) => textContent);
  }, xml);

test("the texts run without any protection @full", async () => {
  expect(texts.length).toBeGreaterThan(200);
  await showUnguarded(texts);
  // Others need a click, an older browser, or their own page.
  expect(ran.size).toBeGreaterThan(80);
  ran.clear();
});

test("no text runs in a preview of Markdown, each in its own", async () => {
  const previews: string[] = [];
  for (const some of chunksOf(texts)) {
    const answers = some.map((content) => api<{ html: string }>("post", "articles/preview", { content }));
    previews.push(...(await Promise.all(answers)).map(({ html }) => html));
  }
  expect(await dangersIn(reader, previews)).toEqual([]);
  await expectHarmless(chunksOf(previews).map((some) => some.join("<hr>")));
});

const cue = (text: string, at: number) => {
  const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
  // Four a second, so that all of them fit into the recording.
  return `${time(at / 4)} --> ${time((at + 1) / 4)}\n${text}`;
};

/** Creates the items that have Markdown or are missing in the demo, with all texts. Returns their public addresses. */
async function makeItems() {
  const made = (path: string, data: object) => api<{ id: number; slug: string }>("post", path, data);
  const words = { title: "Hostile", content: markdown };
  const { values: episode } = await api<{ values: { imageFileId: string } }>("get", "episodes/1");
  const { slug } = await made("articles", {
    ...words,
    imageFileId: episode.imageFileId,
    tags: ["hostile"],
    categoryId: 1,
    status: "published",
    source: "linkedin",
  });
  for (const type of ["press_release", "media_coverage"])
    await made("press", { ...words, type, date: "2026-01-02", summary: "Hostile" });
  await api("patch", "episodes/1", {
    showNotes: markdown,
    soundbites: [{ start: 0, duration: 20, title: "Hostile" }],
  });
  const letter = await made("newsletters", { subject: "Hostile", content: markdown, isPublic: true });
  await site.env.DB.exec(`update letters set status = 'sent', started_at = 1 where id = ${letter.id}`);
  const { site: settings } = await api<{ site: Record<"newsletter" | "features", object> }>(
    "get",
    "settings",
  );
  await api("put", "settings", {
    // No campaign may be framed, so each frame is an error.
    frameHosts: [],
    newsletter: { ...settings.newsletter, archive: true },
    features: { ...settings.features, comments: true },
  });
  await showTranscript();
  await fillPages();
  await fillEnquiries(page, site);
  const comment = await fillComments(page, site);
  const playlist = await makePlaylist();
  return {
    pages: [`/essays/${slug}`, `/letters/${letter.id}`, `/playlists/${playlist}`, comment],
    feeds: [playlistFeedPath(playlist)],
  };
}

/** The texts of a transcript are parsed from its cues on save. Two cues remain, because later writes fill each. */
async function showTranscript() {
  // An arrow ends a cue's text.
  const cues = lines.filter((text) => !text.includes("-->")).map(cue);
  const save = (some: string[]) =>
    api("patch", "episodes/1", { transcript: ["WEBVTT", ...some].join("\n\n") });
  await save(cues);
  await expectHarmless(await readAll(["/episode/1", "/search?q=script&kind=transcript"]));
  await save(cues.slice(-2));
}

/** Puts all texts into the Markdown of the standing pages, and shows their previews. */
async function fillPages() {
  const previews: string[] = [];
  for (const slug of Object.keys(pagePaths)) {
    const { values } = await api<{ values: object }>("get", `pages/${slug}`);
    const data = JSON.parse(JSON.stringify(values), (key, value: unknown) =>
      key === "markdown" ? markdown : value,
    ) as object;
    const { html } = await api<{ html: string }>("post", `pages/${slug}/preview`, data);
    previews.push(html);
    await api("put", `pages/${slug}`, data);
  }
  await expectHarmless(previews);
}

async function makePlaylist() {
  const headers = { "Listener-Id": `user_${"0123456789abcdef".repeat(2)}` };
  const post = (path: string, data: object) =>
    page.request.post(`${site.url}/api/playlists${path}`, { headers, data });
  const answer = await post("", { name: "Hostile", isPublic: true });
  const { id } = (await answer.json()) as { id: string };
  await post(`/${id}/items`, { episodeId: 1 });
  return id;
}

const listed = (paths: string) => paths.trim().split(/\s+/);
const PAGES = listed(`
  / /about /three-es /speaking /podcast /episode/1 /conversations /media /search?q=hostile
  /search?q=hostile&kind=transcript
`);
/** Pages similar to those above; their scripts are not loaded. */
const OTHERS = listed(`
  /mission /listen /media-kit /guest /contact /speaking/book /privacy-policy /terms-of-service /essays /petitions /letters
`);
const FEEDS = ["/rss/podcast.xml", "/rss/essays.xml"];
const ADMIN = listed(`
  articles articles/categories articles/pages/three-es media media/campaigns media/posts podcast podcast/show podcast/files
  podcast/1 ventures ventures/1 speaking?edit=1 newsletter users settings/general settings/email
  guests guests/1 guests/messages guests/messages/2 guests/messages?box=spam guests/messages/3 guests/bookings
  guests/bookings/4 guests/comments?box=approved guests/comments?box=spam
  guests/person?email=${SENDER}
`).map((path) => `/admin/${path}`);

/** Signed in as the owner. Without Playwright, whose trace would store all responses. */
async function readAll(paths: string[]) {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  return Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(site.url + path, { headers: { cookie } });
      expect(answer.status, path).toBe(200);
      return answer.text();
    }),
  );
}

let shown: { pages: string[]; feeds: string[] };
let write: Awaited<ReturnType<typeof wordFields>>;

test("each text field is shown in public or in the admin area @full", async () => {
  const made = await makeItems();
  shown = { pages: [...PAGES, ...OTHERS, ...made.pages], feeds: [...FEEDS, ...made.feeds] };
  write = await wordFields(site.env.DB);
  const fields = new Set<string>();
  await write((field) => {
    fields.add(field);
    return `hostile ${field}`;
  });
  const forms = Object.keys(pagePaths).map((slug) => `/admin/articles/pages/${slug}`);
  const all = (await readAll([...shown.pages, ...shown.feeds, ...ADMIN, ...forms])).join();
  expect([...fields].filter((field) => !all.includes(`hostile ${field}`))).toEqual([]);
});

test("no text runs from a field on the pages and in the feeds, without a content policy @full", async () => {
  for (const chunk of chunksOf(lines)) {
    await write(() => `hostile ${chunk.join(" ")}`);
    const [pages, feeds] = await Promise.all([readAll(shown.pages), readAll(shown.feeds)]);
    const inFeeds = (await Promise.all(feeds.map(htmlOf))).flat();
    await expectHarmless([...pages, ...inFeeds]);
  }
});

test("no text runs from an email about an enquiry, or a reply to it @full", async () => {
  await expectHarmless(chunksOf(texts).flatMap((some) => enquiryMails(site, some)));
});

test("no text runs from a field that contains all of them, in public or in the admin area @full", async () => {
  await write(() => `hostile ${lines.join(" ")}`);
  for (const path of [...PAGES, ...ADMIN]) {
    await openHydrated(page, site.url + path);
    expect(await dangersIn(page), path).toEqual([]);
    expectNothingRan();
  }
});
