/** What a context has asked of D1; answered as Server-Timing and held by tests. */
export type Usage = {
  statements: number;
  /** Statements that travel together count once. */
  roundTrips: number;
  /** By D1's own account, which it gives of reads that travel together and of writes in a batch. */
  rowsRead: number;
  /** Of waiting, summed over the round trips. */
  milliseconds: number;
};

/** What drizzle calls: it prepares and binds a statement each time that it runs one. */
type Bound = Pick<D1PreparedStatement, "all" | "raw" | "run"> & { prepared: D1PreparedStatement };

type Options = {
  /** Reads that are asked for at the same time go to D1 in one round trip. */
  together: boolean;
};

/** A session as drizzle's client, which counts what is asked. */
export function clientOf(session: D1DatabaseSession, usage: Usage, { together }: Options): D1Database {
  const timed = timedBy(usage);
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await timed(session.batch<Row>(statements));
    for (const { meta } of results) usage.rowsRead += meta.rows_read;
    return results;
  };
  const read = gather(batch);
  const bound = (query: string, values: unknown[]): Bound => {
    const prepared = session.prepare(query).bind(...values);
    if (!together || !READ.test(query)) {
      return {
        prepared,
        all: () => timed(prepared.all()),
        raw: () => timed(prepared.raw()),
        run: () => timed(prepared.run()),
      } as Bound;
    }
    const uniquelyNamed = () => session.prepare(`select * from (${query})`).bind(...values);
    return {
      prepared,
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
    batch: (statements: Bound[]) => batch(statements.map(({ prepared }) => prepared)),
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
    } finally {
      usage.milliseconds += performance.now() - start;
    }
  };

type Waiting = {
  statement: D1PreparedStatement;
  resolve: (result: D1Result<Row>) => void;
  reject: (error: unknown) => void;
};

/**
 * Collects reads until whoever asks has nothing more to ask for now. A batch answers rows by their columns' names, of
 * which joined tables may have two alike: whoever needs each column reads through `select * from (…)`, where SQLite
 * makes them unique and keeps both their order and the rows'.
 */
function gather(batch: (statements: D1PreparedStatement[]) => Promise<D1Result<Row>[]>) {
  let waiting: Waiting[] = [];
  const send = async () => {
    const sent = waiting;
    waiting = [];
    try {
      const results = await batch(sent.map(({ statement }) => statement));
      sent.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (sent.length === 1) return sent[0]!.reject(error);
      // One that fails takes the others of its batch with it: each has another try, alone.
      for (const { statement, resolve, reject } of sent) {
        void batch([statement]).then(([result]) => resolve(result!), reject);
      }
    }
  };
  return (statement: D1PreparedStatement) =>
    new Promise<D1Result<Row>>((resolve, reject) => {
      if (waiting.length === 0) setTimeout(() => void send());
      waiting.push({ statement, resolve, reject });
    });
}
