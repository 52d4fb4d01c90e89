import { createLetter } from "#worker/letters/commands.ts";
import { SUBJECT_LENGTH, type EditableLetter } from "#worker/letters/contract.ts";
import { readLetter } from "#worker/letters/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { copyTitle } from "#worker/platform/data/copy-title.ts";

/**
 * Creates a draft with the words and the segment of a letter in any state.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function duplicateLetter(ctx: Context, id: number): Promise<EditableLetter> {
  const { values } = await readLetter(ctx, id);
  const subject = values.subject === "" ? "" : copyTitle(values.subject, SUBJECT_LENGTH);
  return createLetter(ctx, { ...values, subject });
}
