import { env } from "cloudflare:workers";

const WRITES = /^\s*(?:insert|update|delete|replace)\b/i;

/**
 * D1 on the free plan once the day's rows are used up: of writes, or of reads and thereby of everything. `isUsedUp`:
 * whether they are, at each statement.
 */
export function usedUpDatabase(of: "read" | "write", isUsedUp = () => true) {
  const refusal = () =>
    new Error(
      `D1_ERROR: Your account has exceeded D1's free tier daily row ${of} limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.`,
    );
  const refuse = () => Promise.reject(refusal());
  const refused = new WeakSet<D1PreparedStatement>();
  const statementOf = (real: D1PreparedStatement, query: string): D1PreparedStatement => {
    if (!isUsedUp() || (of === "write" && !WRITES.test(query))) return real;
    const statement = {
      bind: () => statement,
      all: refuse,
      raw: refuse,
      run: refuse,
      first: refuse,
    } as unknown as D1PreparedStatement;
    refused.add(statement);
    return statement;
  };
  const databaseOf = (real: Pick<D1Database, "prepare" | "batch">) => ({
    prepare: (query: string) => statementOf(real.prepare(query), query),
    batch: (statements: D1PreparedStatement[]) =>
      statements.some((statement) => refused.has(statement)) ? refuse() : real.batch(statements),
  });
  const DB = {
    ...databaseOf(env.DB),
    withSession: (start?: string) => {
      const session = env.DB.withSession(start);
      return { ...databaseOf(session as never), getBookmark: () => session.getBookmark() };
    },
  };
  return DB as unknown as D1Database;
}
