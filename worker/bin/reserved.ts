import { getTableName } from "drizzle-orm";
import { reservedError, type ReservedColumn } from "#worker/bin/facet.ts";
import type { Noun } from "#worker/nouns/noun.ts";
import { AppError } from "#worker/platform/errors.ts";
import { refusingBroken } from "#worker/platform/data/publishing.ts";

/** Runs a write; one that takes the address or the GUID of an item in the bin is refused. */
export function refusingReserved<T>({ table, bin }: Noun, slug: string | undefined, write: () => Promise<T>) {
  const refusing = (column: ReservedColumn, words: string, run: () => Promise<T>) =>
    refusingBroken(reservedError(getTableName(table), column), () => taken(words, column), run);
  const taken = (words: string, field: string) =>
    new AppError(
      "conflict",
      `The bin has an ${bin!.kind} with ${words}. Restore that one, or delete it for good.`,
      {
        field,
      },
    );
  return refusing("slug", `the address “${slug}”`, () => refusing("guid", "this GUID", write));
}
