/**
 * What Cloudflare's plans include, from its documentation: the one place for these figures. The deployment, Settings →
 * System and `npm run bench plan` read them here.
 */

export const plans = ["free", "paid"] as const;
export type Plan = (typeof plans)[number];

/** The plan of the variable PLAN; paid if it is unset or unknown. */
export const planOf = (value: string | undefined): Plan => (value === "free" ? "free" : "paid");

type Included = {
  /** Amounts that the plan includes. Those of a day end at midnight UTC. */
  free: { amount: number; per: "day" | "account" };
  paid: { amount: number; per: "month" | "account" };
  /** A path of developers.cloudflare.com. */
  source: string;
  /** When it was looked up there. */
  seen: string;
};

const MILLION = 1e6;

const daily = (free: number, paid: number, source: string): Included => ({
  free: { amount: free, per: "day" },
  paid: { amount: paid, per: "month" },
  source,
  seen: "2026-11-29",
});

/** Shared by everything in the account. */
export const included = {
  requests: daily(100_000, 10 * MILLION, "workers/platform/pricing/"),
  rowsRead: daily(5 * MILLION, 25_000 * MILLION, "d1/platform/pricing/"),
  rowsWritten: daily(100_000, 50 * MILLION, "d1/platform/pricing/"),
  kvReads: daily(100_000, 10 * MILLION, "kv/platform/pricing/"),
  kvWrites: daily(1000, MILLION, "kv/platform/pricing/"),
  // Writing, reading and deleting a message are one each.
  queueOperations: daily(10_000, MILLION, "queues/platform/pricing/"),
  databaseBytes: {
    free: { amount: 500 * MILLION, per: "account" },
    paid: { amount: 10_000 * MILLION, per: "account" },
    source: "d1/platform/limits/",
    seen: "2026-11-29",
  },
} as const satisfies Record<string, Included>;

export type Metered = keyof typeof included;

/** The free plan's bounds of one invocation, one Worker or one account. */
export const freeBounds = {
  /**
   * Bytes of the Worker's code, gzipped. Cloudflare began to replace this by 64 MiB uncompressed in 2026
   * (cloudflare-docs pull request 31002); an account may still have the older limit.
   */
  workerBytes: { amount: 3 * MILLION, source: "workers/platform/limits/#worker-size", seen: "2026-11-29" },
  /** Milliseconds of processor time of an invocation. */
  processorMs: { amount: 10, source: "workers/platform/limits/#cpu-time", seen: "2026-11-29" },
  /** Requests to other services and to Cloudflare's own in one invocation. */
  subrequests: { amount: 50, source: "workers/platform/limits/#subrequests", seen: "2026-11-29" },
  /** D1 queries of one invocation. */
  queries: { amount: 50, source: "d1/platform/limits/", seen: "2026-11-29" },
  /** Cron triggers of the account. */
  crons: { amount: 5, source: "workers/platform/limits/", seen: "2026-11-29" },
  /** Hours for which a queue stores a message. */
  queueHours: { amount: 24, source: "queues/platform/pricing/", seen: "2026-11-29" },
} as const;
