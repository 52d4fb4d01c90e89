import { randomBytes } from "node:crypto";

/** What one kind of client was answered. */
export type Tally = {
  statuses: Map<number | "broken", number>;
  /** Milliseconds, of whole answers. */
  times: number[];
};

export type Answer = { status: number; headers: Headers; body: Buffer };

export class Records {
  readonly byKind = new Map<string, Tally>();
  /** Descriptions of the first failed responses. */
  readonly failures: string[] = [];
  failed = 0;

  add(kind: string, status: number | "broken", time: number, what: string) {
    const record: Tally = this.byKind.get(kind) ?? { statuses: new Map(), times: [] };
    this.byKind.set(kind, record);
    record.statuses.set(status, (record.statuses.get(status) ?? 0) + 1);
    record.times.push(time);
    if (status === "broken" || status >= 500) this.fail(`${kind}: ${status} ${what}`);
  }

  fail(what: string) {
    this.failed++;
    if (this.failures.length < MOST_TOLD) this.failures.push(what);
  }
}

const MOST_TOLD = 20;
/** Milliseconds after which an answer counts as broken: none waits for another's work that never ends. */
const LONGEST = 20_000;

type Options = RequestInit & { address?: string };

/** A client of the site under load: each answer is read whole, timed and counted. */
export class Client {
  readonly #url: string;
  readonly #records: Records;
  readonly #kind: string;

  constructor(url: string, records: Records, kind: string) {
    this.#url = url;
    this.#records = records;
    this.#kind = kind;
  }

  async ask(path: string, { address = newAddress(), ...init }: Options = {}): Promise<Answer | null> {
    const start = performance.now();
    const method = init.method ?? "GET";
    const headers = new Headers(init.headers);
    headers.set("CF-Connecting-IP", address);
    try {
      const signal = AbortSignal.timeout(LONGEST);
      const response = await fetch(this.#url + path, { redirect: "manual", signal, ...init, headers });
      const body = Buffer.from(await response.arrayBuffer());
      const what = `${method} ${path} ${body.subarray(0, 200).toString()}`;
      this.#records.add(this.#kind, response.status, performance.now() - start, what);
      return { status: response.status, headers: response.headers, body };
    } catch (error) {
      this.#records.add(
        this.#kind,
        "broken",
        performance.now() - start,
        `${method} ${path} ${String(error)}`,
      );
      return null;
    }
  }

  /** Asks and hangs up before the answer is there. */
  async hangUp(path: string, milliseconds: number) {
    const headers = { "CF-Connecting-IP": newAddress() };
    const signal = AbortSignal.timeout(milliseconds);
    await fetch(this.#url + path, { headers, signal })
      .then((response) => response.arrayBuffer())
      .catch(() => {});
  }

  send(method: string, path: string, body: unknown, headers: HeadersInit = {}, address?: string) {
    return this.ask(path, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(address !== undefined && { address }),
    });
  }

  /** Counts an unexpected response as a failure. */
  expect(answer: Answer | null, isRight: (answer: Answer) => boolean, what: string) {
    if (answer && !isRight(answer)) this.#records.fail(`${this.#kind}: ${what}, answered ${answer.status}`);
  }
}

let households = 0;
/** A /64 of its own, so that only what one address does too often is refused. */
export const newAddress = () =>
  `2001:db8:${(households++ % 65_536).toString(16)}:${randomBytes(2).toString("hex")}::1`;

export const pick = <T>(things: readonly T[]): T => things[Math.floor(Math.random() * things.length)]!;
export const pause = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));
