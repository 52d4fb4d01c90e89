import { DatabaseUnavailable, failureOf } from "#worker/platform/data/unavailable.ts";

/** A context's use of D1; sent as Server-Timing and bounded by tests. */
export type Usage = {
  statements: number;
  /** A batch counts once. */
  roundTrips: number;
  /** As D1 reports it, for batched reads and batched writes. */
  rowsRead: number;
  /** Time spent waiting, summed over the round trips. */
  milliseconds: number;
  /** Whether a round trip got no answer. */
  isUnavailable: boolean;
};

/** The methods that drizzle calls: it prepares and binds a statement on every run. */
type Bound = Pick<D1PreparedStatement, "all" | "raw" | "run"> & {
  prepared: D1PreparedStatement;
  /** Whether it waits for other reads. */
  isGathered: boolean;
};

type Options = {
  /** Whether concurrent reads go to D1 in one round trip. */
  together: boolean;
};

/** `oneBatch` makes a client of the same session for `writeAndRead`. */
export type Client = D1Database & { oneBatch(): D1Database };

/** A D1 session as drizzle's client; counts the usage. */
export function clientOf(session: D1DatabaseSession, usage: Usage, { together }: Options): Client {
  const client = clientFor(session, usage, together ? "reads" : "nothing");
  return Object.assign(client, { oneBatch: () => clientFor(session, usage, "everything") });
}

/**
 * Which statements of one turn of the event loop go to D1 in one batch. Of `everything` there is one batch: statements
 * of a later turn are refused.
 */
type Gathered = "nothing" | "reads" | "everything";

function clientFor(session: D1DatabaseSession, usage: Usage, gathered: Gathered): D1Database {
  const timed = timedBy(usage);
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await timed(session.batch<Row>(statements));
    for (const { meta } of results) usage.rowsRead += meta.rows_read;
    return results;
  };
  const read = gather(batch, { isOnlyBatch: gathered === "everything" });
  const bound = (query: string, values: unknown[]): Bound => {
    const prepared = session.prepare(query).bind(...values);
    const isRead = READ.test(query);
    if (gathered === "nothing" || (gathered === "reads" && !isRead)) {
      return {
        prepared,
        isGathered: false,
        all: () => timed(prepared.all()),
        raw: () => timed(prepared.raw()),
        run: () => timed(prepared.run()),
      } as Bound;
    }
    // The rows of a write have the columns of one table.
    const uniquelyNamed = () =>
      isRead ? session.prepare(`select * from (${query})`).bind(...values) : prepared;
    return {
      prepared,
      isGathered: true,
      all: () => read(prepared),
      raw: async () => (await read(uniquelyNamed())).results.map((row) => Object.values(row)),
      run: () => read(prepared),
    } as Bound;
  };
  const client = {
    prepare(query: string) {
      usage.statements++;
      return { bind: (...values: unknown[]) => bound(query, values), prepared: session.prepare(query) };
    },
    batch(statements: Bound[]) {
      const isGathered = gathered === "everything" || statements.every((statement) => statement.isGathered);
      const all = statements.map(({ prepared }) => prepared);
      // Added in one turn, they are sent in one batch and see one state of the database. Repeated alone, they may not.
      return isGathered ? Promise.all(all.map(read)) : batch(all);
    },
  };
  return client as unknown as D1Database;
}

type Row = Record<string, unknown>;

const READ = /^\s*(select|with)\b/i;

const timedBy =
  (usage: Usage) =>
  async <T>(asked: Promise<T>): Promise<T> => {
    usage.roundTrips++;
    const start = performance.now();
    try {
      return await asked;
    } catch (error) {
      const failure = failureOf(error);
      usage.isUnavailable ||= failure instanceof DatabaseUnavailable;
      throw failure;
    } finally {
      usage.milliseconds += performance.now() - start;
    }
  };

const TOO_LATE =
  "This read is not in the batch of its write: issue all reads together, without an await before.";

type Waiting = {
  statement: D1PreparedStatement;
  resolve: (result: D1Result<Row>) => void;
  reject: (error: unknown) => void;
};

/**
 * Collects the statements of one turn of the event loop into a batch. A batch returns rows keyed by column name, which
 * joined tables may share: a raw read therefore goes through `select * from (…)`, where SQLite makes the names unique
 * and preserves the order of columns and rows.
 */
function gather(
  batch: (statements: D1PreparedStatement[]) => Promise<D1Result<Row>[]>,
  { isOnlyBatch }: { isOnlyBatch: boolean },
) {
  let waiting: Waiting[] = [];
  let hasSent = false;
  const send = async () => {
    const sent = waiting;
    waiting = [];
    hasSent = true;
    try {
      const results = await batch(sent.map(({ statement }) => statement));
      sent.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (isOnlyBatch || sent.length === 1 || error instanceof DatabaseUnavailable) {
        return sent.forEach(({ reject }) => reject(error));
      }
      // One failing statement fails the whole batch: retry each one alone.
      for (const { statement, resolve, reject } of sent) {
        void batch([statement]).then(([result]) => resolve(result!), reject);
      }
    }
  };
  return (statement: D1PreparedStatement) =>
    new Promise<D1Result<Row>>((resolve, reject) => {
      if (isOnlyBatch && hasSent) return reject(new Error(TOO_LATE));
      if (waiting.length === 0) setTimeout(() => void send());
      waiting.push({ statement, resolve, reject });
    });
}
