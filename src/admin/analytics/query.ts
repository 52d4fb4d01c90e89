import { data } from "react-router";
import { AnalyticsQuery, PERIODS } from "#worker/analytics/contract.ts";
import { inWords } from "#worker/platform/contract.ts";

export const PATH = "/admin/analytics";
export const episodePath = (id: number | string) => `${PATH}/episodes/${id}`;

const DEFAULT_DAYS = 30;

/** Errors of the two days of a custom period. */
export type PeriodProblems = Partial<Record<"from" | "to", string>>;

/** A period as the address names it. An empty day is one that was not entered. */
export type AskedPeriod = { days: number } | { from: string; to: string };

/** Ignores other parameters. */
export function askedPeriodOf(params: URLSearchParams): AskedPeriod {
  const [from, to] = [params.get("from"), params.get("to")];
  if (from !== null || to !== null) return { from: from ?? "", to: to ?? "" };
  return { days: Number(params.get("days") ?? DEFAULT_DAYS) };
}

type Checked = { query: AnalyticsQuery; problems?: undefined } | { query: null; problems: PeriodProblems };

/** @throws a 404 for a number of days that the selector does not have */
export function checkPeriod(asked: AskedPeriod, today: string): Checked {
  if ("days" in asked) {
    if (!(PERIODS as readonly number[]).includes(asked.days))
      throw data({ message: "Choose one of the periods." }, { status: 404 });
    return { query: { days: String(asked.days) as AnalyticsQuery["days"] } };
  }
  const parsed = AnalyticsQuery.safeParse(asked, { error: inWords });
  if (parsed.success && asked.from > today) return { query: null, problems: { from: NOT_BEGUN } };
  if (parsed.success) return { query: parsed.data };
  return {
    query: null,
    problems: Object.fromEntries(
      parsed.error.issues
        .toReversed()
        .map(({ path: [field], message }) => [
          field,
          asked[field as "from" | "to"] === "" ? NO_DAY : message,
        ]),
    ),
  };
}

const NOT_BEGUN = "That day hasn’t started yet.";
const NO_DAY = "Enter a day.";

/** The same period in the address of the panel or of an export. */
export const periodParams = (asked: AskedPeriod) =>
  new URLSearchParams("days" in asked ? { days: String(asked.days) } : asked).toString();
