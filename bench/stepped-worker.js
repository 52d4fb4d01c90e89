import worker from "./index.js";

/**
 * The built Worker, whose queue messages and cron ticks are requests: so each step's processor time can be measured
 * alone. What a step leaves to `waitUntil` belongs to it.
 */

/** What was left to `waitUntil` and has not ended. No request may await the promises of another. */
const later = new Set();
let messages = [];
const none = {
  head: 0,
  get: 0,
  put: 0,
  delete: 0,
  multipart: 0,
  kv: 0,
  mediaRead: 0,
  mediaWritten: 0,
  received: 0,
  sent: 0,
};
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

/** Bytes of one part of a file, which is the most that a step reads of a download. */
const PART = 8 * 1024 * 1024;
const download = globalThis.fetch;
globalThis.fetch = async (...given) => {
  const response = await download(...given);
  calls.received += Math.min(PART, Number(response.headers.get("Content-Length") ?? 0));
  return response;
};

/** Counts the calls of R2, by kind, and their bytes: its local stand-in runs in the same process. */
const countingMedia = (target) =>
  new Proxy(target, {
    get(_, key) {
      const value = target[key];
      if (typeof value !== "function") return value;
      return (...given) => {
        // It calls nothing.
        if (key === "resumeMultipartUpload") return countingMedia(value.apply(target, given));
        calls[kinds[key] ?? "multipart"]++;
        calls.mediaWritten += writtenBy(key, given);
        const returned = value.apply(target, given);
        return key === "get" ? returned.then(counted) : returned;
      };
    },
  });

/** A list costs what a head does; the others are calls of an upload in parts. */
const kinds = { head: "head", list: "head", get: "get", put: "put", delete: "delete" };

/** The same for the calls of KV. */
const countingKv = (target) =>
  new Proxy(target, {
    get(_, key) {
      const value = target[key];
      if (typeof value !== "function") return value;
      return (...given) => {
        calls.kv++;
        return value.apply(target, given);
      };
    },
  });

const writtenBy = (key, given) =>
  key === "put" || key === "uploadPart" ? (given[1]?.byteLength ?? given[1]?.length ?? 0) : 0;

/** The whole requested range: who asks for a body reads it. */
function counted(object) {
  if (object?.body) calls.mediaRead += object.range?.length ?? object.size;
  return object;
}

function bindingsOf(env) {
  bindings ??= {
    ...env,
    MEDIA: countingMedia(env.MEDIA),
    KV: countingKv(env.KV),
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

const answer = new Uint8Array(PART);

/** Bytes of an object whose own cost is that of the call. */
const small = new Uint8Array(100);

/** Does nothing else, so that it costs what the stand-ins do. */
async function useStandIns({ mediaRead = 0, mediaWritten = 0, ...times }, env) {
  const { DB, MEDIA, KV } = env;
  const runs = {
    trips: () => DB.prepare("select 1").all(),
    head: () => MEDIA.head("none"),
    get: async () => (await MEDIA.get("small")).arrayBuffer(),
    put: () => MEDIA.put("small", small),
    delete: () => MEDIA.delete("none"),
    // Three calls.
    async multipart() {
      const upload = await MEDIA.createMultipartUpload("parts");
      await upload.complete([await upload.uploadPart(1, small)]);
    },
    kv: () => KV.get("none"),
  };
  if (times.get) await runs.put();
  for (const [kind, count] of Object.entries(times)) for (let n = 0; n < count; n++) await runs[kind]();
  if (mediaWritten > 0) await MEDIA.put("stand-in", new Uint8Array(mediaWritten));
  if (mediaRead > 0)
    await (await MEDIA.get("stand-in", { range: { offset: 0, length: mediaRead } })).arrayBuffer();
}

export default {
  async fetch(request, env, execution) {
    const { pathname } = new URL(request.url);
    const context = contextOf(execution);
    const usual = bindingsOf(env);
    if (!pathname.startsWith("/~step/")) return worker.fetch(request, usual, context);
    if (pathname === "/~step/receive") {
      await request.arrayBuffer();
      return Response.json({ failed: [], messages: [], calls: none });
    }
    if (pathname === "/~step/send") return new Response(answer);
    const given = request.method === "POST" ? await request.json() : {};
    let failed = [];
    if (pathname === "/~step/queue") failed = await deliver(given, usual, context);
    if (pathname === "/~step/stand-ins") await useStandIns(given, env);
    if (pathname === "/~step/cron")
      await worker.scheduled({ cron: given.cron, scheduledTime: given.at ?? Date.now() }, usual, context);
    while (later.size > 0) await scheduler.wait(2);
    const left = { failed, messages, calls };
    messages = [];
    calls = { ...none };
    return Response.json(left);
  },
};
