import { pause, newAddress } from "../test/load/client.ts";
import { median } from "./load.ts";
import { timeOf } from "./processor.ts";
import type { SteppedSite } from "./site.ts";

/** Milliseconds in which a process finishes what it does after an answer, and Linux counts it. */
const REST = 3;
/** Calls of a stand-in in one request, and requests, of a calibration. */
const CALLS = 20;
const CALIBRATIONS = 15;

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

/** `extra`: milliseconds of a request that only the measurement sends. */
type Done<Result> = { left: Left; result: Result; extra?: number };
type Left = { failed: number[]; messages: Message[]; calls: { media: number; kv: number } };

/** Runs one step of a site after another, and tells what each cost. */
export class Stepper {
  readonly #site: SteppedSite;
  readonly #onStep: (name: string, step: Step) => void;
  /** Milliseconds of one call of each stand-in, and of a request for nothing. */
  #standIns = { trips: 0, media: 0, kv: 0, nothing: 0 };
  /** Messages that no batch has taken. */
  waiting: Message[] = [];

  constructor(site: SteppedSite, onStep: (name: string, step: Step) => void) {
    this.#site = site;
    this.#onStep = onStep;
  }

  /** Measures the stand-ins. */
  async calibrate() {
    const costOf = async (calls: object) => {
      const times: number[] = [];
      for (let n = 0; n < CALIBRATIONS; n++) {
        const start = timeOf(this.#site.process);
        await this.#control("/stand-ins", calls);
        await pause(REST);
        times.push(timeOf(this.#site.process) - start);
      }
      return median(times);
    };
    await costOf({ trips: CALLS, media: CALLS, kv: CALLS });
    const nothing = await costOf({});
    for (const kind of ["trips", "media", "kv"] as const)
      this.#standIns[kind] = ((await costOf({ [kind]: CALLS })) - nothing) / CALLS;
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
        left,
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

  /** Delivers a batch. Failed messages wait again. */
  async deliver(name: string, batch: Message[]) {
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

  async #measured<Result>(name: string, run: () => Promise<Done<Result>>) {
    const { process, asked } = this.#site;
    await pause(REST);
    const before = await asked();
    const start = timeOf(process);
    const { left, result, extra = 0 } = await run();
    await pause(REST);
    const ms = timeOf(process) - start;
    const after = await asked();
    this.waiting.push(...left.messages);
    const trips = after.trips - before.trips;
    const { media, kv } = left.calls;
    const standIns = trips * this.#standIns.trips + media * this.#standIns.media + kv * this.#standIns.kv;
    this.#onStep(name, {
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
