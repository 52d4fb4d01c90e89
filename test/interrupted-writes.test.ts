import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { mountApi } from "#worker/api.ts";
import { createApp } from "#worker/app.ts";
import { createContext } from "#worker/platform/context.ts";
import { ownerContext } from "./support/client.ts";
import { setComments } from "./support/comments.ts";
import { emptySite } from "./support/empty-site.ts";
import { faultAt, faultyBindings, type BindingCall, type Fault } from "./support/faults.ts";
import { forgetKind, kindOf } from "./support/imports.ts";
import { jobs } from "./support/newsletter.ts";
import { forgetRates } from "./support/rates.ts";
import { routeCommands } from "./support/route-commands.ts";
import { seenWrites } from "./support/seen-writes.ts";
import { changesBetween, readState } from "./support/site-state.ts";
import { sweepsAll } from "./support/sweeps.ts";
import { validWrites, type ValidWrite } from "./support/valid-writes.ts";
import { randomFrom } from "../demo/random.ts";

/**
 * `npm run faults` and `npm run test:full`: each command × each call of a binding × each fault. The state afterwards is the
 * one before or the one after, and the same command again leads to where it leads without a fault (decision 0087). `npm test`
 * draws a sample.
 */

const isWhole = sweepsAll || process.env["SWEEPS"] === "faults";
const SAMPLE = 100;
const SEED = Number(process.env["FAULTS_SEED"] || 20_261_129);
const FAULTS: Fault[] = ["before", "after", "crash", "hang"];
/** Of a call without an effect, `after` is `before`. */
const FAULTS_OF_READS = FAULTS.filter((fault) => fault !== "after");

/** More than any patience of `within`. */
const LONGEST_PATIENCE_MS = 10_000;
/** Real milliseconds without a call, or with all calls answered, after which a command waits for the one that hangs. */
const QUIET_MS = 20;
const QUIET_TURNS = 3;

const commands = { ...validWrites, ...seenWrites };

type Injected = { at: number; fault: Fault };

/** Calls a command, and waits for the work that outlives its answer; a command that hangs is left behind. */
async function run(write: ValidWrite, injected?: Injected) {
  const faultOf = injected ? faultAt(injected.at, injected.fault) : () => undefined;
  const { env: faulty, calls } = faultyBindings(
    {
      ...env,
      JOBS: jobs,
      LETTERS: jobs,
      IMPORTS: jobs,
      EVENTS: jobs,
      IMPORT_LOOPBACK: "on",
    } as unknown as Env,
    faultOf,
  );
  const outliving: Promise<unknown>[] = [];
  const { actor, client } = ownerContext();
  const ctx = createContext(faulty, { actor, client, later: (work) => void outliving.push(work) });
  let isOver = false;
  const answer = async () => {
    try {
      await write(ctx);
      return true;
    } catch {
      return false;
    } finally {
      await Promise.allSettled(outliving);
      isOver = true;
    }
  };
  if (injected?.fault !== "hang") return { calls, isAnswered: await answer() };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const isAnswered = await Promise.race([answer(), waitsForEver(calls, injected.at, () => isOver)]);
  vi.useRealTimers();
  return { calls: [...calls], isAnswered };
}

/** Resolves to false once a command waits for a call that hangs, and does so although all patience has passed. */
async function waitsForEver(calls: BindingCall[], hung: number, isOver: () => boolean) {
  let [quiet, known] = [0, 0];
  while (!isOver() && quiet < 2 * QUIET_TURNS) {
    await scheduler.wait(QUIET_MS);
    const isWaiting = hung < calls.length && calls.every((call) => call.isAnswered || call.index === hung);
    quiet = isWaiting && calls.length === known ? quiet + 1 : 0;
    known = calls.length;
    vi.advanceTimersByTime(quiet === QUIET_TURNS ? LONGEST_PATIENCE_MS : QUIET_MS);
  }
  return false;
}

/** Calls a command with a fault, and again without one; what has changed after each. */
async function tryTwice(prepareWrite: () => Promise<ValidWrite>, injected?: Injected) {
  await forgetRates();
  const write = await prepareWrite();
  const before = await readState();
  const { calls, isAnswered } = await run(write, injected);
  const once = changesBetween(before, await readState());
  await forgetRates();
  await run(write);
  const twice = changesBetween(before, await readState());
  return { calls, isAnswered, once, twice };
}

