import { readFileSync } from "node:fs";
import SMTPConnection from "nodemailer/lib/smtp-connection/index.js";
import { createContext } from "#worker/platform/context.ts";
import { pause } from "../test/load/client.ts";
import { signInOwner } from "../test/load/site.ts";
import { startSink } from "../test/load/smtp-sink.ts";
import { startQueuedBench, type QueuedBench } from "./site.ts";

/** Enough for some slices side by side; `npm run letters` sends a hundred thousand. */
const LETTERS = 5000;
/** Milliseconds between two checks of a letter's progress, and until the measurement is given up. */
const LOOK_MS = 50;
const MOST_MS = 300_000;
const MINUTE = 60_000;

export type LetterCost = {
  letters: number;
  /** A minute, from the press of the button until all have a settled delivery. */
  perMinute: number;
  /** A minute, by a client in Node that hands the same message to the same server over one connection. */
  barePerMinute: number;
  statementsPerThousand: number;
  /** Megabytes that the site's process held at most, without its database. */
  megabytes: number;
};

type Sink = Awaited<ReturnType<typeof startSink>>;

/** What a letter costs that leaves by a mail server which takes everything. */
export async function measureLetters(): Promise<LetterCost> {
  const sink = await startSink();
  const bench = await startQueuedBench({ SMTP_URL: sink.url });
  try {
    await addSubscribers(bench.env.DB);
    const ms = await sendLetter(bench, sink);
    const statements = await bench.statements();
    const bareMs = await sendBare(sink);
    return {
      letters: LETTERS,
      perMinute: Math.round((LETTERS / ms.sending) * MINUTE),
      barePerMinute: Math.round((LETTERS / bareMs) * MINUTE),
      statementsPerThousand: Math.round(((statements - ms.statementsBefore) / LETTERS) * 1000),
      megabytes: peakMB(bench.process),
    };
  } finally {
    await bench.stop();
    await sink.stop();
  }
}

async function addSubscribers(DB: D1Database) {
  await DB.batch([
    DB.prepare("delete from subscribers"),
    DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < cast(?1 as integer))
      insert into subscribers (id, email, status, source, subscribed_at, consent, verified_at, stamp)
      select 'reader-' || i, 'reader' || i || '@example.com', 'active', 'bench', ?2, 'Yes.', ?2, 's' from n`,
    ).bind(LETTERS, Date.now()),
  ]);
}

async function sendLetter({ site, env, statements }: QueuedBench, sink: Sink) {
  const cookie = await signInOwner(createContext(env, { actor: { kind: "job", name: "bench" } }));
  const post = async (path: string, body: object) => {
    const response = await fetch(`${site}/api/admin/newsletters${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Cookie: cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const words = "Ten plain words that stand here for a paragraph, again. ".repeat(60);
  const answer = await post("", { subject: "A letter", content: `${words}\n\n[On](https://example.com/)` });
  const { id } = (await answer.json()) as { id: number };
  const statementsBefore = await statements();
  const start = performance.now();
  await post(`/${id}/send`, {});
  // Past the site, whose own statements are counted.
  const find = env.DB.prepare("select status, sent from letters where id = ?").bind(id);
  for (;;) {
    const row = await find.first<{ status: string; sent: number }>();
    if (row?.status === "sent" && row.sent === LETTERS && sink.total === LETTERS) break;
    if (performance.now() - start > MOST_MS) throw new Error(`It was not sent: ${JSON.stringify(row)}`);
    await pause(LOOK_MS);
  }
  return { sending: performance.now() - start, statementsBefore };
}

/** Milliseconds in which a client that does nothing else hands as many over, one after the other. */
async function sendBare({ port, first }: Sink) {
  if (first === null) throw new Error("No message has come.");
  const connection = new SMTPConnection({ host: "127.0.0.1", port, ignoreTLS: true });
  await new Promise<void>((resolve, reject) => {
    connection.once("error", reject);
    connection.connect(() => resolve());
  });
  const hand = (to: string) =>
    new Promise<void>((resolve, reject) =>
      connection.send({ from: "owner@example.com", to: [to] }, first, (error) =>
        error ? reject(error) : resolve(),
      ),
    );
  const start = performance.now();
  for (let n = 0; n < LETTERS; n++) await hand(`bare${n}@example.com`);
  const ms = performance.now() - start;
  connection.close();
  return ms;
}

/** As /proc has it (proc(5), VmHWM); NaN without it. */
function peakMB(id: string) {
  try {
    return Math.round(
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]) / 1024,
    );
  } catch {
    return Number.NaN;
  }
}
