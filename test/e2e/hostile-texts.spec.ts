import { expect, test, type BrowserContext, type Page } from "@playwright/test";
import { hostileTexts } from "../support/hostile.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";

/** Texts that call `ran(index)` if a browser can be brought to run them. */
const texts = hostileTexts("ran");
/** Between them stands what ends a block of HTML, which would swallow the texts after it (CommonMark §4.6). */
const markdown = texts.join("\n--> ]]> ?> </style>\n\n");
/** Without what a line refuses: tabs, new lines, control characters. */
const lines = texts.map((text) => text.replaceAll(/\s/g, " "));

let site: Site;
let context: BrowserContext;
let page: Page;
let complaints: string[];
const ran = new Set<number>();

test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  site = await startSite({ sql: "delete from ventures" });
  context = await browser.newContext();
  await context.exposeBinding("ran", (_, index: number) => void ran.add(index));
  complaints = complaintsOf(context);
  page = await context.newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

/** Runs a frame after it was loaded, later than what else runs by itself. */
const LAST = `<style>@keyframes last { from { opacity: 0 } }</style><p style="animation: last 1ms" onanimationend="ran(-1)">`;

/** Shows each text in a document of its own without any policy, as a careless feed reader would, until all have run. */
async function showUnguarded(htmls: string[]) {
  const reader = await context.newPage();
  await reader.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
  await reader.goto("http://reader.example/");
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
  await reader.close();
}

/** Attributes and elements of the page that would run something, if not now then at a press. */
const dangersIn = (shown: Page) =>
  shown.evaluate(() => {
    const address = /^[\s\0-\x20]*(?:javascript|vbscript|data:text\/html|data:image\/svg)/i;
    const isDanger = ({ name, value }: Attr) =>
      name.startsWith("on") ||
      name === "srcdoc" ||
      (/^(?:href|src|action|formaction|xlink:href|data|poster|background|ping|srcset)$/.test(name) &&
        address.test(value));
    const attributes = [...document.querySelectorAll("body *")].flatMap((element) =>
      [...element.attributes]
        .filter(isDanger)
        .map(({ name, value }) => `${element.localName} ${name}=${value}`),
    );
    const foreign = "iframe, object, embed, applet, portal, base, marquee, frameset, main script, main style";
    return [...attributes, ...[...document.querySelectorAll(foreign)].map(({ outerHTML }) => outerHTML)];
  });

async function expectHarmless(path: string) {
  await openHydrated(page, site.url + path);
  expect(await dangersIn(page), path).toEqual([]);
}

function expectNothingRan() {
  expect([...ran].map((index) => texts[index])).toEqual([]);
  expect(complaints).toEqual([]);
}

async function create(path: string, data: object) {
  const answer = await page.request.post(`${site.url}/api/admin/${path}`, { data });
  expect(answer.status(), `${path}: ${await answer.text()}`).toBe(201);
  return (await answer.json()) as { id: number; slug: string };
}

/** The HTML in a feed's items, which must be well-formed whatever it holds. */
const textsOfFeed = (path: string) =>
  page.evaluate(async (address) => {
    const feed = new DOMParser().parseFromString(await (await fetch(address)).text(), "application/xml");
    if (feed.querySelector("parsererror")) throw new Error(feed.documentElement.textContent);
    return [...feed.querySelectorAll("*")]
      .filter(({ children }) => children.length === 0)
      .map(({ textContent }) => textContent);
  }, path);

test("the texts run where nothing guards against them", async () => {
  expect(texts.length).toBeGreaterThan(200);
  await showUnguarded(texts);
  // Others need a press, an older browser, or a page of their own.
  expect(ran.size).toBeGreaterThan(80);
  ran.clear();
  complaints.length = 0;
});

