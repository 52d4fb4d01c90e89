import { pause, newAddress } from "../test/load/client.ts";
import { median } from "./load.ts";
import { timeOf } from "./processor.ts";
import type { SteppedSite } from "./site.ts";

/** Milliseconds in which a process finishes what it does after an answer, and Linux counts it. */
const REST = 3;
/** Calls of a stand-in in one request, and requests, of a calibration. */
const CALLS = 20;
const CALIBRATIONS = 15;
/** `multipart` of stepped-worker.js. */
const CALLS_OF_AN_UPLOAD = 3;
/** Bytes that R2's stand-in writes or reads in one request of a calibration. */
const BYTES = 8 * 1024 * 1024;

/** A queue message that the site has sent, and that waits to be delivered. */
export type Message = { queue: string; body: unknown; delaySeconds?: number };

/** What one request, queue batch or tick cost. */
export type Step = {
  /** Milliseconds of processor time of the site's process, with what it left to `waitUntil`. */
  ms: number;
  /** The same without what the stand-ins of D1, R2 and KV take in this process, which are elsewhere on the platform. */
  own: number;
  statements: number;
  /** Round trips to D1. */
  trips: number;
  /** Calls of R2 and KV, whose local stand-ins run in the same process. */
  media: number;
  kv: number;
};

type Name = string | (() => Promise<string>);

/** `extra`: milliseconds of a request that only the measurement sends. */
type Done<Result> = { left: Left; result: Result; extra?: number };
type Left = { failed: number[]; messages: Message[]; calls: Calls };
/** Kinds of calls of R2's stand-in; three of `multipart` are an upload in one part. */
const mediaCalls = ["head", "get", "put", "delete", "multipart"] as const;
type MediaCall = (typeof mediaCalls)[number];
/** Of R2 and KV; the bytes of R2, and those by sockets. */
type Calls = Record<MediaCall | "kv" | "mediaRead" | "mediaWritten" | "received" | "sent", number>;

/** Runs the steps of a site one after another, and reports the cost of each. */
export class Stepper {
  readonly #site: SteppedSite;
  readonly #onStep: (name: string, step: Step) => void;
  readonly #timeOf: (process: string) => number;
  /** Milliseconds of one call of each stand-in, or of one of its bytes, and of a request for nothing. */
  #standIns: Record<keyof Calls | "trips" | "nothing", number> = {
    trips: 0,
    head: 0,
    get: 0,
    put: 0,
    delete: 0,
    multipart: 0,
    kv: 0,
    mediaRead: 0,
    mediaWritten: 0,
    /** Bytes by the local sockets. */
    received: 0,
    sent: 0,
    nothing: 0,
  };
  /** Messages that no batch has taken. */
  waiting: Message[] = [];

  /** `measure`: milliseconds of processor time of a process so far. */
  constructor(site: SteppedSite, onStep: (name: string, step: Step) => void, measure = timeOf) {
    this.#site = site;
    this.#onStep = onStep;
    this.#timeOf = measure;
  }

  /** Measures the stand-ins. */
  async calibrate() {
    const timesOf = async (run: () => Promise<unknown>) => {
      const times: number[] = [];
      for (let n = 0; n < CALIBRATIONS; n++) {
        const start = this.#timeOf(this.#site.process);
        await run();
        await pause(REST);
        times.push(this.#timeOf(this.#site.process) - start);
      }
      return median(times);
    };
    const costOf = (calls: object) => timesOf(() => this.#control("/stand-ins", calls));
    const kinds = ["trips", ...mediaCalls, "kv"] as const;
    await costOf(Object.fromEntries(kinds.map((kind) => [kind, CALLS])));
    const nothing = await costOf({});
    for (const kind of kinds) this.#standIns[kind] = ((await costOf({ [kind]: CALLS })) - nothing) / CALLS;
    this.#standIns.multipart /= CALLS_OF_AN_UPLOAD;
    for (const [kind, call] of [
      ["mediaWritten", "put"],
      ["mediaRead", "get"],
    ] as const)
      this.#standIns[kind] = ((await costOf({ [kind]: BYTES })) - nothing - this.#standIns[call]) / BYTES;
    const bytes = new Uint8Array(BYTES);
    const receive = async () =>
      (await fetch(`${this.#site.url}/~step/receive`, { method: "POST", body: bytes })).arrayBuffer();
    const send = async () => (await fetch(`${this.#site.url}/~step/send`)).arrayBuffer();
    this.#standIns.received = ((await timesOf(receive)) - nothing) / BYTES;
    this.#standIns.sent = ((await timesOf(send)) - nothing) / BYTES;
    this.#standIns.nothing = nothing;
    return this.#standIns;
  }

  async request(name: string, path: string, init: RequestInit = {}) {
    return this.#measured(name, async () => {
      const headers = new Headers(init.headers);
      if (!headers.has("CF-Connecting-IP")) headers.set("CF-Connecting-IP", newAddress());
      const answer = await fetch(this.#site.url + path, { redirect: "manual", ...init, headers });
      const body = Buffer.from(await answer.arrayBuffer());
      const left = await this.#control("/settle");
      return {
        left: withBytes(left, init.body, body),
        extra: this.#standIns.nothing,
        result: { status: answer.status, headers: answer.headers, body },
      };
    });
  }

  async tick(name: string, cron: string, at?: number) {
    await this.#measured(name, async () => ({
      left: await this.#control("/cron", { cron, at }),
      result: null,
    }));
  }

  /** Delivers a batch, whose name may be known only afterwards. Failed messages wait again. */
  async deliver(name: Name, batch: Message[]) {
    const [first] = batch;
    if (!first) return;
    const bodies = batch.map(({ body }) => body);
    const failed = await this.#measured(name, async () => {
      const left = await this.#control("/queue", { queue: first.queue, messages: bodies });
      return { left, result: left.failed };
    });
    for (const index of failed) this.waiting.push(batch[index]!);
  }

  async #control(path: string, body: unknown = {}): Promise<Left> {
    const answer = await fetch(`${this.#site.url}/~step${path}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Left;
  }

  async #measured<Result>(name: Name, run: () => Promise<Done<Result>>) {
    const { process, asked } = this.#site;
    await pause(REST);
    const before = await asked();
    const start = this.#timeOf(process);
    const { left, result, extra = 0 } = await run();
    await pause(REST);
    const ms = this.#timeOf(process) - start;
    const after = await asked();
    this.waiting.push(...left.messages);
    const trips = after.trips - before.trips;
    const { kv } = left.calls;
    const media = sum(mediaCalls.map((kind) => left.calls[kind]));
    const used = Object.entries({ ...left.calls, trips });
    const standIns = sum(used.map(([kind, n]) => n * this.#standIns[kind as keyof Calls | "trips"]));
    this.#onStep(typeof name === "string" ? name : await name(), {
      ms,
      own: Math.max(0, ms - standIns - extra),
      statements: after.statements - before.statements,
      trips,
      media,
      kv,
    });
    return result;
  }
}

/** With the bytes of a request and its answer. */
const withBytes = ({ calls, ...left }: Left, asked: BodyInit | null | undefined, answer: Buffer): Left => ({
  ...left,
  calls: {
    ...calls,
    received: calls.received + (asked instanceof Uint8Array ? asked.length : 0),
    sent: answer.length,
  },
});

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
