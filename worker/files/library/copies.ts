import { and, eq, gt } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The ids of the uploads of a recording, as a subquery; none if its length is unknown. Files have no checksum: two are
 * one recording where type, bytes and length are equal.
 */
export function selectCopies({ db }: Context, fileId: string) {
  const copies = alias(files, "copies");
  const isCopy = and(
    eq(copies.size, files.size),
    eq(copies.durationSeconds, files.durationSeconds),
    eq(copies.type, files.type),
  );
  return db
    .select({ id: copies.id })
    .from(files)
    .innerJoin(copies, isCopy)
    .where(and(eq(files.id, fileId), gt(files.size, 0)));
}
