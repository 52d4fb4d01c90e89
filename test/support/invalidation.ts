import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { gt, max } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { api, documents, matcherOf, pages as pageRows, type Address } from "#worker/addresses.ts";
import { readFeedDocument } from "#worker/episodes/feed-queries.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { clearCache, TAGS } from "#worker/platform/http/cache.ts";
import { QUIET_MS } from "#worker/platform/http/documents.ts";
import { cacheTags } from "#worker/platform/table.ts";
import { fetchSite, ownerContext, SITE } from "./client.ts";
import { holdClock } from "./clock.ts";
import worker from "./worker.ts";
import { prepare, pages, machines } from "./invalidated-site.ts";
import { type Case, UNSEEN, writes, unseen } from "./invalidating-writes.ts";
import { sweepsAll } from "./sweeps.ts";

/**
 * Runs each write of `invalidating-writes.ts` on a site of its own: the addresses that depend on it must be
 * re-rendered, and no others.
 */

/** What the latest cached response of an address named as its tags, and when it was rendered. */
const known = new Map<string, { tags: string[]; renderedAt: number }>();
/** Cached long after the latest change, so that the response stays fresh for half an hour. */
const settled = new Set<string>();

async function ask(path: string, cache: "on" | "off") {
  // A response names its tags if the platform's cache is in front.
  const execution = Object.assign(createExecutionContext(), { cache: {} });
  // One address searches more often here than the limit allows.
  const BURST = { limit: async () => ({ success: true }) };
  const bindings = { ...env, EDGE_CACHE: cache, BURST } as Env;
  const response = await worker.fetch(new Request(`${SITE}${path}`) as never, bindings, execution);
  // Not `text()`: workerd warns about each type that it does not know as text.
  const body = new TextDecoder().decode(await response.arrayBuffer());
  await waitOnExecutionContext(execution);
  const isHit = response.headers.get("Server-Timing")?.includes('cache;desc="hit"') ?? false;
  if (cache === "on") remember(path, response.headers.get(TAGS), isHit);
  // The time at which its forms were rendered is not part of a page's content.
  const [, shownAt = "-"] = /name="shownAt" value="(\d+)"/.exec(body) ?? [];
  return { status: response.status, isHit, body: body.replaceAll(shownAt, "") };
}

function remember(path: string, tags: string | null, isHit: boolean) {
  const renderedAt = (isHit && known.get(path)?.renderedAt) || Date.now();
  known.set(path, { tags: tags?.split(",") ?? [], renderedAt });
  if (!isHit) settled.delete(path);
}

/** Milliseconds, well below the half hour after which a response is no longer fresh. */
const FRESH = 20 * 60_000;

const isSettled = (path: string) =>
  settled.has(path) && Date.now() - (known.get(path)?.renderedAt ?? 0) < FRESH;

const DAY_MS = 86_400_000;

/**
 * Shortly after the next midnight in UTC or in the site's time zone: pages that contain the date are re-rendered before
 * the day ends, without a write. No test file runs until the other midnight.
 */
const startOfTests = () => Math.min(...[0.5, 14.5].map((hour) => nextAt(hour * 3_600_000)));

const nextAt = (ofDay: number) => Math.ceil((Date.now() - ofDay) / DAY_MS) * DAY_MS + ofDay;

let time = 0;

/**
 * The public addresses that exist, all of them cached, with a stopped clock: responses cached shortly after a change
 * stay fresh for less time than a test may take. So this is long after the previous test's change.
 */
async function warm() {
  holdClock();
  time = (time || startOfTests()) + QUIET_MS + 5000;
  vi.setSystemTime(time);
  const cached: string[] = [];
  for (const path of [...pages(), ...machines()]) {
    if (isSettled(path)) {
      cached.push(path);
      continue;
    }
    const { status, isHit } = await ask(path, "on");
    if (status !== 200) continue;
    expect(isHit || (await ask(path, "on")).isHit, path).toBe(true);
    settled.add(path);
    cached.push(path);
  }
  return cached;
}

