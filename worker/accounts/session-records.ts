import { expiryOf, type SessionToken } from "#worker/accounts/session-token.ts";
import type { Client, Context } from "#worker/platform/context.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { logAsNull } from "#worker/platform/log.ts";
import { cutToBytes } from "#worker/platform/text/bytes.ts";

/**
 * The records of sessions in KV, by which a user's devices are listed. Each expires with its session. KV may return an
 * older state for a minute, or none: no request depends on them (docs/decisions/0097-sessions-in-kv.md).
 */
type Details = Client & {
  openedAt: number;
  seenAt: number;
  /** A hash of the user's stamp, so that a record of a session that a new stamp has ended is recognised. */
  stamp: string;
};

export type SessionRecord = { id: string } & Details;

const prefixOf = (userId: string) => `session:${userId}:`;
const keyOf = ({ userId, id }: Pick<SessionToken, "userId" | "id">) => prefixOf(userId) + id;

const hashOf = async (stamp: string) => (await sha256(stamp)).slice(0, 16);

/** Bytes. KV takes 1,024 of metadata, and a user agent may have any characters. */
const USER_AGENT_BYTES = 400;

/** Seconds. KV takes no shorter expiry. */
const SHORTEST_EXPIRY = 60;

/** Writes the record of a session that is in use. At most once a second for each session. */
export async function putRecord(ctx: Context, session: SessionToken) {
  const metadata: Details = {
    address: ctx.client.address,
    userAgent: cutToBytes(ctx.client.userAgent, USER_AGENT_BYTES),
    openedAt: session.openedAt.getTime(),
    seenAt: ctx.now.getTime(),
    stamp: await hashOf(session.stamp),
  };
  const left = Math.floor((expiryOf(ctx, session).getTime() - ctx.now.getTime()) / 1000);
  await ctx.kv.put(keyOf(session), "", { metadata, expirationTtl: Math.max(left, SHORTEST_EXPIRY) });
}

/** For the log. */
export const NOT_DELETED = "sessions: KV did not delete the record";

export const deleteRecord = ({ kv }: Context, session: Pick<SessionToken, "userId" | "id">) =>
  kv.delete(keyOf(session));

/** The device of a record; null if there is none, and an unknown one while KV does not answer. */
export async function findRecord({ kv }: Context, session: Pick<SessionToken, "userId" | "id">) {
  const reading = kv.getWithMetadata<Details>(keyOf(session)).catch(logAsNull("sessions: KV did not answer"));
  const found = await reading;
  return found === null ? { userAgent: "" } : found.metadata;
}

/** Deletes the records of a user, whose sessions have ended. */
export async function deleteRecordsOf({ kv }: Context, userId: string) {
  const { keys } = await kv.list({ prefix: prefixOf(userId), limit: MOST_RECORDS });
  await Promise.all(keys.map(({ name }) => kv.delete(name)));
}

/** Records that are read: a user has a handful of devices. */
const MOST_RECORDS = 200;

/** The user's records, of this stamp. */
export async function listRecords({ kv }: Context, { id, stamp }: { id: string; stamp: string }) {
  const prefix = prefixOf(id);
  const { keys } = await kv.list<Details>({ prefix, limit: MOST_RECORDS });
  const hash = await hashOf(stamp);
  return keys.flatMap(({ name, metadata }): SessionRecord[] =>
    metadata?.stamp === hash ? [{ id: name.slice(prefix.length), ...metadata }] : [],
  );
}
