import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext } from "#worker/platform/context.ts";
import { root } from "../scripts/tools.ts";
import { newAddress, pause } from "../test/load/client.ts";
import { signInOwner } from "../test/load/site.ts";
import { startSink } from "../test/load/smtp-sink.ts";
import { planTable, type Costs, type Measured } from "./plan-table.ts";
import { startQueuedBench, type Counts, type QueuedBench } from "./site.ts";

/** Times that each action is repeated, of which the mean is taken. */
const TIMES = 20;
/** Subscribers of the measured letter. */
const SUBSCRIBERS = 500;
/** Milliseconds between two cached requests: each then looks for changes, as on a site with few visitors. */
const APART = 5500;
const LOOKS = 4;
/**
 * Milliseconds between two reports of a visit, longer than the events' queue waits for more (wrangler.toml): each is
 * stored alone, as on a site with few visitors.
 */
const UNBATCHED = 4000;
const REPORTS = 8;
/** Milliseconds until queues have no more work, and between two looks. */
const QUIET_MS = 3000;
const MOST_MS = 600_000;

const PAGE = "/essays/write-the-last-page-first";
/** Each is rendered, since it is asked for the first time. */
const UNSEEN = ["/", "/podcast", "/essays", "/conversations", "/episode/5", "/media", PAGE, "/about"];

/**
 * What a visit, a tick, a sign-up and a letter cost on the free plan of the amounts that it includes: rows of D1, and
 * messages of the queues, of which each takes three operations.
 */
export async function measurePlan(): Promise<Measured> {
  const sink = await startSink();
  const bench = await startQueuedBench({ SMTP_URL: sink.url, EDGE_CACHE: "on", PLAN: "free" });
  try {
    return {
      rendered: await costOf(bench, UNSEEN.length - 1, (n) => get(bench.site + UNSEEN[n]!)),
      cached: await costOf(bench, LOOKS, async () => {
        await get(bench.site + PAGE);
        await pause(APART);
      }),
      beacon: await costOf(bench, REPORTS, async () => {
        await sendBeacon(bench.site);
        await pause(UNBATCHED);
      }),
      tick: await costOf(bench, TIMES, () => bench.tick("* * * * *")),
      night: await costOf(bench, 1, () => bench.tick("17 3 * * *")),
      signUp: await costOf(bench, TIMES, (n) => signUp(bench.site, n)),
      letter: await costOfLetter(bench),
    };
  } finally {
    await bench.stop();
    await sink.stop();
  }
}

/** The mean of an action, with what its queue messages cause. */
async function costOf(
  bench: QueuedBench,
  times: number,
  act: (n: number) => Promise<unknown>,
): Promise<Costs> {
  // Once before, which loads code and fills caches.
  await act(times);
  const before = await settled(bench);
  for (let n = 0; n < times; n++) await act(n);
  return shareOf(before, await settled(bench), times);
}

async function costOfLetter(bench: QueuedBench) {
  await bench.env.DB.batch([
    bench.env.DB.prepare("delete from subscribers"),
    bench.env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < cast(?1 as integer))
      insert into subscribers (id, email, status, source, subscribed_at, consent, verified_at, stamp)
      select 'reader-' || i, 'reader' || i || '@example.com', 'active', 'bench', ?2, 'Yes.', ?2, 's' from n`,
    ).bind(SUBSCRIBERS, Date.now()),
  ]);
  const ctx = createContext(bench.env, { actor: { kind: "job", name: "bench" } });
  const headers = { "Content-Type": "application/json", Cookie: await signInOwner(ctx) };
  const post = async (path: string, body: object) => {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${bench.site}/api/admin/newsletters${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const created = await post("", {
    subject: "A letter",
    content: "Some plain words.\n\n[On](https://example.com/)",
  });
  const { id } = (await created.json()) as { id: number };
  const before = await settled(bench);
  await post(`/${id}/send`, {});
  const find = bench.env.DB.prepare("select status from letters where id = ?").bind(id);
  const end = Date.now() + MOST_MS;
  while ((await find.first<{ status: string }>())?.status !== "sent") {
    if (Date.now() > end) throw new Error("The letter was not sent.");
    await pause(500);
  }
  return shareOf(before, await settled(bench), SUBSCRIBERS);
}

type State = Counts & { messages: number; kvKeys: number };

/** The counts once the queues have no more work. */
async function settled(bench: QueuedBench): Promise<State> {
  const end = Date.now() + MOST_MS;
  for (let last = await bench.counts(); ;) {
    await pause(QUIET_MS);
    const counts = await bench.counts();
    if (counts.statements === last.statements) {
      return { ...counts, messages: await countMessages(bench.env), kvKeys: await countKeys(bench.env) };
    }
    if (Date.now() > end) throw new Error("The queues always have work.");
    last = counts;
  }
}

/**
 * Each outbox row and each stored batch of events was one message. The parts of ticks are not counted: one message for
 * each part of the night's, less than 1 % of a day's operations, and one for each slice of a pass after a write.
 */
async function countMessages({ DB }: Env) {
  const row = await DB.prepare(
    "select (select count(*) from outbox) + (select count(*) from analytics_batches) as messages",
  ).first<{ messages: number }>();
  return row!.messages;
}

const countKeys = async ({ KV }: Env) => (await KV.list()).keys.length;

const shareOf = (before: State, after: State, times: number): Costs => ({
  rowsRead: (after.rowsRead - before.rowsRead) / times,
  rowsWritten: (after.rowsWritten - before.rowsWritten) / times,
  roundTrips: (after.trips - before.trips) / times,
  messages: (after.messages - before.messages) / times,
  kvWrites: (after.kvKeys - before.kvKeys) / times,
});

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers: { "CF-Connecting-IP": newAddress(), ...headers } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
}

/** What a reader's browser reports of a page that was read. */
async function sendBeacon(site: string) {
  const event = (eventType: string, metadata: object) => ({
    eventType,
    contentType: "page",
    contentId: "/about",
    userId: null,
    sessionId: crypto.randomUUID(),
    metadata: { timestamp: Date.now(), ...metadata },
  });
  const events = [
    event("page_view", {}),
    event("scroll_depth", { scrollDepth: 75 }),
    event("time_on_page", { seconds: 30 }),
    event("reading_time", { readingTime: 40 }),
  ];
  await send(`${site}/api/analytics/events`, { events }, "text/plain;charset=UTF-8");
}

const signUp = (site: string, n: number) =>
  send(`${site}/api/newsletter/subscribe`, { email: `new-${n}@example.com` }, "application/json");

async function send(url: string, body: object, type: string) {
  const headers = { "Content-Type": type, "CF-Connecting-IP": newAddress(), "User-Agent": BROWSER };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${said}`);
}

const BROWSER =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

const DOCS = join(root, "docs", "deploy.md");

/** Stores the measured costs, and writes the table that follows from them into docs/deploy.md. */
export function savePlan(measured: Measured) {
  writeFileSync(join(root, "bench", "plan.json"), `${JSON.stringify(measured, null, 2)}\n`);
  const [before, , after] = readFileSync(DOCS, "utf8").split(/<!-- plan -->|<!-- end of plan -->/);
  writeFileSync(DOCS, `${before}<!-- plan -->\n\n${planTable(measured)}\n\n<!-- end of plan -->${after}`);
}
