import { sql } from "drizzle-orm";
import { findWorkerds } from "../../bench/processor.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import type { FetchedPosts, FetchPosts, LinkedInPost, NewItem } from "#worker/imports/contract.ts";
import { createContext } from "#worker/platform/context.ts";
import { startBuiltSite } from "../support/built-site.ts";
import { startLinkedIn, type Account } from "../support/linkedin-server.ts";
import { pause } from "./client.ts";
import { signInOwner } from "./site.ts";

/**
 * `npm run linkedin`: imports POSTS (500) posts from a simulated LinkedIn, which sometimes refuses requests as too many
 * and lets the token expire once, and kills the Worker POST_KILLS (2) times while it imports. Exits with 1 unless each
 * post is one article with its picture and engagement, and nothing else was created.
 */
const POSTS = Number(process.env["POSTS"] ?? 500);
const KILLS = Number(process.env["POST_KILLS"] ?? 2);
/** Milliseconds after which the run ends in any case. */
const MOST_MS = POSTS * 1500 + 180_000;
const STEP_MS = 500;
const TOKEN = "a-token";
const MINUTE_CRON = ["* * * * *"];

setTimeout(() => {
  console.error("LinkedIn: it did not end.");
  process.exit(1);
}, MOST_MS).unref();

const linkedIn = await startLinkedIn();
linkedIn.accounts.set(TOKEN, accountOf(POSTS));
const account = () => linkedIn.accounts.get(TOKEN)!;
let site = await start();
const { state } = site;
const [before] = await articlesAndFiles();

const items = (await fetchAll()).map(toItem);
const { id } = await send<{ id: number }>("POST", "/imports", {
  kind: "linkedin",
  source: "linkedin.com/in/imogen",
});
for (let at = 0; at < items.length; at += 100)
  await send("POST", `/imports/${id}/items`, { items: items.slice(at, at + 100) });
await send("POST", `/imports/${id}/start`, {});

const kills = Array.from({ length: KILLS }, () => Math.random() * POSTS * 0.8).toSorted((a, b) => a - b);
const expiry = { at: Math.floor(POSTS / 2), isOver: false };
let deaths = 0;
let progress = await send<Progress>("GET", `/imports/${id}`);
while (progress.state !== "done") {
  await pause(STEP_MS);
  const { done } = progress.counts;
  if (deaths < KILLS && done >= kills[deaths]!) await die();
  if (!expiry.isOver && done >= expiry.at) account().expiresAfter = account().requests.length;
  await site.tick(MINUTE_CRON);
  progress = await send<Progress>("GET", `/imports/${id}`);
  if (progress.state === "paused") {
    console.log(`LinkedIn: paused at ${progress.counts.done}. ${progress.pausedReason}`);
    delete account().expiresAfter;
    expiry.isOver = true;
    await send("POST", `/imports/${id}/resume`, {});
  }
}

const faults = await findFaults();
console.log(
  `LinkedIn: ${JSON.stringify(progress.counts)}, ${deaths} times killed, ${account().requests.length} requests.`,
);
for (const fault of faults.slice(0, 10)) console.error(fault);
console.log(faults.length === 0 ? "LinkedIn: no failure." : `LinkedIn: ${faults.length} failures.`);
await Promise.race([site.stop(), pause(5000)]);
linkedIn.stop();
process.exit(faults.length === 0 ? 0 : 1);

type Progress = { state: string; pausedReason: string | null; counts: { done: number; failed: number } };

function accountOf(count: number): Account {
  const ids = Array.from({ length: count }, (_, n) => `urn:li:share:${7_000_000 + n}`);
  const image = (n: number) => `urn:li:image:C${n}`;
  return {
    posts: ids.map((urn, n) => {
      const at = Date.now() - (n + 1) * 60_000;
      return {
        id: urn,
        commentary: `Post number ${n}.`,
        lifecycleState: "PUBLISHED",
        visibility: "PUBLIC",
        publishedAt: at,
        lastModifiedAt: at,
        content: { media: { id: image(n) } },
      };
    }),
    counts: Object.fromEntries(ids.map((urn, n) => [urn, { reactions: { LIKE: n }, comments: 1 }])),
    shares: Object.fromEntries(ids.map((urn) => [urn, 2])),
    images: Object.fromEntries(ids.map((_, n) => [image(n), "png" as const])),
    faults: Array.from({ length: 10 }, () => ({ path: "/rest/images", is: "busy" as const })),
    forbidden: [],
    requests: [],
  };
}

