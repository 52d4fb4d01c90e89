import type { JobMessage } from "#worker/platform/context.ts";
import type { Message, Stepper } from "./steps.ts";

/** As wrangler.toml has it; 1 for the others. */
const BATCH: Record<string, number> = { "rostrum-events": 100 };
/** Messages of one `drain`, so that a chain without an end fails. */
const MOST = 10_000;

type Options = {
  stepper: Pick<Stepper, "request" | "deliver" | "waiting">;
  env: Env;
  /** Opens a session of an owner who has just proved who they are; returns its Cookie header. */
  signIn: () => Promise<string>;
};

/** Milliseconds of a session here; less than a proof of identity counts. */
const SESSION_MS = 5 * 60_000;

/** Requests of a stepped site that fail unless they succeed, and its queues. */
export function steppedClient({ stepper, env, signIn }: Options) {
  let session = { cookie: "", until: 0 };

  /** The Cookie header of the signed-in owner. */
  async function ownerCookie() {
    if (Date.now() > session.until) session = { cookie: await signIn(), until: Date.now() + SESSION_MS };
    return session.cookie;
  }

  const ask = async (name: string, path: string, init?: RequestInit) => {
    const answer = await stepper.request(name, path, init);
    if (answer.status >= 400)
      throw new Error(`${name}, ${path}: ${answer.status} ${answer.body.toString().slice(0, 500)}`);
    return answer;
  };

  /** As the owner, through the API of the admin area. */
  async function send<Result>(name: string, method: string, path: string, body?: unknown) {
    const answer = await ask(name, `/api/admin${path}`, {
      method,
      headers: { "Content-Type": "application/json", Cookie: await ownerCookie() },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (answer.body.length > 0 ? JSON.parse(answer.body.toString()) : null) as Result;
  }

  /** A screen of the admin area. */
  const page = async (name: string, path: string) =>
    ask(name, path, { headers: { Cookie: await ownerCookie() } });

  const listItems = async () => {
    const { results } = await env.DB.prepare("select id, state, saved from import_items").all<Item>();
    return new Map(results.map((item): [number, Item] => [item.id, item]));
  };

  /** What a message is for, in words; of an import, once it is delivered. */
  async function nameOf({ queue, body }: Message) {
    const { kind, id } = body as JobMessage;
    if (kind === "tick") return `part of a tick, ${id}`;
    if (kind !== "outbox") return queue.slice("rostrum-".length);
    const topic = await env.DB.prepare("select topic from outbox where id = ?")
      .bind(id)
      .first<string>("topic");
    return topic ?? "nothing";
  }

  async function deliver(batch: Message[]) {
    const [first] = batch;
    const name = `queue: ${await nameOf(first!)}${batch.length > 1 ? ` × ${batch.length}` : ""}`;
    if (first!.queue !== "rostrum-imports") return stepper.deliver(name, batch);
    const before = await listItems();
    const after = async () => `${name}, ${partOf(before, await listItems())}`;
    return stepper.deliver(after, batch);
  }

  /** Delivers what waits until nothing does, as the queues would. */
  async function drain() {
    for (let n = 0; stepper.waiting.length > 0; n++) {
      if (n === MOST) throw new Error(`${MOST} messages were delivered, and more wait.`);
      const first = stepper.waiting[0]!;
      const size = BATCH[first.queue] ?? 1;
      const batch = stepper.waiting.filter(({ queue }) => queue === first.queue).slice(0, size);
      stepper.waiting = stepper.waiting.filter((message) => !batch.includes(message));
      await deliver(batch);
    }
  }

  type Upload = { kind: string; name: string; type: string; folder: string; bytes: Uint8Array };

  async function upload({ kind, name, type, folder, bytes }: Upload) {
    const given = { name, type, size: bytes.length, folder };
    const { id, partSize } = await send<{ id: string; partSize: number }>(
      `${kind}: begin`,
      "POST",
      "/files",
      given,
    );
    for (let at = 0, number = 1; at < bytes.length; at += partSize, number++)
      await ask(
        `${kind}: ${number === 1 ? "first part" : "part"}`,
        `/api/admin/files/${id}/parts/${number}`,
        {
          method: "PUT",
          headers: { Cookie: await ownerCookie() },
          body: bytes.subarray(at, at + partSize) as Uint8Array<ArrayBuffer>,
        },
      );
    await send(`${kind}: complete`, "POST", `/files/${id}/complete`);
    await drain();
    return id;
  }

  return { ask, send, page, drain, upload, ownerCookie };
}

type Item = { id: number; state: string; saved: string | null };

/** Which part of an item's import a message was. Reading the metadata of its audio changes no item. */
function partOf(before: Map<number, Item>, after: Map<number, Item>) {
  for (const [id, { state, saved }] of after) {
    const was = before.get(id);
    if (was?.state === state && was.saved === saved) continue;
    if (state === "done" || state === "undone") return state === "done" ? "the episode" : "undo";
    if (saved !== was?.saved) return "audio";
  }
  const isUnfinished = [...after.values()].some(({ saved, state }) => saved !== null && state === "waiting");
  return isUnfinished ? "metadata" : "end";
}
