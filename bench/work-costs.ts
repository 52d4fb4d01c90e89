import { randomBytes } from "node:crypto";
import { createContext, type JobMessage } from "#worker/platform/context.ts";
import { pngOf } from "../test/support/png.ts";
import { feedXml } from "../test/support/feed-xml.ts";
import { startPodcastHost } from "../test/support/podcast-host.ts";
import { preparedState } from "../scripts/prepared-state.ts";
import { signInOwner } from "../test/load/site.ts";
import { startSink } from "../test/load/smtp-sink.ts";
import { languageFrom, type Language } from "./language.ts";
import { median } from "./load.ts";
import { startSteppedSite, type SteppedSite } from "./site.ts";
import { Stepper, type Message, type Step } from "./steps.ts";

/** Rounds before the first measured one, after which the isolate's compiler knows most of the code. */
const WARM_UP = Number(process.env["WORK_WARM_UP"] ?? 5);
const ROUNDS = Number(process.env["WORK_ROUNDS"] ?? 5);
const SUBSCRIBERS = 200;
const EPISODES = 10;
/** Bytes of the audio of an imported episode. */
const AUDIO = 6_000_000;
const EVENTS = 100;
const DAILY = "17 3 * * *";
const MINUTE = "* * * * *";
/** As wrangler.toml has it; 1 for the others. */
const BATCH: Record<string, number> = { "rostrum-events": 100 };

const BROWSER =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

/** The free plan's limit of an invocation, in milliseconds of processor time. */
const LIMIT = 10;

/** Milliseconds at the median and the 99th percentile, without the stand-ins; and most of each of the others. */
export type WorkCost = { own: number; p99: number; withStandIns: number; count: number } & Omit<
  Step,
  "ms" | "own"
>;