/** Those of these addresses that are re-rendered. The `compared` ones must equal a response without the cache. */
async function renewedOf(cached: string[], compared = cached) {
  const renewed: string[] = [];
  for (const path of cached) {
    const { isHit, body, status } = await ask(path, "on");
    if (!isHit) renewed.push(path);
    if (!compared.includes(path)) continue;
    const fresh = await ask(path, "off");
    expect([path, status]).toEqual([path, fresh.status]);
    if (status === 200) expect(body, path).toBe(fresh.body);
  }
  return renewed;
}

/** The kinds of changes in `make`, by the tags of the expired responses: for several items of one kind, the kind. */
const kindsOf = (tags: string[]) =>
  [...new Set(tags.map((tag) => tag.replace(/:(?:\d+|[0-9a-f-]{36})$/, ":id")))].toSorted().join(" ");

/** The kinds of changes that this file has made. */
const madeKinds = new Set<string>();
let controls = 0;

/** Every `step`th, from a different one each time. */
const controlsOf = (paths: string[], step = paths.length) =>
  paths.filter((_, at) => at % step === controls % step);

/**
 * After the first write of a kind, as many as `npm test` compares of the addresses that the write must not touch: another
 * part for each kind.
 */
const PARTS = 4;

/**
 * Which addresses to compare after changes of these kinds: the re-rendered ones after the first such write, and one after
 * later ones; and with them others that are not re-rendered. `npm run test:full` compares all after each write.
 */
function comparedFor(kinds: string, cached: string[], touched: string[]) {
  if (sweepsAll) return cached;
  const isFirst = !madeKinds.has(kinds);
  madeKinds.add(kinds);
  controls++;
  const others = cached.filter((path) => !touched.includes(path));
  return isFirst
    ? [...touched, ...controlsOf(others, PARTS)]
    : [...controlsOf(touched), ...controlsOf(others)];
}

/**
 * Responses only expire by tags: those that have none of the changed ones are only requested if they are among the `others`. A
 * response that a cache in front must not store does not name its tags.
 */
const askedAfter = (changed: string[], cached: string[], others: string[]) =>
  cached.filter((path) => {
    const { tags } = known.get(path)!;
    return (
      sweepsAll || tags.length === 0 || others.includes(path) || tags.some((tag) => changed.includes(tag))
    );
  });

/** One test file each, so that they run in parallel. */
const groups = {
  episodes: /Episode|Show/,
  playlists: /Playlist|^(add|remove|reorder)Items?$|Listener/,
  writing: /Article|Categor|Guids|File|placesOf|Variants|Letter|renderSlice/,
};

const groupOf = (useCase: string) =>
  Object.entries(groups).find(([, words]) => words.test(useCase))?.[0] ?? "others";

/** Tests the writes of one group on a site of its own. */
export function testWrites(group: keyof typeof groups | "others") {
  // The previous file may have run in the same isolate.
  madeKinds.clear();
  known.clear();
  settled.clear();
  beforeAll(prepare);
  const ofGroup = Object.entries(writes).filter(([useCase]) => groupOf(useCase) === group);
  testUnseen(ofGroup);
  testSeen(ofGroup);
}

/**
 * Makes a write, and returns the tags that it changed. The isolate's memory is cleared, the Cache API is not:
 * it checks for changes first. The clock advances by a millisecond, so that `ask` can distinguish a page from one
 * rendered at the time of the change.
 */
async function make(write: Case[1]) {
  const { db } = ownerContext();
  const [newest] = await db.select({ version: max(cacheTags.version) }).from(cacheTags);
  await write(ownerContext());
  vi.setSystemTime(Date.now() + 1);
  clearCache();
  const changed = await db
    .select({ tag: cacheTags.tag })
    .from(cacheTags)
    .where(gt(cacheTags.version, newest?.version ?? 0));
  return changed.map(({ tag }) => tag);
}

