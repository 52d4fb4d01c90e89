import { eq } from "drizzle-orm";
import type { Loudness } from "#worker/files/loudness/contract.ts";
import { filePeaks } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Null without a file, and for one that no browser has measured yet. */
export async function findLoudness({ db }: Context, fileId: string | null): Promise<Loudness | null> {
  if (fileId === null) return null;
  const [row] = await db
    .select({ loudness: filePeaks.loudness })
    .from(filePeaks)
    .where(eq(filePeaks.id, fileId));
  return row?.loudness ?? null;
}
