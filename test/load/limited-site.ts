import { median } from "../../bench/load.ts";
import { timeOfMainThread } from "../../bench/processor.ts";
import type { SteppedSite } from "../../bench/site.ts";
import { Stepper, type Message, type Step } from "../../bench/steps.ts";
import { freeBounds } from "#worker/platform/plan-limits.ts";
import { pause } from "./client.ts";

/** Milliseconds of processor time of the reference work on the machine that the limit refers to (decision 0089). */
const REFERENCE_MS = 1.9;
/** The last measurements of the reference work, of which the median counts. */
const REFERENCES = 9;
/** Those before, until V8 has compiled it. */
const WARM_UP = 60;
const REST = 3;
const LIMIT = freeBounds.processorMs.amount;

/** What a step costs, with the times of all its repetitions, in milliseconds of the reference machine. */
export type Cost = { times: number[]; statements: number };

/**
 * A stepped site whose invocations end as on the free plan: a request that takes more than 10 ms of the isolate's time is
 * answered with Cloudflare's error 1102, and a batch or a tick fails. A step is repeated while `isCounting`, and judged
 * by its median once `isEnforced`. The platform ends an invocation in its midst; here it has already taken effect.
 */
export class LimitedSite extends Stepper {
  readonly costs = new Map<string, Cost>();
  /** Names of steps that may take longer. */
  readonly #exceptions: ReadonlySet<string>;
  readonly #site: SteppedSite;
  /** Milliseconds of the reference work, in turns with the steps. */
  readonly #references: number[] = [];
  #last = "";
  isCounting = false;
  isEnforced = false;

  constructor(site: SteppedSite, exceptions: string[]) {
    super(site, (name, step) => this.#count(name, step));
    this.#site = site;
    this.#exceptions = new Set(exceptions);
  }

  /** Measures the machine with its other work. */
  async calibrate() {
    if (this.#references.length === 0) for (let n = 0; n < WARM_UP; n++) await this.#doReference();
    for (let n = 0; n < REFERENCES; n++) await this.#compare();
  }

  /** How much slower than the reference machine this one is at the moment. */
  #slowness = () => median(this.#references.slice(-REFERENCES)) / REFERENCE_MS;

  #doReference = async () => (await fetch(this.#site.beside)).arrayBuffer();

  async #compare() {
    const start = timeOfMainThread(this.#site.process);
    await this.#doReference();
    await pause(REST);
    this.#references.push(timeOfMainThread(this.#site.process) - start);
  }

  #count(name: string, { ms, statements }: Step) {
    this.#last = name;
    if (!this.isCounting) return;
    const cost = this.costs.get(name) ?? { times: [], statements: 0 };
    cost.times.push(ms / this.#slowness());
    cost.statements = Math.max(cost.statements, statements);
    this.costs.set(name, cost);
  }

  /** The steps that the free plan would end, with their medians. */
  findEnded = () => [...this.costs.keys()].filter((name) => this.#isEnded(name));

  #isEnded(name: string) {
    const times = this.costs.get(name)?.times ?? [];
    return !this.#exceptions.has(name) && times.length > 0 && median(times) > LIMIT;
  }

  override async request(name: string, path: string, init?: RequestInit) {
    if (this.isCounting) await this.#compare();
    const answer = await super.request(name, path, init);
    if (!this.isEnforced || !this.#isEnded(name)) return answer;
    return { status: 503, headers: new Headers(), body: Buffer.from("error code: 1102") };
  }

  override async deliver(...given: [name: Parameters<Stepper["deliver"]>[0], batch: Message[]]) {
    if (this.isCounting) await this.#compare();
    await super.deliver(...given);
    this.#endIfLong();
  }

  override async tick(...given: Parameters<Stepper["tick"]>) {
    if (this.isCounting) await this.#compare();
    await super.tick(...given);
    this.#endIfLong();
  }

  #endIfLong() {
    if (this.isEnforced && this.#isEnded(this.#last))
      throw new Error(`${this.#last}: exceeded the processor time of the free plan (1102).`);
  }
}
