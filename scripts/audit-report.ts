/** Known weaknesses of packages, as `npm audit --json` reports them, and the project's judgement of them. */

export type Severity = "info" | "low" | "moderate" | "high" | "critical";

type Advisory = { name: string; title: string; url: string; severity: Severity };

/** `npm audit --json` since npm 7. A package that has its weakness from another names that package only. */
type Report = {
  auditReportVersion: 2;
  vulnerabilities: Record<string, { via: (string | Advisory)[]; nodes: string[] }>;
};

/** A weakness that the project lives with for a time. */
export type Exception = {
  /** The last part of the advisory's address: `GHSA-…`. */
  advisory: string;
  package: string;
  /** Why it cannot be used against a site, or why there is no fixed version yet. */
  reason: string;
  /** Days, `2026-11-30`: when it was decided, and the last day that it holds. */
  since: string;
  until: string;
};

/** Days in which a weakness must be fixed, or be decided about again. */
export const DAYS_TO_FIX: Record<Severity, number> = {
  critical: 14,
  high: 30,
  moderate: 90,
  low: 90,
  info: 90,
};

/** What npm printed: the report, or why the registry gave none. */
export function readAudit(output: string): Report | { unreachable: string } {
  const read = JSON.parse(output) as Report | { message?: string; error?: { summary?: string } };
  if ("auditReportVersion" in read) return read;
  return { unreachable: read.message ?? (read.error?.summary || "npm did not say why.") };
}

const idOf = ({ url }: Advisory) => url.slice(url.lastIndexOf("/") + 1);

const DAY_MS = 24 * 60 * 60 * 1000;
const daysOf = ({ since, until }: Exception) => (Date.parse(until) - Date.parse(since)) / DAY_MS;

/**
 * What must be done, one sentence each: nothing if every known weakness has an exception that holds on this day, and
 * every exception is needed.
 */
export function judgeAudit({ vulnerabilities }: Report, exceptions: Exception[], today: string) {
  const advisories = Object.values(vulnerabilities).flatMap(({ via }) =>
    via.filter((cause) => typeof cause !== "string"),
  );
  const excepted = (advisory: Advisory) =>
    exceptions.find((entry) => entry.advisory === idOf(advisory) && entry.package === advisory.name);
  const ofAdvisories = [...new Map(advisories.map((entry) => [`${entry.name} ${entry.url}`, entry])).values()]
    .map((advisory) => judge(advisory, excepted(advisory), today))
    .filter((sentence) => sentence !== null);
  const unused = exceptions
    .filter((entry) => !advisories.some((advisory) => excepted(advisory) === entry))
    .map(({ advisory, package: name }) => `${advisory} no longer concerns ${name}: remove its exception.`);
  return [...ofAdvisories, ...unused];
}

function judge(advisory: Advisory, exception: Exception | undefined, today: string) {
  const { name, title, url, severity } = advisory;
  const subject = `${name}: ${title} (${severity}, ${url})`;
  if (!exception) return `${subject}. Update the package, or add a dated exception.`;
  if (exception.until < today) return `${subject}. Its exception ended on ${exception.until}.`;
  if (daysOf(exception) > DAYS_TO_FIX[severity])
    return `${subject}. An exception for ${severity} ends after ${DAYS_TO_FIX[severity]} days at most.`;
  return null;
}