test("none runs in the preview, on the page of an essay or an episode, or in a feed's texts", async () => {
  const essay = await create("articles", { title: "Hostile", content: markdown, status: "published" });
  const episode = await create("episodes", {
    title: "Hostile",
    description: markdown.slice(0, 4000),
    showNotes: markdown,
    // An arrow ends a cue's text.
    transcript: `WEBVTT\n\n${lines
      .filter((text) => !text.includes("-->"))
      .map(cue)
      .join("\n\n")}`,
  });
  await openHydrated(page, `${site.url}/admin/articles/${essay.id}`);
  await expect(page.getByRole("region", { name: "Preview" })).toContainText("constructor.constructor");
  expect(await dangersIn(page)).toEqual([]);
  const publish = { status: "published" };
  await page.request.patch(`${site.url}/api/admin/episodes/${episode.id}`, { data: publish });
  await expectHarmless(`/essays/${essay.slug}`);
  for (const text of ["constructor.constructor", "%3Cscript%3E"])
    await expect(page.getByRole("article")).toContainText(text);
  await expectHarmless(`/episode/${episode.id}`);
  await showUnguarded([...(await htmlOf("/rss/podcast.xml")), ...(await htmlOf("/rss/essays.xml"))]);
  expectNothingRan();
});

const cue = (text: string, at: number) => {
  const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
  return `${time(at)} --> ${time(at + 1)}\n${text}`;
};

/** Of a feed, what a reader shows as HTML. */
const htmlOf = async (path: string) => (await textsOfFeed(path)).filter((text) => text.includes("<"));

test("none runs from any other field, on public pages or in the admin area", async () => {
  test.setTimeout(300_000);
  for (let index = 0; index < NUMBER; index++) await createOfEach(index);
  const settings = { name: at(0), description: at(1) };
  expect(await page.request.put(`${site.url}/api/admin/settings`, { data: settings })).toBeOK();
  await changePage("home", { headline: at(2), standfirst: at(3) });
  const body = { markdown: markdown.slice(0, 60_000) };
  await changePage("three-es", {
    headline: at(4),
    pillars: [{ title: lines.find(({ length }) => length > 60 && length < 120), text: at(5), body }],
  });
  for (const path of PATHS) await expectHarmless(path);
  expectNothingRan();
});

async function changePage(slug: string, change: object) {
  const address = `${site.url}/api/admin/pages/${slug}`;
  const { values } = (await (await page.request.get(address)).json()) as { values: object };
  const data = { ...values, ...change };
  expect(await page.request.put(address, { data })).toBeOK();
  const { html } = (await (await page.request.post(`${address}/preview`, { data })).json()) as {
    html: string;
  };
  await showUnguarded([html]);
}

/** Items of each kind: five fields of each, and so each text in each kind. */
const NUMBER = Math.ceil(texts.length / 5);
const at = (index: number) => lines[index % lines.length]!;

async function createOfEach(index: number) {
  const [a, b, c, d, e] = [0, 1, 2, 3, 4].map((step) => at(index + step * NUMBER)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const category = await create("categories", { name: a.slice(0, 80), description: b });
  const published = { status: "published" };
  await create("articles", {
    ...published,
    title: c,
    excerpt: `${d} ${e}`,
    tags: [a.slice(0, 60)],
    metaTitle: b,
    metaDescription: a,
    metaKeywords: e,
    categoryId: category.id,
  });
  await create("episodes", {
    title: a,
    description: `${b} ${c}`,
    people: [{ name: d.slice(0, 128) }],
    chapters: [{ start: 0, title: e }],
  });
  await create("engagements", { title: a, description: b, venue: c, location: d, notes: e });
  await create("ventures", { name: e.slice(0, 120), description: [a, b, c, d].join(" ") });
}

const PATHS = [
  "/",
  "/about",
  "/three-es",
  "/speaking",
  "/conversations",
  "/podcast",
  "/search?q=script",
  "/admin/articles",
  "/admin/articles/categories",
  "/admin/articles/pages/three-es",
  "/admin/podcast",
  "/admin/speaking",
  "/admin/ventures",
  "/admin/settings/general",
];
