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

export type System = {
  plan: Plan;
  report: Report;
  database: Use;
  /** When the counters of the day start again from zero. */
  endsAt: Date;
};
