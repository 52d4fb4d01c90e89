import { randomUUID } from "node:crypto";
import { hashPassword } from "#worker/accounts/passwords.ts";
import { base64url } from "jose";
import { createContext } from "#worker/platform/context.ts";
import { freeBounds } from "#worker/platform/plan-limits.ts";
import { languageFrom } from "../../bench/language.ts";
import { median } from "../../bench/load.ts";
import { transcript } from "../../bench/long-content.ts";
import { serveOldPodcast, type Host } from "../../bench/old-podcast.ts";
import { startSteppedSite, type SteppedSite } from "../../bench/site.ts";
import { steppedClient } from "../../bench/stepped-client.ts";
import { DAILY, MINUTE } from "../../scripts/local.ts";
import { preparedState } from "../../scripts/prepared-state.ts";
import { makeAuthenticator, type Authenticator } from "../support/authenticator.ts";
import { makeMp3 } from "../support/mp3.ts";
import { startPodcastHost } from "../support/podcast-host.ts";
import { pngOf } from "../support/png.ts";
import { LimitedSite } from "./limited-site.ts";
import { REFERENCE } from "./reference-work.ts";
import { signInOwner } from "./site.ts";
import { startSink } from "./smtp-sink.ts";
import { replaceSubscribers } from "./subscribers.ts";

/**
 * `npm run free-plan`: a visitor, a feed reader and the owner use the built site on the free plan, where an invocation
 * ends at 10 ms of processor time; `npm run free-plan -- essay letter` does those alone. Fails if a journey does. Each is done several times first: WARM_UP times until V8
 * has compiled most of the code, and TRIES times to measure each step; then once with the limit.
 */
const WARM_UP = Number(process.env["WARM_UP"] ?? 10);
const TRIES = Number(process.env["TRIES"] ?? 5);
/** Words in the names of the journeys to do; none for all. */
const asked = process.argv.slice(2);
/** Of a letter and an import, and of those before the measured ones. */
const WHOLE = { subscribers: 200, episodes: 10 };
const SHORT = { subscribers: 20, episodes: 2 };
type Size = typeof WHOLE;
/** Times that a page is read in each journey. */
const READS = 3;
const HOUR = 3600;
/** A hash that is expensive to check is expensive to guess (docs/deploy.md). */
const SIGN_IN = "owner: sign in by password";
const BY_PASSKEY = "owner: sign in by passkey";
const PASSWORD = "a long and quiet verandah";

const BROWSER =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

if (process.platform === "linux") await run();
else console.log("Free plan: only Linux tells the processor time of another process.");
process.exit();

async function run() {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const sink = await startSink();
  const host = await startPodcastHost();
  const vars = { SMTP_URL: sink.url, IMPORT_LOOPBACK: "on", PLAN: "free" };
  const site = await startSteppedSite(vars, await preparedState(), REFERENCE);
  const limited = new LimitedSite(site, [SIGN_IN]);
  const journeys = await prepare(site, limited, host);
  for (let round = 0; round < WARM_UP + TRIES; round++) {
    limited.isCounting = round >= WARM_UP;
    if (limited.isCounting) await limited.calibrate();
    for (const journey of Object.values(journeys)) await journey(round, limited.isCounting ? WHOLE : SHORT);
  }
  limited.isEnforced = true;
  await limited.calibrate();
  const failures: string[] = [];
  for (const [name, journey] of Object.entries(journeys)) {
    limited.waiting = [];
    await journey(WARM_UP + TRIES, WHOLE).catch((error: unknown) =>
      failures.push(`${name}: ${String(error)}`),
    );
  }
  show(limited);
  for (const name of limited.findEnded()) failures.push(`“${name}” takes longer than the free plan allows.`);
  for (const failure of failures) console.error(failure);
  console.log(failures.length === 0 ? "Free plan: every journey succeeds." : "Free plan: a journey fails.");
  await site.stop();
  host.stop();
  await sink.stop();
  if (failures.length > 0) process.exitCode = 1;
}

