import { newAddress } from "../test/load/client.ts";
import type { SteppedSite } from "./site.ts";

/** A queue message that the site has sent, and that waits to be delivered. */
export type Message = { queue: string; body: unknown; delaySeconds?: number };

/** What one request, queue batch or tick cost. */
export type Step = {
  /** Milliseconds of the site's isolate, with what it left to `waitUntil`. */
  ms: number;
  statements: number;
  /** Round trips to D1. */
  trips: number;
  /** Calls of R2 and KV. */
  media: number;
  kv: number;
};

type Name = string | (() => Promise<string>);
type Done<Result> = { left: Left; result: Result };
type Left = { failed: number[]; messages: Message[]; calls: { media: number; kv: number } };

/** Runs the steps of a site one after another, and reports the cost of each. */
export class Stepper {
  readonly #site: SteppedSite;
  readonly #onStep: (name: string, step: Step) => void;
  /** Messages that no batch has taken. */
  waiting: Message[] = [];

  constructor(site: SteppedSite, onStep: (name: string, step: Step) => void) {
    this.#site = site;
    this.#onStep = onStep;
  }

  async request(name: string, path: string, init: RequestInit = {}) {
    return this.#measured(name, async () => {
      const headers = new Headers(init.headers);
      if (!headers.has("CF-Connecting-IP")) headers.set("CF-Connecting-IP", newAddress());
      const answer = await fetch(this.#site.url + path, { redirect: "manual", ...init, headers });
      const body = Buffer.from(await answer.arrayBuffer());
      const left = await this.#control("/settle");
      return { left, result: { status: answer.status, headers: answer.headers, body } };
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
    const { timer, asked } = this.#site;
    const before = await asked();
    const [measured] = await timer.measure([run]);
    const {
      ms,
      result: { left, result },
    } = measured!;
    const after = await asked();
    this.waiting.push(...left.messages);
    this.#onStep(typeof name === "string" ? name : await name(), {
      ms,
      statements: after.statements - before.statements,
      trips: after.trips - before.trips,
      ...left.calls,
    });
    return result;
  }
}
