import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The Worker's log. An entry is one line of JSON, which Workers Logs indexes by its fields. It has no SQL parameters,
 * which are addresses, hashes and links, and no personal data.
 */

type Scope = {
  /** Connects the log entries of one request. */
  requestId: string;
  /** Method and path, or queue, or cron; no ids and no query. */
  route: string;
};

const scopes = new AsyncLocalStorage<() => Scope>();

/** Runs work whose log entries get the scope, background work included. */
export const inScope = <T>(scope: () => Scope, work: () => T): T => scopes.run(scope, work);

/** The scope of a request, computed lazily: most requests log nothing. */
export function scopeOf(request: Request): () => Scope {
  let scope: Scope | undefined;
  return () => (scope ??= readScope(request));
}

/** Cloudflare's ray id; outside Cloudflare a random UUID. */
function readScope({ headers, method, url }: Request): Scope {
  const ray = headers.get("CF-Ray");
  return {
    requestId: ray && /^[\w-]{1,40}$/.test(ray) ? ray : crypto.randomUUID(),
    route: `${method} ${withoutIds(new URL(url).pathname)}`,
  };
}

/** The id of the current request. */
export const currentRequestId = () => scopes.getStore()?.().requestId;

/** A path with only its plain words: ids, tokens and other visitor input become `:id`. */
export const withoutIds = (path: string) =>
  path
    .slice(0, MAX_PATH)
    .split("/")
    .map((segment) => (/^[a-z._-]*$/.test(segment) ? segment : ":id"))
    .join("/");

/** Characters. The site's own paths are shorter. */
const MAX_PATH = 100;

/** An error in one line: its message and its cause. Of a failed statement the cause and the SQL. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : describeError(error.cause);
  if (isFailedQuery(error)) return cause ? `${cause} in: ${error.query}` : `Failed query: ${error.query}`;
  const repeats = error.cause instanceof Error && error.message.includes(error.cause.message);
  return cause && !repeats ? `${String(error)} (${cause})` : String(error);
}

/** Further fields of an entry. */
type Fields = { route?: string; status?: number };

/** Prints an error and where it was thrown. */
export const logError = (what: string, error: unknown, fields?: Fields) =>
  console.error(entry("error", `${what}: ${describeError(error)}`, { ...fields, stack: framesOf(error) }));

/** The same for an error that is not the Worker's fault. */
export const logWarning = (what: string, error?: unknown, fields?: Fields) =>
  console.warn(entry("warn", error === undefined ? what : `${what}: ${describeError(error)}`, fields));

/** A `catch` handler that logs the error and returns null. */
export const logAsNull = (what: string) => (error: unknown) => {
  logError(what, error);
  return null;
};

function entry(level: "error" | "warn", message: string, fields: Fields & { stack?: string } = {}) {
  const { stack, ...others } = fields;
  return JSON.stringify({
    level,
    message: withoutPeople(message),
    ...scopes.getStore()?.(),
    ...others,
    ...(stack && { stack: withoutPeople(stack) }),
  });
}

/** Personal data in third-party error messages: a mail server names the mailbox, a parser quotes the address. */
const people: [pattern: RegExp, instead: string][] = [
  [/[^\s"'<>(),;:@/=]+@[^\s"'<>(),;:@/]+\.[a-z]{2,}/gi, "[email]"],
  [/\?[^\s"'()]+=[^\s"'()]*/g, "?[query]"],
  // Signed links, sessions and hashes. The Worker's own ids are UUIDs, which are shorter.
  [/\beyJ[\w-]+(?:\.[\w-]+)+|(?<![\w-])(?=[\w-]*\d)[\w-]{40,}/g, "[token]"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:[0-9a-f]{1,4}:){3,}(?::?[0-9a-f]{1,4})+/gi, "[ip]"],
];

const withoutPeople = (text: string) =>
  people.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);

/** Drizzle's error, whose message and stack begin with the statement's parameters. */
const isFailedQuery = (error: Error): error is Error & { query: string } =>
  "query" in error && typeof error.query === "string" && "params" in error;

function framesOf(error: unknown) {
  const frames = error instanceof Error ? (error.stack?.split("\n") ?? []) : [];
  return frames
    .filter((line) => /^ {4}at /.test(line))
    .map((line) => line.trim())
    .join("\n");
}
