import { randomUUID } from "node:crypto";
import { hashPassword } from "#worker/accounts/passwords.ts";
import { median } from "./load.ts";

const TRIES = 200;
/** Failures of one account that cost no wait. */
const FREE = 5;

export type SignInTiming = {
  /** Milliseconds, medians. */
  known: number;
  unknown: number;
  /** The share of tries at a known address that took longer than one at an unknown address: 0.5 if they are indistinguishable. */
  longer: number;
  /** Half the width of what chance alone makes of `longer` in 95 of 100 runs (Mann and Whitney). */
  noise: number;
};

/** Whether response times reveal that an address has an account, or is subscribed. */
export async function measureSignIn(site: string, DB: D1Database) {
  const emails = await addUsers(DB);
  const known = (n: number) => emails[Math.floor(n / FREE)]!;
  const unknown = (n: number) => `nobody-${Math.floor(n / FREE)}@example.com`;
  const login = (email: string) =>
    ask(`${site}/api/admin/session`, { email, password: "a wrong password" }, 401);
  const reset = (email: string) => ask(`${site}/api/admin/password-reset`, { email }, 200);
  const subscribed = await addSubscribers(DB);
  const subscribe = (email: string) => ask(`${site}/api/newsletter/subscribe`, { email }, 200);
  return {
    login: await compareTimes(login, known, unknown),
    "password reset": await compareTimes(reset, known, unknown),
    // Each address once: a mailbox takes three requests an hour, and a new one waits after its first.
    newsletter: await compareTimes(
      subscribe,
      (n) => subscribed[n]!,
      (n) => `new-${n}@example.com`,
    ),
  };
}

async function addUsers(DB: D1Database) {
  const hash = await hashPassword("correct horse battery");
  const emails = Array.from({ length: TRIES / FREE }, () => `${randomUUID()}@example.com`);
  const insert = DB.prepare(
    `insert into users (id, email, full_name, role, password_hash, is_active, email_verified, stamp, created_at, updated_at)
     values (?1, ?1, 'A Person', 'editor', ?2, 1, 1, ?1, 0, 0)`,
  );
  await DB.batch(emails.map((email) => insert.bind(email, hash)));
  return emails;
}

/** Confirmed ones. */
async function addSubscribers(DB: D1Database) {
  const emails = Array.from({ length: TRIES }, () => `${randomUUID()}@example.com`);
  const insert = DB.prepare(
    `insert into subscribers (id, email, status, source, subscribed_at, consent, verified_at, stamp)
     values (?1, ?1, 'active', 'footer', 0, '', 0, ?1)`,
  );
  await DB.batch(emails.map((email) => insert.bind(email)));
  return emails;
}

let households = 0;

/** Each from a network of its own, so that no limit is met. */
async function ask(url: string, body: object, status: number) {
  const start = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "CF-Connecting-IP": `2001:db8:${(households++).toString(16)}::1`,
    },
    body: JSON.stringify(body),
  });
  await response.text();
  const time = performance.now() - start;
  if (response.status !== status) throw new Error(`${url} answered ${response.status}.`);
  return time;
}

type Try = (email: string) => Promise<number>;
type Address = (n: number) => string;

/** Alternating, each first equally often, so that other load on the machine affects both. */
async function compareTimes(time: Try, known: Address, unknown: Address): Promise<SignInTiming> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  await time("warm-up-1@example.com");
  await time("warm-up-2@example.com");
  for (let n = 0; n < TRIES; n++) {
    if (n % 2) theirs.push(await time(unknown(n)));
    ours.push(await time(known(n)));
    if (!(n % 2)) theirs.push(await time(unknown(n)));
  }
  const pairs = ours.flatMap((one) => theirs.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
  return {
    known: median(ours),
    unknown: median(theirs),
    longer: pairs.reduce<number>((sum, pair) => sum + pair, 0) / pairs.length,
    noise: 1.96 * Math.sqrt((2 * TRIES + 1) / (12 * TRIES * TRIES)),
  };
}
