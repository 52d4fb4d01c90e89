/**
 * The Worker's bindings, of which chosen calls fail. A call is one round trip: a statement or a batch of D1, or a method
 * of KV, R2, a queue, the rate limiter or the email service.
 */

/** `after`: the call has its effect, but its answer is lost. `crash`: the same, and every later call throws. */
export type Fault = "before" | "after" | "crash" | "hang";

export type BindingCall = {
  /** From 0, in the order in which the calls begin. */
  index: number;
  /** Its name in wrangler.toml. */
  binding: string;
  method: string;
  /** The SQL of a call of D1. */
  queries: string[];
  /** The tables whose rows a call of D1 has changed. */
  changed: string[];
  /** A call that hangs has no answer either. */
  isAnswered: boolean;
};

export class InjectedFault extends Error {}

/** Each is a promise; the others build something that is then sent. */
const REMOTE: Record<string, string[]> = {
  KV: ["get", "getWithMetadata", "put", "delete", "list"],
  MEDIA: ["head", "get", "put", "delete", "list", "createMultipartUpload"],
  JOBS: ["send", "sendBatch"],
  LETTERS: ["send", "sendBatch"],
  EVENTS: ["send", "sendBatch"],
  IMPORTS: ["send", "sendBatch"],
  BURST: ["limit"],
  EMAIL: ["send"],
};
const OF_UPLOAD = ["uploadPart", "complete", "abort"];

/**
 * Bindings whose calls fail as `faultOf` says; undefined makes the call as usual. `calls` are those made so far, and
 * those that have failed.
 */
export function faultyBindings(bindings: Env, faultOf: (call: BindingCall) => Fault | undefined) {
  const calls: BindingCall[] = [];
  let hasCrashed = false;

  async function make<T>(
    { binding, method, queries = [] }: Pick<BindingCall, "binding" | "method"> & { queries?: string[] },
    send: (call: BindingCall) => T | Promise<T>,
  ): Promise<T> {
    const call: BindingCall = {
      index: calls.length,
      binding,
      method,
      queries,
      changed: [],
      isAnswered: false,
    };
    calls.push(call);
    const failure = new InjectedFault(`${binding}.${method}, call ${call.index}: ${queries.join("; ")}`);
    const fault = hasCrashed ? "before" : faultOf(call);
    if (fault === "hang") return new Promise<T>(() => {});
    if (fault === "before") call.isAnswered = true;
    if (fault === "before") throw failure;
    const answer = await Promise.resolve(send(call)).finally(() => void (call.isAnswered = true));
    hasCrashed ||= fault === "crash";
    if (fault !== undefined) throw failure;
    return answer;
  }

  function withFaults(binding: string, target: object, methods: string[]): unknown {
    return new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        const run = (...given: unknown[]) => Reflect.apply(value, target, given) as unknown;
        if (name === "resumeMultipartUpload") {
          return (...given: unknown[]) => withFaults(binding, run(...given) as object, OF_UPLOAD);
        }
        if (!methods.includes(String(name))) return run;
        return async (...given: unknown[]) => {
          const answer = await make({ binding, method: String(name) }, () => run(...given));
          return name === "createMultipartUpload" ? withFaults(binding, answer as object, OF_UPLOAD) : answer;
        };
      },
    });
  }

  const others = Object.entries(REMOTE).flatMap(([name, methods]) => {
    const binding: unknown = Reflect.get(bindings, name);
    return binding === undefined ? [] : [[name, withFaults(name, binding as object, methods)] as const];
  });
  const env = { ...bindings, ...Object.fromEntries(others), DB: faultyDatabase(bindings.DB, make) } as Env;
  return { env, calls };
}

type Make = <T>(
  call: { binding: string; method: string; queries: string[] },
  send: (call: BindingCall) => Promise<T>,
) => Promise<T>;

function faultyDatabase(database: D1Database, make: Make) {
  const known = new WeakMap<object, { real: D1PreparedStatement; query: string }>();

  function statementOf(real: D1PreparedStatement, query: string): D1PreparedStatement {
    const all = (method: string) =>
      make({ binding: "DB", method, queries: [query] }, async (call) => {
        const result = await real.all();
        noteChanges(call, [result]);
        return result;
      });
    const statement = {
      bind: (...values: unknown[]) => statementOf(real.bind(...values), query),
      all: () => all("all"),
      run: () => all("run"),
      // Of a read, since two columns of joined tables may share a name. The rows of a write have one table's.
      raw: async (...given: []) =>
        WRITTEN.test(query)
          ? (await all("raw")).results.map((row) => Object.values(row))
          : make({ binding: "DB", method: "raw", queries: [query] }, () => real.raw(...given)),
      first: (...given: []) =>
        make({ binding: "DB", method: "first", queries: [query] }, () => real.first(...given)),
    } as unknown as D1PreparedStatement;
    known.set(statement, { real, query });
    return statement;
  }

  const databaseOf = (target: Pick<D1Database, "prepare" | "batch">) => ({
    prepare: (query: string) => statementOf(target.prepare(query), query),
    batch(statements: D1PreparedStatement[]) {
      const all = statements.map((statement) => known.get(statement)!);
      return make(
        { binding: "DB", method: "batch", queries: all.map(({ query }) => query) },
        async (call) => {
          const results = await target.batch(all.map(({ real }) => real));
          noteChanges(call, results);
          return results;
        },
      );
    },
  });
  return {
    ...databaseOf(database),
    exec: (query: string) =>
      make({ binding: "DB", method: "exec", queries: [query] }, () => database.exec(query)),
    withSession(start?: string) {
      const session = database.withSession(start);
      return { ...databaseOf(session as never), getBookmark: () => session.getBookmark() };
    },
  };
}

const WRITTEN = /^\s*(?:insert(?:\s+or\s+\w+)?\s+into|update|delete\s+from|replace\s+into)\s+["`]?(\w+)/i;

function noteChanges(call: BindingCall, results: D1Result[]) {
  for (const [at, { meta }] of results.entries()) {
    const [, table] = WRITTEN.exec(call.queries[at]!) ?? [];
    if (table && meta.changes > 0) call.changed.push(table);
  }
}

/** Every call from this one on fails. */
export const outageFrom =
  (first: number) =>
  ({ index }: Pick<BindingCall, "index">): Fault | undefined =>
    index >= first ? "before" : undefined;

/** One call fails. */
export const faultAt =
  (at: number, fault: Fault) =>
  ({ index }: Pick<BindingCall, "index">) =>
    index === at ? fault : undefined;
