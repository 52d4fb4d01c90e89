import { randomBytes } from "node:crypto";
import { createContext } from "#worker/platform/context.ts";
import { pngOf } from "../test/support/png.ts";
import { startPodcastHost } from "../test/support/podcast-host.ts";
import { preparedState } from "../scripts/prepared-state.ts";
import { signInOwner } from "../test/load/site.ts";
import { startSink } from "../test/load/smtp-sink.ts";
import { replaceSubscribers } from "../test/load/subscribers.ts";
import { languageFrom } from "./language.ts";
import { median } from "./load.ts";
import { longText, makeAudio, transcript } from "./long-content.ts";
import { serveOldPodcast, type Host } from "./old-podcast.ts";
import { startSteppedSite, type SteppedSite } from "./site.ts";
import { steppedClient } from "./stepped-client.ts";
import { Stepper, type Step } from "./steps.ts";

/** Rounds before the first measured one, after which the isolate's compiler knows most of the code. */
const WARM_UP = Number(process.env["WORK_WARM_UP"] ?? 5);
const ROUNDS = Number(process.env["WORK_ROUNDS"] ?? 5);
const SUBSCRIBERS = 200;
const EPISODES = 10;
const EVENTS = 100;
const DAILY = "17 3 * * *";
const MINUTE = "* * * * *";
const BROWSER =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

/** The free plan's limit of an invocation, in milliseconds of processor time. */
const LIMIT = 10;

/** Milliseconds of the isolate at the median and the 99th percentile, and most of each of the others. */
export type WorkCost = { ms: number; p99: number; count: number } & Omit<Step, "ms">;

/**
 * What the writes, queue messages and ticks of a site cost: the isolate's time for each step. On
 * the free plan, unless `PLAN` says otherwise.
 */
export async function measureWorkCosts(): Promise<Record<string, WorkCost>> {
  const sink = await startSink();
  const host = await startPodcastHost();
  const vars = { SMTP_URL: sink.url, IMPORT_LOOPBACK: "on", PLAN: process.env["PLAN"] ?? "free" };
  const site = await startSteppedSite(vars, await preparedState());
  const steps = new Map<string, Step[]>();
  let isMeasured = false;
  const stepper = new Stepper(site, (name, step) => {
    if (isMeasured) steps.set(name, [...(steps.get(name) ?? []), step]);
  });
  try {
    const groups = await prepare(site, stepper, host);
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      isMeasured = round >= WARM_UP;
      for (const group of Object.values(groups)) await group(round);
    }
  } finally {
    await site.stop();
    host.stop();
    await sink.stop();
  }
  return Object.fromEntries([...steps].map(([name, list]) => [name, costOf(list)]));
}

const rounded = (ms: number) => Number(ms.toFixed(1));

function costOf(list: Step[]): WorkCost {
  const times = list.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const most = (key: keyof Step) => Math.max(...list.map((step) => step[key]));
  return {
    ms: rounded(median(times)),
    p99: rounded(times[Math.floor(times.length * 0.99)]!),
    count: list.length,
    statements: most("statements"),
    trips: most("trips"),
    media: most("media"),
    kv: most("kv"),
  };
}