function testUnseen(ofGroup: [string, Case[]][]) {
  test("writes that visitors do not see expire nothing", async () => {
    const cached = await warm();
    for (const [useCase, cases] of ofGroup) {
      for (const [name, write] of cases.filter(([, , touched]) => touched === UNSEEN)) {
        const tags = await make(write);
        controls++;
        for (const path of askedAfter(tags, cached, controlsOf(cached)))
          expect((await ask(path, "on")).isHit, `${useCase} ${name}: ${path}`).toBe(true);
      }
    }
    expect(await renewedOf(cached)).toEqual([]);
  });
}

function testSeen(ofGroup: [string, Case[]][]) {
  for (const [useCase, cases] of ofGroup) {
    for (const [name, write, touched] of cases.filter((each) => each[2] !== UNSEEN)) {
      test(`${useCase}, ${name || "one"}: expires the pages that show it, and no others`, async () => {
        const cached = await warm();
        const tags = await make(write);
        const asked = [...pages(), ...machines()];
        expect(touched().filter((path) => !asked.includes(path))).toEqual([]);
        const expected = [...new Set(touched().filter((path) => cached.includes(path)))];
        const compared = comparedFor(kindsOf(tags), cached, expected);
        const renewed = await renewedOf(askedAfter(tags, cached, compared), compared);
        expect(renewed.toSorted()).toEqual(expected.toSorted());
        // The feed is joined from the stored XML of its items.
        const fresh = await readFeedDocument(ownerContext());
        expect(await (await fetchSite(FEED_PATH)).text()).toBe(fresh.xml);
      });
    }
  }
}

export const testThatNoneIsMissing = () =>
  test("every write is in the table, or in the list of those that visitors do not see", () => {
    const sources = import.meta.glob<string>(["../../worker/*/*.ts", "../../worker/*/*/*.ts"], {
      query: "?raw",
      import: "default",
      eager: true,
    });
    const found = Object.entries(sources)
      .filter(([path]) => !path.includes("/platform/") && !path.includes("/nouns/"))
      .flatMap(([, source]) => writersIn(source));
    expect(found.length).toBeGreaterThan(20);
    const named = [...Object.keys(writes), ...unseen];
    expect(found.filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !found.includes(name))).toEqual([]);
  });

export const testThatEveryAddressIsAsked = () => {
  const cached = Object.entries<Address & { isPersonal?: true }>({ ...pageRows, ...documents, ...api });
  test.each(cached.filter(([, { isPersonal }]) => !isPersonal))(
    "%s is requested after each write",
    (path, row) => {
      const find = matcherOf({ [path]: row });
      const asked = [...pages(), ...machines()].map((address) => new URL(address, SITE).pathname);
      expect(asked.some((pathname) => find(pathname))).toBe(true);
    },
  );
};

/** The exported functions of a file that write to D1, directly or through another function of the file. */
function writersIn(source: string) {
  const functions = source
    .split(/^(?=(?:export )?(?:async )?function |(?:export )?const )/m)
    .map((text) => text.split(/^\}/m)[0] ?? "")
    .map((text) => ({
      text,
      name: /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(text)?.[1] ?? "",
    }));
  const writers = new Set<string>();
  const isWriter = (text: string) =>
    /\bdb\s*\.(insert|update|delete)\(|\b(numberInOrder|claimRows|countSettled|stopStatement|finishIfDone|moveToBin|deleteFiles)\(|List\.(create|update|remove)\b/.test(
      text,
    ) || [...writers].some((name) => new RegExp(`\\b${name}\\(`).test(text));
  for (let size = -1; size !== writers.size;) {
    size = writers.size;
    for (const { text, name } of functions) if (!writers.has(name) && isWriter(text)) writers.add(name);
  }
  return functions
    .filter(({ text, name }) => text.startsWith("export") && writers.has(name))
    .map(({ name }) => name);
}
