import type { Actor, Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { LISTENER_HEADER, LISTENER_ID } from "#worker/playlists/contract.ts";

/**
 * The actor of a listener id; only its hash leaves this function.
 * @throws `bad_request` for a missing or malformed id
 */
export async function listenerOf(id: string | undefined): Promise<Actor> {
  if (id === undefined || !LISTENER_ID.test(id)) {
    throw new AppError("bad_request", `Send a ${LISTENER_HEADER}: user_ and at least 22 random characters.`);
  }
  return { kind: "listener", id: await sha256(id) };
}

/**
 * The hash of the listener's id: the column `listener` of the tables.
 * @throws `bad_request` for any other actor
 */
export function requireListener({ actor }: Context) {
  if (actor.kind === "listener") return actor.id;
  throw new AppError("bad_request", `Send a ${LISTENER_HEADER}.`);
}