async function prepare(site: SteppedSite, stepper: Stepper, host: Host) {
  const language = languageFrom(3);
  const signIn = () => signInOwner(createContext(site.env, { actor: { kind: "job", name: "bench" } }));
  await replaceSubscribers(site.env.DB, SUBSCRIBERS);
  const { send, ask, page, drain, upload, ownerCookie } = steppedClient({ stepper, env: site.env, signIn });
  const picture = await pngOf(1400, 1400);

  async function essay(n: number) {
    const { id } = await send<{ id: number }>("essay: create", "POST", "/articles", {
      title: `${language.title()} ${n}`,
      content: `${language.paragraphs(400)}\n\n## ${language.title()}\n\n${language.paragraphs(500)}`,
    });
    const long = longText(language, 10_000);
    await send("essay: save 900 words", "PATCH", `/articles/${id}`, { content: language.paragraphs(900) });
    await send("essay: save 10,000 words", "PATCH", `/articles/${id}`, { content: long });
    await send("essay: publish 10,000 words", "PATCH", `/articles/${id}`, { status: "published" });
    await drain();
    await ask("search after that", `/search?q=${language.word(500)}`);
    await send("essay: save 10,000 words, published", "PATCH", `/articles/${id}`, {
      content: `${long}\n\nMore.`,
    });
    await stepper.tick("tick: after an essay", MINUTE);
    const later = Date.now() + 60_000;
    await send("essay: schedule", "PATCH", `/articles/${id}`, {
      status: "scheduled",
      scheduledFor: later,
      publishedAt: null,
    });
    await stepper.tick("tick: publish an essay", MINUTE, later + 1000);
    await drain();
    await send("essay: delete", "DELETE", `/articles/${id}`);
  }

  async function episode(n: number, audioFileId: string) {
    const { id } = await send<{ id: number }>("episode: create", "POST", "/episodes", {
      title: `${language.title()} ${n}`,
      description: language.sentences(40),
      showNotes: language.paragraphs(400),
      audioFileId,
      allowDuplicateAudio: true,
    });
    await send("episode: save a transcript of 3 hours", "PATCH", `/episodes/${id}`, {
      transcript: transcript(language, 3 * 3600),
    });
    await send("episode: save notes", "PATCH", `/episodes/${id}`, { showNotes: language.paragraphs(900) });
    await send("episode: publish", "PATCH", `/episodes/${id}`, {
      status: "published",
      allowDuplicateAudio: true,
    });
    await drain();
    await ask("episode: page", `/episode/${id}`);
    await ask("episode: search after that", `/search?q=${language.word(500)}`);
    await stepper.tick("tick: after an episode", MINUTE);
    await ask("episode: feed after that", "/rss/podcast.xml");
    const later = Date.now() + 60_000;
    await send("episode: schedule", "PATCH", `/episodes/${id}`, {
      status: "scheduled",
      scheduledFor: later,
      publishedAt: null,
      allowDuplicateAudio: true,
    });
    await stepper.tick("tick: publish an episode", MINUTE, later + 1000);
    await drain();
    await send("episode: delete", "DELETE", `/episodes/${id}`);
  }

  async function letter(n: number) {
    const words = "Ten plain words that stand here for a paragraph, again. ".repeat(60);
    const { id } = await send<{ id: number }>("letter: create", "POST", "/newsletters", {
      subject: `A letter ${n}`,
      content: `${words}\n\n[On](https://example.com/)`,
    });
    await send("letter: check", "POST", `/newsletters/${id}/check`, {});
    await send("letter: send to 200", "POST", `/newsletters/${id}/send`, {});
    await drain();
    const row = await send<{ counts: { sent: number } }>(
      "letter: progress",
      "GET",
      `/newsletters/${id}/progress`,
    );
    if (row.counts.sent !== SUBSCRIBERS) throw new Error(`The letter was not sent: ${JSON.stringify(row)}`);
  }

  async function visitor() {
    const json = { "Content-Type": "application/json" };
    const post = (name: string, path: string, body: unknown, headers: Record<string, string> = json) =>
      ask(name, path, { method: "POST", headers, body: JSON.stringify(body) });
    await post("visitor: subscribe", "/api/newsletter/subscribe", {
      email: `${randomBytes(6).toString("hex")}@example.com`,
    });
    await drain();
    await post("visitor: message", "/api/contact-messages", {
      name: "A visitor",
      email: `${randomBytes(6).toString("hex")}@example.com`,
      subject: "A correction",
      message: "The figure is of last year.",
    });
    await drain();
    const event = (eventType: string, metadata: object) => ({
      eventType,
      contentType: "page",
      contentId: "/",
      userId: null,
      sessionId: randomBytes(8).toString("hex"),
      metadata: { timestamp: Date.now(), ...metadata },
    });
    for (let k = 0; k < EVENTS; k++)
      await post(
        "visitor: beacon",
        "/api/analytics/events",
        { events: [event("page_view", {}), event("scroll_depth", { scrollDepth: 50 })] },
        { "Content-Type": "text/plain;charset=UTF-8", "User-Agent": BROWSER },
      );
    await drain();
  }

  async function moveIn(n: number) {
    const url = serveOldPodcast(host, language, { n, episodes: EPISODES });
    const { id } = await send<{ id: number }>("import: plan ten episodes", "POST", "/imports/feed", { url });
    await send("import: start", "POST", `/imports/${id}/start`);
    await drain();
    const { state, counts } = await send<{ state: string; counts: { done: number } }>(
      "import: progress",
      "GET",
      `/imports/${id}`,
    );
    if (state !== "done" || counts.done !== EPISODES)
      throw new Error(`The import was not done: ${JSON.stringify({ state, counts })}`);
    await stepper.tick("tick: after an import", MINUTE);
    await drain();
    await send("import: undo", "POST", `/imports/${id}/undo`);
    await drain();
  }

  const audio = makeAudio(12);
  let audioId = "";

  async function uploads() {
    audioId = await upload({
      kind: "audio of 12 MB",
      name: "a.mp3",
      type: "audio/mpeg",
      folder: "podcast-audio",
      bytes: audio,
    });
    // As long as the transcript says.
    await site.env.DB.prepare("update files set duration_seconds = 11000 where id = ?").bind(audioId).run();
    await upload({
      kind: "picture",
      name: "a.png",
      type: "image/png",
      folder: "uploads",
      bytes: new Uint8Array(picture),
    });
  }

  async function ticks() {
    await stepper.tick("tick: nothing due", MINUTE);
    await stepper.tick("tick: daily", DAILY);
    await drain();
  }

  async function reads(n: number) {
    await stepper.request("(nothing)", "/robots.txt");
    await page("desk", "/admin/articles");
    await ask("export", "/api/admin/export", { headers: { Cookie: await ownerCookie() } });
    await ask("picture for sharing", `/share/essays/write-the-last-page-first.jpg?${n}`).catch(
      () => undefined,
    );
  }

  return {
    uploads,
    essay,
    episode: (n: number) => episode(n, audioId),
    letter,
    visitor,
    moveIn,
    ticks,
    reads,
  };
}

/** As rows of a table, the most expensive first. */
export const workCostRows = (costs: Record<string, WorkCost>) =>
  Object.fromEntries(
    Object.entries(costs)
      .toSorted(([, a], [, b]) => b.ms - a.ms)
      .map(([name, cost]) => [name, { ...cost, fits: cost.ms <= LIMIT }]),
  );
