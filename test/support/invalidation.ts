import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { gt, max } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { api, documents, matcherOf, pages as pageRows, type Address } from "#worker/addresses.ts";
import { clearCache } from "#worker/platform/http/cache.ts";
import { QUIET_MS } from "#worker/platform/http/documents.ts";
import { cacheTags } from "#worker/platform/table.ts";
import { ownerContext, SITE } from "./client.ts";
import { holdClock } from "./clock.ts";
import worker from "./worker.ts";
import { prepare, pages, machines } from "./invalidated-site.ts";
import { type Case, UNSEEN, writes, unseen } from "./invalidating-writes.ts";

/** Makes each write of `invalidating-writes.ts` on a site of its own: what it touches is made anew, and nothing else. */

async function ask(path: string, cache: "on" | "off") {
  const execution = createExecutionContext();
  // One address searches more often here than it may.
  const BURST = { limit: async () => ({ success: true }) };
  const bindings = { ...env, EDGE_CACHE: cache, BURST } as Env;
  const response = await worker.fetch(new Request(`${SITE}${path}`) as never, bindings, execution);
  // Not `text()`, by which workerd warns of each type that it does not know as one of text.
  const body = new TextDecoder().decode(await response.arrayBuffer());
  await waitOnExecutionContext(execution);
  const isHit = response.headers.get("Server-Timing")?.includes('cache;desc="hit"') ?? false;
  // When its forms were rendered is no part of what a page says.
  const [, shownAt = "-"] = /name="shownAt" value="(\d+)"/.exec(body) ?? [];
  return { status: response.status, isHit, body: body.replaceAll(shownAt, "") };
}

const DAY_MS = 86_400_000;

/**
 * A while after midnight in UTC or in the site's time zone, whichever comes next: pages that say which day it is are
 * rendered anew before the day ends, without a write. No file of tests lasts until the other midnight.
 */
const startOfTests = () => Math.min(...[0.5, 14.5].map((hour) => nextAt(hour * 3_600_000)));

const nextAt = (ofDay: number) => Math.ceil((Date.now() - ofDay) / DAY_MS) * DAY_MS + ofDay;

let time = 0;

/**
 * The public addresses that exist, all of them cached, at a time that stands still: what is cached just after a change is
 * fresh for less time than a test may take. So this is long after the change that the test before it made.
 */
async function warm() {
  holdClock();
  time = (time || startOfTests()) + QUIET_MS + 1000;
  vi.setSystemTime(time);
  const cached: string[] = [];
  for (const path of [...pages(), ...machines()]) {
    const { status, isHit } = await ask(path, "on");
    if (status !== 200) continue;
    expect(isHit || (await ask(path, "on")).isHit, path).toBe(true);
    cached.push(path);
  }
  return cached;
}

/** What is made anew of these. Those of `compared` must be what they are without a cache. */
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

/** What changed in `make`, by the tags of the answers that expired: of several items of one kind, the kind. */
const kindsOf = (tags: string[]) =>
  [...new Set(tags.map((tag) => tag.replace(/:(?:\d+|[0-9a-f-]{36})$/, ":id")))].toSorted().join(" ");

/** `npm run test:full` compares every address after each write. */
const sweepsAll = (env as unknown as { SWEEPS: string }).SWEEPS === "all";

/** The kinds of changes of this file after which every address was compared with what it is without a cache. */
const comparedAfter = new Set<string>();
let controls = 0;

/** Another one each time. */
const controlOf = (paths: string[]) => paths.slice(controls % paths.length).slice(0, 1);

/**
 * Which addresses to compare after changes of these kinds. Answers expire by nothing else: so all are compared after the
 * first such write, and after later ones one that is made anew and one that is not.
 */
function comparedFor(kinds: string, cached: string[], touched: string[]) {
  const isFirst = !comparedAfter.has(kinds);
  comparedAfter.add(kinds);
  if (isFirst || sweepsAll) return cached;
  controls++;
  return [...controlOf(touched), ...controlOf(cached.filter((path) => !touched.includes(path)))];
}

