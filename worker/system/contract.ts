import type { Metered, Plan } from "#worker/platform/plan-limits.ts";

/** Today's use of one thing that the plan includes an amount of. */
export type Use = {
  of: Metered;
  /** Today (UTC), or at present for the size of the database. */
  used: number;
  included: number;
  per: "day" | "month" | "account";
};

/** What Cloudflare reports of the whole account. */
export type Report =
  | { state: "reported"; uses: Use[] }
  /** It is not set up: these are missing. */
  | { state: "unset"; missing: string[] }
  | { state: "failed"; reason: string };

/** How the site itself is. */
export type SiteState = {
  /** Of the deployed Worker, as Cloudflare names it. */
  version: string;
  /** The newest one of the database; null if it is not known. */
  migration: string | null;
  /** Without the smaller copies of pictures. */
  files: { count: number; bytes: number };
  /** Emails and other deliveries. */
  waiting: { count: number; oldest: Date | null };
  /** Those that failed after every attempt, up to `COUNTED_FAILURES`. */
  failed: { count: number; emails: number };
  /** When the work of each minute last began; null if it never did. */
  lastRun: Date | null;
  isRunLate: boolean;
  /** `isEncrypted`: KEY_SECRET is set. `unreadable`: secrets that another KEY_SECRET encrypted. */
  keys: { isEncrypted: boolean; isTooShort: boolean; unreadable: number };
};

export const COUNTED_FAILURES = 1000;

export type System = {
  state: SiteState;
  plan: Plan;
  report: Report;
  database: Use;
  /** When the counters of the day start again from zero. */
  endsAt: Date;
};
