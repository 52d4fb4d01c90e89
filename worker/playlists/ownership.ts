import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { readRow } from "#worker/playlists/queries.ts";

/** Another listener's private playlist is `not_found`, a public one `forbidden`. */
export async function requireOwn(ctx: Context, id: string) {
  const listener = requireListener(ctx);
  const row = await readRow(ctx, id);
  if (row.listener !== listener) throw new AppError("forbidden", "This playlist belongs to someone else.");
  return row;
}

/** The same, and refuses smart playlists. */
export async function requireOwnList(ctx: Context, id: string) {
  const row = await requireOwn(ctx, id);
  if (row.smart) {
    throw new AppError(
      "conflict",
      "A smart playlist fills automatically. You can delete it, but not change it.",
    );
  }
  return row;
}