/**
 * What the writes, queue messages and ticks of a site cost: processor time of the site's own process for each step. On
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
      if (round === WARM_UP) console.log("Stand-ins, ms:", await stepper.calibrate());
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
  const own = list.map((step) => step.own).toSorted((a, b) => a - b);
  const most = (key: keyof Step) => Math.max(...list.map((step) => step[key]));
  return {
    own: rounded(median(own)),
    p99: rounded(own[Math.floor(own.length * 0.99)]!),
    withStandIns: rounded(median(list.map(({ ms }) => ms))),
    count: list.length,
    statements: most("statements"),
    trips: most("trips"),
    media: most("media"),
    kv: most("kv"),
  };
}

type Host = Awaited<ReturnType<typeof startPodcastHost>>;

async function prepare(site: SteppedSite, stepper: Stepper, host: Host) {
  const language = languageFrom(3);
  const ctx = createContext(site.env, { actor: { kind: "job", name: "bench" } });
  const cookie = await signInOwner(ctx);
  await site.env.DB.prepare("delete from subscribers").run();
  await site.env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
    insert into subscribers (id, email, status, source, subscribed_at, consent, verified_at, stamp)
    select 'reader-' || cast(i as integer), 'reader' || cast(i as integer) || '@example.com', 'active', 'bench', ?2, 'Yes.', ?2, 's' from n`,
  )
    .bind(SUBSCRIBERS, Date.now())
    .run();
  const send = async <Result>(name: string, method: string, path: string, body?: unknown) => {
    const answer = await stepper.request(name, `/api/admin${path}`, {
      method,
      headers: { "Content-Type": "application/json", Cookie: cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.body.toString().slice(0, 500)}`);
    return (answer.body.length > 0 ? JSON.parse(answer.body.toString()) : null) as Result;
  };
  const ask = async (name: string, path: string, init?: RequestInit) => {
    const answer = await stepper.request(name, path, init);
    if (answer.status >= 400)
      throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 500)}`);
    return answer;
  };
  const page = (name: string, path: string) => ask(name, path, { headers: { Cookie: cookie } });
  const picture = await pngOf(1400, 1400);

  async function topicOf({ queue, body }: Message) {
    if (queue !== "rostrum-jobs" && queue !== "rostrum-letters") return queue.slice("rostrum-".length);
    const { kind, id } = body as JobMessage;
    if (kind === "tick") return `part of a tick, ${id}`;
    return (
      (await site.env.DB.prepare("select topic from outbox where id = ?").bind(id).first<string>("topic")) ??
      "nothing"
    );
  }

  /** Delivers what waits until nothing does, as the queues would. */
  async function drain(most = 10_000) {
    for (let n = 0; n < most && stepper.waiting.length > 0; n++) {
      const first = stepper.waiting[0]!;
      const size = BATCH[first.queue] ?? 1;
      const batch = stepper.waiting.filter(({ queue }) => queue === first.queue).slice(0, size);
      stepper.waiting = stepper.waiting.filter((message) => !batch.includes(message));
      const topic = await topicOf(first);
      await stepper.deliver(
        `queue: ${topic}${size > 1 && batch.length > 1 ? ` × ${batch.length}` : ""}`,
        batch,
      );
    }
  }

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

  async function upload(kind: string, name: string, type: string, folder: string, bytes: Uint8Array) {
    const { id, partSize } = await send<{ id: string; partSize: number }>(
      `${kind}: begin`,
      "POST",
      "/files",
      {
        name,
        type,
        size: bytes.length,
        folder,
      },
    );
    for (let at = 0, number = 1; at < bytes.length; at += partSize, number++)
      await ask(`${kind}: part`, `/api/admin/files/${id}/parts/${number}`, {
        method: "PUT",
        headers: { Cookie: cookie },
        body: bytes.subarray(at, at + partSize) as Uint8Array<ArrayBuffer>,
      });
    await send(`${kind}: complete`, "POST", `/files/${id}/complete`);
    await drain();
    return id;
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
    const base = `http://127.0.0.1:${host.port}`;
    const items = Array.from({ length: EPISODES }, (_, k) => ({
      guid: `urn:old:${n}:${k}`,
      title: `Episode ${n}.${k}`,
      pubDate: new Date(Date.UTC(2015, 0, 1) + k * 86_400_000).toUTCString(),
      audio: { url: `${base}/audio/${n}-${k}/${AUDIO}/plain`, length: AUDIO },
      more: `<description>${language.sentences(60)}</description>
<content:encoded><![CDATA[<p>${language.paragraphs(400).replaceAll("\n\n", "</p><p>")}</p>]]></content:encoded>
<podcast:transcript url="${base}/transcripts/${n}.vtt" type="text/vtt"/>`,
    }));
    host.answers.set(`/transcripts/${n}.vtt`, { path: "", body: transcript(language, 3600) });
    host.answers.set(`/feed-${n}.xml`, {
      path: "",
      headers: { "Content-Type": "text/xml" },
      body: feedXml({ items, more: "" }),
    });
    const { id } = await send<{ id: number }>("import: plan ten episodes", "POST", "/imports/feed", {
      url: `${base}/feed-${n}.xml`,
    });
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

  const audio = makeAudio();
  let audioId = "";

  async function uploads() {
    audioId = await upload("audio of 12 MB", "a.mp3", "audio/mpeg", "podcast-audio", audio);
    // As long as the transcript says.
    await site.env.DB.prepare("update files set duration_seconds = 11000 where id = ?").bind(audioId).run();
    await upload("picture", "a.png", "image/png", "uploads", new Uint8Array(picture));
  }

  async function ticks() {
    await stepper.tick("tick: nothing due", MINUTE);
    await stepper.tick("tick: daily", DAILY);
    await drain();
  }

  async function reads(n: number) {
    await stepper.request("(nothing)", "/robots.txt");
    await page("desk", "/admin/articles");
    await ask("export", "/api/admin/export", { headers: { Cookie: cookie } });
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

const longText = ({ paragraphs, title }: Language, words: number) =>
  Array.from({ length: words / 500 }, () => `## ${title()}\n\n${paragraphs(500)}`).join("\n\n");

/** As WebVTT, a cue of five seconds after another. */
function transcript({ sentences }: Language, seconds: number) {
  const at = (time: number) => new Date(time * 1000).toISOString().slice(11, 23);
  const cues = Array.from(
    { length: seconds / 5 },
    (_, index) =>
      `${at(index * 5)} --> ${at(index * 5 + 5)}\n<v ${index % 6 < 2 ? "A host" : "A guest"}>${sentences(13)}`,
  );
  return `WEBVTT\n\n${cues.join("\n\n")}\n`;
}

/** Twelve minutes of MP3 frames at 128 kbit/s. */
function makeAudio() {
  const frame = new Uint8Array(417);
  frame.set([0xff, 0xfb, 0x90, 0xc0]);
  const bytes = new Uint8Array(417 * 28_000);
  for (let at = 0; at < bytes.length; at += 417) bytes.set(frame, at);
  return bytes;
}

/** As rows of a table, the most expensive first. */
export const workCostRows = (costs: Record<string, WorkCost>) =>
  Object.fromEntries(
    Object.entries(costs)
      .toSorted(([, a], [, b]) => b.own - a.own)
      .map(([name, cost]) => [name, { ...cost, fits: cost.own <= LIMIT }]),
  );
