import worker from "./index.js";

/**
 * The built Worker, whose queue messages and cron ticks are requests: so each step's processor time can be measured
 * alone. What a step leaves to `waitUntil` belongs to it.
 */

/** What was left to `waitUntil` and has not ended. No request may await the promises of another. */
const later = new Set();
let messages = [];
const none = { media: 0, kv: 0 };
let calls = { ...none };
let bindings;

const producerOf = (queue) => ({
  async send(body, options) {
    messages.push({ queue, body, ...options });
  },
  async sendBatch(given) {
    for (const { body, delaySeconds } of given) messages.push({ queue, body, delaySeconds });
  },
});

/** Counts the calls of R2 or KV, and those of R2's uploads in parts. */
const counting = (target, kind) =>
  new Proxy(target, {
    get(_, key) {
      const value = target[key];
      if (typeof value !== "function") return value;
      return (...given) => {
        // It calls nothing.
        if (key === "resumeMultipartUpload") return counting(value.apply(target, given), kind);
        calls[kind]++;
        return value.apply(target, given);
      };
    },
  });

function bindingsOf(env) {
  bindings ??= {
    ...env,
    MEDIA: counting(env.MEDIA, "media"),
    KV: counting(env.KV, "kv"),
    JOBS: producerOf("rostrum-jobs"),
    LETTERS: producerOf("rostrum-letters"),
    IMPORTS: producerOf("rostrum-imports"),
    EVENTS: producerOf("rostrum-events"),
  };
  return bindings;
}

const contextOf = (execution) => ({
  cache: execution.cache,
  props: execution.props,
  passThroughOnException() {},
  waitUntil(work) {
    later.add(work);
    const end = () => void later.delete(work);
    execution.waitUntil(work.then(end, end));
  },
});

async function deliver({ queue, messages: given }, env, execution) {
  const failed = [];
  const batch = {
    queue,
    messages: given.map((body, index) => ({
      id: crypto.randomUUID(),
      timestamp: new Date(),
      attempts: 1,
      body,
      ack() {},
      retry() {
        failed.push(index);
      },
    })),
    ackAll() {},
    retryAll() {},
  };
  await worker.queue(batch, env, execution);
  return failed;
}

export default {
  async fetch(request, env, execution) {
    const { pathname } = new URL(request.url);
    const context = contextOf(execution);
    const usual = bindingsOf(env);
    if (!pathname.startsWith("/~step/")) return worker.fetch(request, usual, context);
    const given = request.method === "POST" ? await request.json() : {};
    let failed = [];
    if (pathname === "/~step/queue") failed = await deliver(given, usual, context);
    if (pathname === "/~step/cron")
      await worker.scheduled({ cron: given.cron, scheduledTime: given.at ?? Date.now() }, usual, context);
    while (later.size > 0) await scheduler.wait(2);
    const left = { failed, messages, calls };
    messages = [];
    calls = { ...none };
    return Response.json(left);
  },
};
