import { shows } from "#worker/episodes/table.ts";
import { ownerContext } from "./client.ts";

/** Milliseconds UTC: when the feed that podcast apps read changed last. */
export async function feedChangedAt() {
  const [show] = await ownerContext().db.select().from(shows);
  return show!.feedChangedAt.getTime();
}
