/** What the Worker prints and keeps of errors: never a statement's parameters, which are addresses, hashes and links. */

/** An error in one line: its message and its cause. Of a failed statement the cause and the SQL. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : describeError(error.cause);
  if (isFailedQuery(error)) return cause ? `${cause} in: ${error.query}` : `Failed query: ${error.query}`;
  const repeats = error.cause instanceof Error && error.message.includes(error.cause.message);
  return cause && !repeats ? `${String(error)} (${cause})` : String(error);
}

/** Prints an error and where it was thrown. */
export const logError = (what: string, error: unknown) =>
  console.error(`${what}: ${describeError(error)}${framesOf(error)}`);

/** The same for what is no fault of ours. */
export const logWarning = (what: string, error: unknown) => console.warn(`${what}: ${describeError(error)}`);

/** Drizzle's error, whose message and stack begin with the statement's parameters. */
const isFailedQuery = (error: Error): error is Error & { query: string } =>
  "query" in error && typeof error.query === "string" && "params" in error;

function framesOf(error: unknown) {
  const frames = error instanceof Error ? (error.stack?.split("\n") ?? []) : [];
  return frames
    .filter((line) => /^ {4}at /.test(line))
    .map((line) => `\n${line}`)
    .join("");
}
