import { and, eq, not } from "drizzle-orm";
import { isInUse } from "#worker/files/library/references.ts";
import { files, replacedFiles } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/data/prepared.ts";

/** The statements that redirect the address of a file to its replacement, and so those that redirected to it. */
export const leadToSuccessor = ({ db }: Context, former: string, next: string) =>
  [
    db.delete(replacedFiles).where(eq(replacedFiles.fileId, next)),
    db.update(replacedFiles).set({ successorId: next }).where(eq(replacedFiles.successorId, former)),
    db
      .insert(replacedFiles)
      .values({ fileId: former, successorId: next })
      .onConflictDoUpdate({ target: replacedFiles.fileId, set: { successorId: next } }),
  ] as const;

const selectSuccessor = prepared(["fileId"], (db, { fileId }) =>
  db
    .select({ key: files.key })
    .from(replacedFiles)
    .innerJoin(files, and(eq(files.id, replacedFiles.successorId), eq(files.status, "complete")))
    .where(and(eq(replacedFiles.fileId, fileId), not(isInUse(replacedFiles.fileId)))),
);

/** The key of the file that replaced another; undefined if none did, and if an item uses the other one again. */
export async function findSuccessor(ctx: Context, fileId: string) {
  const [successor] = await selectSuccessor(ctx, { fileId });
  return successor?.key;
}