type Reference = Awaited<ReturnType<typeof tryTwice>>;

/** A message about a wrong state after a fault; undefined if the state is right. */
async function faultFound(
  prepareWrite: () => Promise<ValidWrite>,
  reference: Reference,
  { at, fault }: Injected,
) {
  const { calls, isAnswered, once, twice } = await tryTwice(prepareWrite, { at, fault });
  const call = calls[at];
  const where = `${fault} ${call ? `${call.binding}.${call.method}` : "no call"} ${at}: ${(call?.queries[0] ?? "").slice(0, 90)}`;
  const isBefore = once.length === 0;
  const isAfter = isSame(once, reference.once);
  if (!isBefore && !isAfter) return `between, ${where}\n${difference(reference.once, once)}`;
  if (isAnswered && !isAfter) return `acknowledged, but not written, ${where}`;
  const wanted = isAfter ? reference.twice : reference.once;
  if (!isSame(twice, wanted)) return `another end after the retry, ${where}\n${difference(wanted, twice)}`;
  return undefined;
}

const isSame = (one: string[], other: string[]) => one.join("\n") === other.join("\n");

/** The lines of only one of the two, each from shortly before where the first of them differ. */
function difference(wanted: string[], found: string[]) {
  const missing = wanted.filter((line) => !found.includes(line));
  const beside = found.filter((line) => !wanted.includes(line));
  const [one = "", other = ""] = [missing[0], beside[0]];
  const same = [...one].findIndex((letter, at) => letter !== other[at]);
  const shown = (line: string) => line.slice(Math.max(0, same - 60)).slice(0, 400);
  return [
    ...missing.map((line) => `  missing ${shown(line)}`),
    ...beside.map((line) => `  beside  ${shown(line)}`),
  ].join("\n");
}

/** Methods of KV, R2 and the rate limiter that change nothing of the compared state. */
const READS = ["get", "getWithMetadata", "head", "list", "limit"];

const faultsOf = ({ method, queries }: BindingCall) => {
  const isRead =
    queries.length > 0 ? queries.every((query) => /^\s*select\b/i.test(query)) : READS.includes(method);
  return isRead ? FAULTS_OF_READS : FAULTS;
};

beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
  kindOf(async () => ({ is: "done" }) as never)["test"]!.brings = "article";
});
afterAll(() => {
  vi.restoreAllMocks();
  forgetKind();
  console.log(`${chosen.length} commands with ${counts.calls} calls, ${counts.faults} injected faults`);
});

test("every route that writes has a command with faults, or a reason for none", () => {
  const routes = createApp(() => new Response(), mountApi)
    .routes.filter(({ method, path }) => !["ALL", "GET"].includes(method) && path !== "/*")
    .map(({ method, path }) => `${method} ${path.slice("/api".length)}`);
  expect(Object.keys(routeCommands).toSorted()).toEqual([...new Set(routes)].toSorted());
  const called = Object.values(routeCommands).filter((command) => typeof command === "string");
  expect(called.filter((name) => !(name in commands))).toEqual([]);
});

const random = randomFrom(SEED);
const shuffled = <T>(items: T[]) =>
  items
    .map((item) => ({ item, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);
/** Of each command, so that the sample has a quarter as many references as cases. */
const FAULTS_EACH = 4;
const chosen = isWhole
  ? Object.entries(commands)
  : shuffled(Object.entries(commands)).slice(0, SAMPLE / FAULTS_EACH);
const counts = { calls: 0, faults: 0 };

describe(`a fault leaves the state before or after (FAULTS_SEED=${SEED}):`, () => {
  test.each(chosen)("%s", async (_, prepareWrite) => {
    // Each state is read whole, and so is an outbox that the preparation of a command delivers.
    await emptySite();
    await setComments(true);
    const reference = await tryTwice(prepareWrite);
    expect(reference).toMatchObject({ isAnswered: true });
    expect(reference.once).not.toEqual([]);
    const all = reference.calls.flatMap((call) => faultsOf(call).map((fault) => ({ at: call.index, fault })));
    const cases = isWhole ? all : shuffled(all).slice(0, FAULTS_EACH);
    counts.calls += reference.calls.length;
    counts.faults += cases.length;
    const found: string[] = [];
    for (const each of cases) {
      const fault = await faultFound(prepareWrite, reference, each);
      if (fault !== undefined) found.push(fault);
    }
    expect(found).toEqual([]);
  });
});
