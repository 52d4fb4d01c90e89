import { median } from "../../bench/load.ts";
import { timeOfMainThread } from "../../bench/processor.ts";
import type { SteppedSite } from "../../bench/site.ts";
import { Stepper, type Message, type Step } from "../../bench/steps.ts";
import { freeBounds } from "#worker/platform/plan-limits.ts";
import { pause } from "./client.ts";

/** Milliseconds of processor time of the reference work on the machine that the limit refers to (decision 0089). */
const REFERENCE_MS = 1.9;
/** Requests of one measurement of the reference work. */
const REFERENCES = 25;
/** Those before, until V8 has compiled it. */
const WARM_UP = 60;
const REST = 3;
const LIMIT = freeBounds.processorMs.amount;

/** What a step costs, with the times of all its repetitions, in milliseconds of the reference machine. */
export type Cost = { times: number[]; statements: number };

/**
 * A stepped site whose invocations end as on the free plan: a request that takes more than 10 ms of processor time is
 * answered with Cloudflare's error 1102, and a batch or a tick fails. A step is repeated while `isCounting`, and judged
 * by its median once `isEnforced`. The platform ends an invocation in its midst; here it has already taken effect.
 */
export class LimitedSite extends Stepper {
  readonly costs = new Map<string, Cost>();
  /** Names of steps that may take longer. */
  readonly #exceptions: ReadonlySet<string>;
  readonly #site: SteppedSite;
  /** How much slower than the reference machine this one is at the moment. */
  #slowness = 1;
  #isWarm = false;
  #last = "";
  isCounting = false;
  isEnforced = false;

  constructor(site: SteppedSite, exceptions: string[]) {
    super(site, (name, step) => this.#count(name, step), timeOfMainThread);
    this.#site = site;
    this.#exceptions = new Set(exceptions);
  }

  /** Compares this machine with the reference machine, as it is now with its other work. */
  async compare() {
    const { process, beside } = this.#site;
    const ask = async () => (await fetch(beside)).arrayBuffer();
    if (!this.#isWarm) for (let n = 0; n < WARM_UP; n++) await ask();
    this.#isWarm = true;
    const times: number[] = [];
    for (let n = 0; n < REFERENCES; n++) {
      const start = timeOfMainThread(process);
      await ask();
      await pause(REST);
      times.push(timeOfMainThread(process) - start);
    }
    this.#slowness = median(times) / REFERENCE_MS;
    await this.calibrate();
    return this.#slowness;
  }

  #count(name: string, { own, statements }: Step) {
    this.#last = name;
    if (!this.isCounting) return;
    const cost = this.costs.get(name) ?? { times: [], statements: 0 };
    cost.times.push(own / this.#slowness);
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
    const answer = await super.request(name, path, init);
    if (!this.isEnforced || !this.#isEnded(name)) return answer;
    return { status: 503, headers: new Headers(), body: Buffer.from("error code: 1102") };
  }

  override async deliver(...given: [name: Parameters<Stepper["deliver"]>[0], batch: Message[]]) {
    await super.deliver(...given);
    this.#endIfLong();
  }

  override async tick(...given: Parameters<Stepper["tick"]>) {
    await super.tick(...given);
    this.#endIfLong();
  }

  #endIfLong() {
    if (this.isEnforced && this.#isEnded(this.#last))
      throw new Error(`${this.#last}: exceeded the processor time of the free plan (1102).`);
  }
}