/** The most expensive first. */
function show({ costs }: LimitedSite) {
  const round = (ms: number) => Number(ms.toFixed(1));
  const rows = [...costs]
    .map(([name, { times, statements }]) => ({ name, times, statements, ms: median(times) }))
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ name, ms, times, statements }) => {
      return [name, { ms: round(ms), most: round(Math.max(...times)), statements, count: times.length }];
    });
  console.log(`Free plan: milliseconds of processor time, of ${freeBounds.processorMs.amount} at most`);
  console.table(Object.fromEntries(rows));
}

async function prepare(site: SteppedSite, limited: LimitedSite, host: Host) {
  const language = languageFrom(5);
  const newContext = () => createContext(site.env, { actor: { kind: "job", name: "free plan" } });
  const openSession = () => signInOwner(newContext());
  const { ask, send, page, drain, upload } = steppedClient({
    stepper: limited,
    env: site.env,
    signIn: openSession,
  });
  const owner = await addOwner(site.env.DB);
  const authenticator = await makeAuthenticator(newContext().config.siteUrl);
  await addPasskey(site.env.DB, owner, authenticator);
  // With the tag of encoders, which has the length.
  const audio = makeMp3({ seconds: HOUR, xing: true, tag: { title: "An hour" } });
  const picture = new Uint8Array(await pngOf(1400, 1400));
  const json = { "Content-Type": "application/json" };
  const post = (name: string, path: string, body: unknown, headers: Record<string, string> = json) =>
    ask(name, path, { method: "POST", headers, body: JSON.stringify(body) });

  async function visit() {
    for (const path of ["/", "/podcast", "/episode/5", "/essays", "/essays/write-the-last-page-first"])
      for (let n = 0; n < READS; n++) await ask(`visitor: ${path}`, path);
    for (let n = 0; n < READS; n++) {
      await ask("visitor: search", "/search?q=rent");
      await ask("visitor: search for a rare word", `/search?q=${language.word(800)}`);
    }
    const email = `${randomUUID()}@example.com`;
    await post("visitor: subscribe", "/api/newsletter/subscribe", { email });
    await drain();
    const link = new URL(await linkTo(email));
    await ask("visitor: open the confirmation", link.pathname + link.search);
    await post("visitor: confirm", "/api/newsletter/verify", { token: link.searchParams.get("token") });
    await post(
      "visitor: report of a visit",
      "/api/analytics/events",
      { events: [viewOf("/")] },
      { "Content-Type": "text/plain;charset=UTF-8", "User-Agent": BROWSER },
    );
    await drain();
    await site.env.DB.prepare("delete from subscribers where email = ?").bind(email).run();
  }

  async function linkTo(email: string) {
    const link = await site.env.DB.prepare(
      "select payload ->> 'link' as link from outbox where topic = 'mail' and payload ->> 'to' = ?",
    )
      .bind(email)
      .first<string>("link");
    if (!link) throw new Error("No email has the link of the confirmation.");
    return link;
  }

  async function readFeeds() {
    for (const path of ["/rss/podcast.xml", "/rss/essays.xml"]) {
      const { headers, body } = await ask(`feed reader: ${path}`, path);
      const again = { "If-None-Match": headers.get("ETag") ?? "" };
      const { status } = await ask(`feed reader: ${path}, unchanged`, path, { headers: again });
      if (status !== 304) throw new Error(`${path} was sent again: ${status}`);
      const [, enclosure] = /<enclosure url="([^"]+)"/.exec(body.toString()) ?? [];
      if (!enclosure) continue;
      const range = { Range: "bytes=0-262143", "User-Agent": "AntennaPod/3.5" };
      const { pathname } = new URL(enclosure);
      const { status: part } = await ask("feed reader: a part of the audio", pathname, { headers: range });
      if (part !== 206) throw new Error(`${pathname} was answered with ${part}.`);
      await drain();
    }
  }

  async function signIn() {
    await ask("owner: the form to sign in", "/admin/login");
    await post(SIGN_IN, "/api/admin/session", { email: owner, password: PASSWORD });
    await signInByPasskey();
    for (const tab of ["articles", "podcast", "newsletter", "analytics", "guests", "settings/general"])
      for (let n = 0; n < READS; n++) await page(`owner: ${tab}`, `/admin/${tab}`);
  }

  async function signInByPasskey() {
    const { body } = await ask("owner: offer of passkeys", "/api/admin/session/passkey");
    const options = JSON.parse(body.toString()) as { challenge: string };
    const answer = await authenticator.get(options, { user: base64url.encode(owner) });
    const { status } = await post(BY_PASSKEY, "/api/admin/session/passkey", answer);
    if (status !== 201) throw new Error(`The passkey was answered with ${status}.`);
  }

  /** Ticks until they leave nothing to do. */
  async function settle(after: string) {
    for (let n = 0; n < 2; n++) {
      await limited.tick(`tick after ${after}`, MINUTE);
      await drain();
    }
  }

  async function publishEssay(round: number) {
    const imageFileId = await upload({
      kind: "picture",
      name: "a.png",
      type: "image/png",
      folder: "uploads",
      bytes: picture,
    });
    const content = language.paragraphs(1500);
    await page("essay: the form", "/admin/articles/new");
    const { id } = await send<{ id: number }>("essay: first autosave", "POST", "/articles", {
      title: `${language.title()} ${round}`,
      content: content.slice(0, content.length / 2),
      automatic: true,
      draftKey: randomUUID(),
    });
    await send("essay: autosave", "PATCH", `/articles/${id}`, { content, automatic: true });
    await send("essay: preview", "POST", "/articles/preview", { content });
    await send("essay: save", "PATCH", `/articles/${id}`, { imageFileId, imageAlt: "A square" });
    await page("essay: its form", `/admin/articles/${id}`);
    const { values } = await send<{ values: { slug: string } }>(
      "essay: publish",
      "PATCH",
      `/articles/${id}`,
      {
        status: "published",
      },
    );
    await drain();
    await settle("an essay");
    await ask("essay: its page", `/essays/${values.slug}`);
    await send("essay: correct", "PATCH", `/articles/${id}`, { content: `${content}\n\nA correction.` });
    await drain();
    await settle("an essay");
    await send("essay: delete", "DELETE", `/articles/${id}`);
  }

  async function publishEpisode(round: number) {
    const audioFileId = await upload({
      kind: "audio of an hour",
      name: "a.mp3",
      type: "audio/mpeg",
      folder: "podcast-audio",
      bytes: audio,
    });
    const peaks = Buffer.alloc(1800, 120).toString("base64");
    await send("episode: peaks", "PUT", `/files/${audioFileId}/peaks`, { peaks });
    await page("episode: the form", "/admin/podcast/new");
    const spoken = transcript(language, HOUR);
    const { id } = await send<{ id: number }>("episode: first autosave", "POST", "/episodes", {
      title: `${language.title()} ${round}`,
      description: language.sentences(40),
      audioFileId,
      allowDuplicateAudio: true,
      automatic: true,
      draftKey: randomUUID(),
    });
    const showNotes = language.paragraphs(600);
    await send("episode: autosave", "PATCH", `/episodes/${id}`, { showNotes, automatic: true });
    await send("episode: preview", "POST", "/episodes/preview", { showNotes, durationSeconds: HOUR });
    await send("episode: check the transcript", "POST", "/episodes/check-transcript", { transcript: spoken });
    await send("episode: save the transcript", "PATCH", `/episodes/${id}`, { transcript: spoken });
    await page("episode: its form", `/admin/podcast/${id}`);
    await send("episode: publish", "PATCH", `/episodes/${id}`, {
      status: "published",
      allowDuplicateAudio: true,
    });
    await drain();
    await settle("an episode");
    await ask("episode: its page", `/episode/${id}`);
    await ask("episode: its transcript", `/episode/${id}/transcript.vtt`);
    await ask("episode: the feed", "/rss/podcast.xml");
    await ask("episode: search", `/search?q=${language.word(800)}`);
    await send("episode: delete", "DELETE", `/episodes/${id}`);
    // In the bin it still uses its recording.
    await send("episode: delete for good", "DELETE", `/bin/episode:${id}`);
    await send("audio of an hour: delete", "DELETE", `/files/${audioFileId}`);
  }

  async function sendLetter(round: number, { subscribers }: Size) {
    await replaceSubscribers(site.env.DB, subscribers);
    await page("letter: the form", "/admin/newsletter/new");
    const content = `${language.paragraphs(600)}\n\n[On](https://example.com/)`;
    const { id } = await send<{ id: number }>("letter: create", "POST", "/newsletters", {
      subject: `A letter ${round}`,
      content,
    });
    await send("letter: save", "PATCH", `/newsletters/${id}`, { content: `${content}\n\nMore.` });
    await send("letter: preview", "POST", "/newsletters/preview", {
      subject: "A letter",
      preheader: "",
      content,
    });
    await page("letter: its review", `/admin/newsletter/${id}/send`);
    await send("letter: check", "POST", `/newsletters/${id}/check`, {});
    await send("letter: send", "POST", `/newsletters/${id}/send`, {});
    await drain();
    await settle("a letter");
    await page("letter: its report", `/admin/newsletter/${id}/report`);
    const { counts } = await send<{ counts: { sent: number } }>(
      "letter: progress",
      "GET",
      `/newsletters/${id}/progress`,
    );
    if (counts.sent !== subscribers) throw new Error(`The letter was not sent: ${JSON.stringify(counts)}`);
  }

  async function moveIn(round: number, { episodes }: Size) {
    const url = serveOldPodcast(host, language, { n: round, episodes });
    await page("import: the form", "/admin/podcast/move");
    const { id } = await send<{ id: number }>("import: plan", "POST", "/imports/feed", { url });
    await page("import: its screen", `/admin/podcast/move/${id}`);
    await send("import: start", "POST", `/imports/${id}/start`);
    await drain();
    await settle("an import");
    const { state, counts } = await send<{ state: string; counts: { done: number } }>(
      "import: progress",
      "GET",
      `/imports/${id}`,
    );
    if (state !== "done" || counts.done !== episodes)
      throw new Error(`The import was not done: ${JSON.stringify({ state, counts })}`);
    await send("import: undo", "POST", `/imports/${id}/undo`);
    await drain();
    await settle("an undo");
  }

  async function night() {
    await limited.tick("the night's tick", DAILY);
    await drain();
  }

  const all: Record<string, (round: number, size: Size) => Promise<void>> = {
    "a visitor": visit,
    "a feed reader": readFeeds,
    "the owner signs in": signIn,
    "the owner publishes an essay": publishEssay,
    "the owner publishes an episode": publishEpisode,
    "the owner sends a letter": sendLetter,
    "the owner imports ten episodes": moveIn,
    "the night": night,
  };
  const isAsked = (name: string) => asked.length === 0 || asked.some((word) => name.includes(word));
  return Object.fromEntries(Object.entries(all).filter(([name]) => isAsked(name)));
}

async function addOwner(DB: D1Database) {
  const email = `${randomUUID()}@example.com`;
  await DB.prepare(
    `insert into users (id, email, full_name, role, password_hash, is_active, email_verified, stamp, created_at, updated_at)
     values (?1, ?1, 'An Owner', 'super_admin', ?2, 1, 1, ?1, 0, 0)`,
  )
    .bind(email, await hashPassword(PASSWORD))
    .run();
  return email;
}

async function addPasskey(DB: D1Database, owner: string, { id, publicKey }: Authenticator) {
  await DB.prepare(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
     values (?1, ?2, ?1, ?3, 0, '[]', 'A passkey', 0)`,
  )
    .bind(id, owner, publicKey)
    .run();
}

function viewOf(contentId: string) {
  return {
    eventType: "page_view",
    contentType: "page",
    contentId,
    userId: null,
    sessionId: randomUUID(),
    metadata: { timestamp: Date.now() },
  };
}
