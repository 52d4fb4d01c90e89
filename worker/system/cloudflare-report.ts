import { z } from "zod";
import type { Context } from "#worker/platform/context.ts";
import { logWarning } from "#worker/platform/log.ts";
import type { Metered } from "#worker/platform/plan-limits.ts";

/** Milliseconds. */
const PATIENCE = 5000;
/** Rows of a dataset: more than an account has kinds of operations. */
const MOST_ROWS = 1000;

/**
 * Cloudflare's GraphQL Analytics API (developers.cloudflare.com/analytics/graphql-api): a day of the whole account, since
 * all of it shares the plan's amounts.
 */
const QUERY = `query Today($account: string!, $from: Time!, $to: Time!, $day: Date!) {
  viewer {
    accounts(filter: { accountTag: $account }) {
      workersInvocationsAdaptive(limit: ${MOST_ROWS}, filter: { datetime_geq: $from, datetime_leq: $to }) { sum { requests } }
      d1AnalyticsAdaptiveGroups(limit: ${MOST_ROWS}, filter: { date_geq: $day, date_leq: $day }) { sum { rowsRead rowsWritten } }
      kvOperationsAdaptiveGroups(limit: ${MOST_ROWS}, filter: { date_geq: $day, date_leq: $day }) { sum { requests } dimensions { actionType } }
      queueMessageOperationsAdaptiveGroups(limit: ${MOST_ROWS}, filter: { date_geq: $day, date_leq: $day }) { sum { billableOperations } }
    }
  }
}`;

const rows = <S extends z.ZodRawShape>(sum: S) => z.array(z.object({ sum: z.object(sum) }));

const Failure = z.object({ errors: z.array(z.object({ message: z.string() })).nullish() });

const Answer = z.object({
  data: z
    .object({
      viewer: z.object({
        accounts: z.array(
          z.object({
            workersInvocationsAdaptive: rows({ requests: z.number() }),
            d1AnalyticsAdaptiveGroups: rows({ rowsRead: z.number(), rowsWritten: z.number() }),
            kvOperationsAdaptiveGroups: z.array(
              z.object({
                sum: z.object({ requests: z.number() }),
                dimensions: z.object({ actionType: z.string() }),
              }),
            ),
            queueMessageOperationsAdaptiveGroups: rows({ billableOperations: z.number() }),
          }),
        ),
      }),
    })
    .nullish(),
});

export type Reported = Record<Exclude<Metered, "databaseBytes">, number>;

/** Today's use of the account, or why Cloudflare does not report it, for the owner. */
export async function readCloudflareReport(
  { now, config }: Pick<Context, "now" | "config">,
  { account, token, url }: { account: string; token: string; url: string },
): Promise<{ ok: true; reported: Reported } | { ok: false; reason: string }> {
  const day = now.toISOString().slice(0, 10);
  const variables = { account, from: `${day}T00:00:00Z`, to: now.toISOString(), day };
  try {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${token}`,
        "User-Agent": `Rostrum (${config.siteUrl})`,
      },
      body: JSON.stringify({ query: QUERY, variables }),
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (response.status === 401 || response.status === 403) return failed(REFUSED);
    if (!response.ok) return failed(`Cloudflare answered with ${response.status}.`);
    const answer: unknown = await response.json();
    // First: an answer with errors may lack some of its data.
    const { errors } = Failure.parse(answer);
    if (errors?.length) return failed(`Cloudflare says: ${errors[0]!.message}`);
    const [found] = Answer.parse(answer).data?.viewer.accounts ?? [];
    if (!found)
      return failed("Cloudflare knows no such account for this token. Check CLOUDFLARE_ACCOUNT_ID.");
    return { ok: true, reported: reportedOf(found) };
  } catch (error) {
    logWarning("system: Cloudflare did not report the day's use", error);
    return failed("Cloudflare didn’t answer in a form that this site can read. Try again in a minute.");
  }
}

const REFUSED =
  "Cloudflare refused the token in CLOUDFLARE_ANALYTICS_TOKEN. Make one with the permission Account Analytics: Read.";

const failed = (reason: string) => ({ ok: false as const, reason });

type Account = NonNullable<z.infer<typeof Answer>["data"]>["viewer"]["accounts"][number];

function reportedOf(account: Account): Reported {
  const { kvOperationsAdaptiveGroups: kv, d1AnalyticsAdaptiveGroups: d1 } = account;
  const kvOf = (action: string) =>
    sumOf(
      kv.filter(({ dimensions }) => dimensions.actionType === action),
      ({ sum }) => sum.requests,
    );
  return {
    requests: sumOf(account.workersInvocationsAdaptive, ({ sum }) => sum.requests),
    rowsRead: sumOf(d1, ({ sum }) => sum.rowsRead),
    rowsWritten: sumOf(d1, ({ sum }) => sum.rowsWritten),
    kvReads: kvOf("read"),
    kvWrites: kvOf("write"),
    queueOperations: sumOf(account.queueMessageOperationsAdaptiveGroups, ({ sum }) => sum.billableOperations),
  };
}

const sumOf = <Row>(all: Row[], value: (row: Row) => number) => all.reduce((sum, row) => sum + value(row), 0);
