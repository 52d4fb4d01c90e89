import { sql } from "drizzle-orm";
import { findWorkerds, processorTime } from "../../bench/processor.ts";
import { deliveries } from "#worker/letters/table.ts";
import { outbox } from "#worker/platform/table.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import { startBuiltSite } from "../support/built-site.ts";
import { pause } from "./client.ts";
import { residentMB } from "./memory.ts";
import { signInOwner } from "./site.ts";
import { startSink } from "./smtp-sink.ts";

/**
 * `npm run letters`: sends a letter to LETTERS (100,000) subscribers through a real mail server, and kills the Worker
 * LETTER_KILLS (3) times while it sends. Exits with 1 unless each subscriber has one settled delivery, none is missing
 * at the server, and none received the letter twice except those with an uncertain delivery. `PLAN=free` sends in small slices.
 */
const LETTERS = Number(process.env["LETTERS"] ?? 100_000);
const KILLS = Number(process.env["LETTER_KILLS"] ?? 3);
/** Milliseconds after which the run ends in any case. */
const MOST_MS = LETTERS * 30 + 120_000;
const STEP_MS = 500;

setTimeout(() => {
  console.error("Letters: it did not end.");
  process.exit(1);
}, MOST_MS).unref();

const sink = await startSink();
let site = await start();
const { state } = site;
await seed(site.ctx);
const letter = await post<{ id: number }>("/api/admin/newsletters", {
  subject: "A letter to all",
  content: `${"Ten plain words that stand here for a paragraph, again. ".repeat(60)}\n\n[Read on](https://example.com/)`,
});
const begun = performance.now();
await post(`/api/admin/newsletters/${letter.id}/send`, {});
console.log(`Letters: ${LETTERS} recipients frozen in ${Math.round(performance.now() - begun)} ms.`);

const kills = Array.from({ length: KILLS }, () => Math.random() * LETTERS * 0.9).toSorted((a, b) => a - b);
let deaths = 0;
/** Milliseconds without a running Worker. */
let downMs = 0;
let status = "sending";
let peak = 0;
const sendingFrom = performance.now();
while (status === "sending") {
  await pause(STEP_MS);
  if (deaths < KILLS && sink.total >= kills[deaths]!) {
    const diedAt = performance.now();
    await die();
    downMs += performance.now() - diedAt;
    continue;
  }
  await site.tick(["* * * * *"]);
  peak = Math.max(peak, residentMB());
  ({ status } = await progress());
}

const sendingMs = performance.now() - sendingFrom - downMs;
const processorMs = processorTime();
const before = await count();
console.log(`Letters: ${sink.total} at the server, ${deaths} times killed; ${JSON.stringify(before)}`);
const uncertain = new Set(await addressesOf("uncertain"));
if (uncertain.size > 0) {
  await post(`/api/admin/newsletters/${letter.id}/resend`, {});
  while ((await progress()).status === "sending") {
    await pause(STEP_MS);
    await site.tick(["* * * * *"]);
  }
}
const faults = await findFaults();
console.table({
  letters: LETTERS,
  "letters a minute": Math.round((LETTERS / sendingMs) * 60_000),
  // Of the last Worker, which sent all of them if none was killed.
  ...(KILLS === 0 && { "processor ms a letter": Math.round((processorMs / LETTERS) * 10) / 10 }),
  "uncertain after the kills": uncertain.size,
  "workerd MB at most": Math.round(peak),
});
for (const fault of faults.slice(0, 10)) console.error(fault);
console.log(faults.length === 0 ? "Letters: no failure." : `Letters: ${faults.length} failures.`);
await Promise.race([site.stop(), pause(5000)]);
await Promise.race([sink.stop(), pause(2000)]);
process.exit(faults.length === 0 ? 0 : 1);

async function start(from?: string) {
  const built = await startBuiltSite({
    vars: { SMTP_URL: sink.url, PLAN: process.env["PLAN"] ?? "paid" },
    state: from,
    log: ({ level, message }) => level === "error" && console.error(message.slice(0, 300)),
  });
  const ctx = createContext(built.env, { actor: { kind: "job", name: "load" } });
  return { ...built, ctx, cookie: await signInOwner(ctx) };
}

async function seed({ db }: Context) {
  const now = Date.now();
  await db.run(sql`delete from subscribers`);
  for (let from = 0; from < LETTERS; from += 25_000) {
    const most = Math.min(LETTERS, from + 25_000);
    await db.run(sql`
      with recursive n(i) as (select ${from} union all select i + 1 from n where i + 1 < ${most})
      insert into subscribers (id, email, status, source, subscribed_at, consent, verified_at, stamp)
      select lower(hex(randomblob(16))), 'reader' || cast(i as integer) || '@example.com', 'active', 'load', cast(${now} - i as integer), 'Yes.', ${now}, 's'
      from n`);
  }
}

/** Like a power failure: nothing finishes, and claims lapse after some minutes. */
async function die() {
  for (const id of findWorkerds()) process.kill(Number(id), "SIGKILL");
  await Promise.race([site.stop({ keepState: true }).catch(() => undefined), pause(3000)]);
  deaths++;
  site = await start(state);
  const { db } = site.ctx;
  await db
    .update(outbox)
    .set({ claimedUntil: new Date(0) })
    .where(sql`claimed_until is not null and done_at is null`);
  await db
    .update(deliveries)
    .set({ notBefore: new Date(0) })
    .where(sql`status = 'sending'`);
}

async function post<T>(path: string, body: unknown) {
  const response = await fetch(site.url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Cookie: site.cookie },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function progress() {
  const path = `/api/admin/newsletters/${letter.id}/progress`;
  const response = await fetch(site.url + path, { headers: { Cookie: site.cookie } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { status: string };
}

async function count() {
  const rows = await site.ctx.db.all<{ status: string; n: number }>(
    sql`select status, count(*) as n from letter_deliveries where letter_id = ${letter.id} group by status`,
  );
  return Object.fromEntries(rows.map(({ status: name, n }) => [name, n]));
}

async function addressesOf(name: string) {
  const rows = await site.ctx.db.all<{ email: string }>(sql`
    select email from letter_deliveries join subscribers on subscribers.id = subscriber_id
    where letter_id = ${letter.id} and letter_deliveries.status = ${name}`);
  return rows.map(({ email }) => email);
}

async function findFaults() {
  const found: string[] = [];
  const sent = new Set(await addressesOf("sent"));
  if (sent.size !== LETTERS)
    found.push(`${sent.size} of ${LETTERS} are settled as sent: ${JSON.stringify(await count())}`);
  for (let n = 0; n < LETTERS; n++) {
    const address = `reader${n}@example.com`;
    const { copies, ids } = sink.copiesOf(address);
    if (copies === 0) found.push(`${address} got nothing.`);
    if (copies > 1 && !uncertain.has(address))
      found.push(`${address} got ${copies} copies and was not uncertain.`);
    if (ids > 1) found.push(`${address} got ${ids} Message-IDs.`);
  }
  return found;
}