/** One file of tests each, so that they run side by side. */
const groups = {
  episodes: /Episode|Show/,
  playlists: /Playlist|^(add|remove|reorder)Items?$|Listener/,
  writing: /Article|Categor|Guids|File|placesOf|Variants|Letter|renderSlice/,
};

const groupOf = (useCase: string) =>
  Object.entries(groups).find(([, words]) => words.test(useCase))?.[0] ?? "others";

/** Tests the writes of one group on a site of its own. */
export function testWrites(group: keyof typeof groups | "others") {
  // The file before this one may have run in the same isolate.
  comparedAfter.clear();
  beforeAll(prepare);
  const ofGroup = Object.entries(writes).filter(([useCase]) => groupOf(useCase) === group);
  testUnseen(ofGroup);
  testSeen(ofGroup);
}

/**
 * Makes a write, and returns which kinds of tags it changed. The memory of this isolate is cleared, the Cache API is not:
 * it looks for changes first. A millisecond passes, so that no page is shown in that of the change: `ask` could not tell
 * the two apart.
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
  return kindsOf(changed.map(({ tag }) => tag));
}

function testUnseen(ofGroup: [string, Case[]][]) {
  test("what visitors do not see makes nothing out of date", async () => {
    const cached = await warm();
    for (const [useCase, cases] of ofGroup) {
      for (const [name, write] of cases.filter(([, , touched]) => touched === UNSEEN)) {
        const kinds = await make(write);
        controls++;
        // Without a tag nothing expires: one is asked for all.
        for (const path of kinds === "" && !sweepsAll ? controlOf(cached) : cached)
          expect((await ask(path, "on")).isHit, `${useCase} ${name}: ${path}`).toBe(true);
      }
    }
    expect(await renewedOf(cached)).toEqual([]);
  });
}

function testSeen(ofGroup: [string, Case[]][]) {
  for (const [useCase, cases] of ofGroup) {
    for (const [name, write, touched] of cases.filter((each) => each[2] !== UNSEEN)) {
      test(`${useCase}, ${name || "one"}: makes what it touches out of date, and nothing else`, async () => {
        const cached = await warm();
        const kinds = await make(write);
        const asked = [...pages(), ...machines()];
        expect(touched().filter((path) => !asked.includes(path))).toEqual([]);
        const expected = [...new Set(touched().filter((path) => cached.includes(path)))];
        const compared = comparedFor(kinds, cached, expected);
        expect((await renewedOf(cached, compared)).toSorted()).toEqual(expected.toSorted());
      });
    }
  }
}

export const testThatNoneIsMissing = () =>
  test("every write stands in the table, or among those that visitors do not see", () => {
    const sources = import.meta.glob<string>(["../../worker/*/*.ts", "../../worker/*/*/*.ts"], {
      query: "?raw",
      import: "default",
      eager: true,
    });
    const found = Object.entries(sources)
      .filter(([path]) => !path.includes("/platform/"))
      .flatMap(([, source]) => writersIn(source));
    expect(found.length).toBeGreaterThan(20);
    const named = [...Object.keys(writes), ...unseen];
    expect(found.filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !found.includes(name))).toEqual([]);
  });

export const testThatEveryAddressIsAsked = () => {
  const cached = Object.entries<Address & { isPersonal?: true }>({ ...pageRows, ...documents, ...api });
  test.each(cached.filter(([, { isPersonal }]) => !isPersonal))(
    "%s is asked after each write",
    (path, row) => {
      const find = matcherOf({ [path]: row });
      const asked = [...pages(), ...machines()].map((address) => new URL(address, SITE).pathname);
      expect(asked.some((pathname) => find(pathname))).toBe(true);
    },
  );
};

/** The exported functions of a file that write to D1, by themselves or through another of the file's. */
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
    /\bdb\s*\.(insert|update|delete)\(|\b(numberInOrder|claimRows|countSettled|stopStatement|finishIfDone)\(/.test(
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