async function start(from?: string) {
  const built = await startBuiltSite({
    vars: {
      LINKEDIN_TOKEN: TOKEN,
      LINKEDIN_URL: `http://127.0.0.1:${linkedIn.port}`,
      IMPORT_LOOPBACK: "on",
    },
    state: from,
    log: ({ level, message }) => level === "error" && console.error(message.slice(0, 300)),
  });
  const ctx = createContext(built.env, { actor: { kind: "job", name: "load" } });
  return { ...built, ctx, cookie: await signInOwner(ctx) };
}

async function send<T>(method: string, path: string, body?: unknown) {
  const response = await fetch(`${site.url}/api/admin${path}`, {
    method,
    headers: { Cookie: site.cookie, ...(body !== undefined && { "Content-Type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function fetchAll() {
  const posts: FetchedPosts["posts"] = [];
  for (let after: FetchPosts["after"]; ;) {
    const input: FetchPosts = { profileUrl: "https://www.linkedin.com/in/imogen", lookbackYears: 2, after };
    const page = await send<FetchedPosts>("POST", "/imports/linkedin/posts", input);
    posts.push(...page.posts);
    if (!page.next) return posts;
    after = page.next;
  }
}

function toItem({ words, link: _link, isFilm: _isFilm, ...told }: FetchedPosts["posts"][number]): NewItem {
  const payload: LinkedInPost = {
    title: words,
    excerpt: words,
    content: words,
    status: "published",
    ...told,
  };
  return { key: told.sourceUrl, title: words, payload };
}

/** Like a power failure: nothing finishes, and claims lapse after some minutes. */
async function die() {
  for (const workerd of findWorkerds()) process.kill(Number(workerd), "SIGKILL");
  await Promise.race([site.stop({ keepState: true }).catch(() => undefined), pause(3000)]);
  deaths++;
  site = await start(state);
  const { db } = site.ctx;
  const [row] = await db.all<{ n: number }>(
    sql`select count(*) as n from ${importItems} where ${importItems.state} = 'working'`,
  );
  console.log(`LinkedIn: killed with ${row!.n} posts under way.`);
  await db.run(sql`update ${importItems} set not_before = 0 where state = 'working'`);
}

async function articlesAndFiles() {
  return site.ctx.db.all<{ articles: number; files: number }>(
    sql`select (select count(*) from articles) as articles, (select count(*) from files) as files`,
  );
}

async function findFaults() {
  const { db } = site.ctx;
  const found: string[] = [];
  const rows = await db.all<{
    sourceUrl: string;
    n: number;
    pictures: number;
    likes: number;
    shares: number;
  }>(sql`
    select source_url as sourceUrl, count(*) as n, count(files.id) as pictures,
      engagement ->> 'likes' as likes, engagement ->> 'shares' as shares
    from articles left join files on files.id = image_file_id and files.status = 'complete'
    where source = 'linkedin' and title like 'Post number %' group by source_url`);
  const bySource = new Map(rows.map((row) => [row.sourceUrl, row]));
  for (let n = 0; n < POSTS; n++) {
    const source = `https://www.linkedin.com/feed/update/urn:li:share:${7_000_000 + n}`;
    const row = bySource.get(source);
    if (row?.n !== 1) found.push(`${source} is ${row?.n ?? 0} articles.`);
    else if (row.pictures !== 1 || row.likes !== n || row.shares !== 2)
      found.push(`${source} is incomplete: ${JSON.stringify(row)}`);
  }
  const [after] = await articlesAndFiles();
  const made = after!.articles - before!.articles;
  if (made !== POSTS) found.push(`${made} articles were made of ${POSTS} posts.`);
  console.log(
    `LinkedIn: ${after!.files - before!.files} files for ${POSTS} pictures; what a kill left over is swept.`,
  );
  // An item interrupted after its article was created finds the article.
  const [ended] = await db.all<{ had: number }>(
    sql`select done + skipped as had from ${imports} where id = ${id}`,
  );
  if (ended!.had !== POSTS) found.push(`${ended!.had} of ${POSTS} processed.`);
  return found;
}
