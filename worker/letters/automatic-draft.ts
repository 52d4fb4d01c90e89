import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import { findEmbedded } from "#worker/files/pictures/markdown-images.ts";
import type { LetterInput, Origin } from "#worker/letters/contract.ts";
import { renderedColumns } from "#worker/letters/noun.ts";
import { letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { insertIf } from "#worker/platform/data/insert-if.ts";

type Made = {
  values: LetterInput;
  automaticLetterId: number;
  /** No second letter gets it. */
  key: string;
  origin: Origin | null;
  /** Otherwise it is a draft. */
  isSent: boolean;
  pausedReason: string | null;
};

/**
 * The statement that inserts a letter which an automatic letter has made, if the condition is true in its batch, and SQL of
 * its id. One that is to be sent is scheduled for now, so that the tick sends it with all the checks of a scheduled letter.
 */
export async function automaticDraft(ctx: Context, made: Made, condition: SQL) {
  const { values, automaticLetterId, key, origin, isSent, pausedReason } = made;
  const statement = insertIf(
    ctx,
    letters,
    {
      ...values,
      ...renderedColumns(values, await findEmbedded(ctx, values.content)),
      status: isSent ? "scheduled" : "draft",
      scheduledFor: isSent ? ctx.now : null,
      pausedReason,
      originKind: origin?.kind ?? null,
      originId: origin?.id ?? null,
      automaticLetterId,
      draftKey: key,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    },
    condition,
  );
  return { statement, id: sql`(select ${letters.id} from ${letters} where ${letters.draftKey} = ${key})` };
}

/** The letters that an automatic letter has made since a time, and that were not deleted. */
export const countMadeSince = ({ db }: Context, automaticLetterId: number, since: Date) =>
  db.$count(letters, and(eq(letters.automaticLetterId, automaticLetterId), gt(letters.createdAt, since)));

/** SQL: the id of a letter that a user has made from an article or episode; null if there is none. */
export const ownLetterOf = ({ kind, id }: Origin) => sql`(
  select ${letters.id} from ${letters}
  where ${letters.originKind} = ${kind} and ${letters.originId} = ${id} and ${letters.automaticLetterId} is null limit 1)`;

/** The subject of a letter that is a draft; undefined for others. */
export async function findDraftSubject({ db }: Context, id: number) {
  const [row] = await db
    .select({ subject: letters.subject })
    .from(letters)
    .where(and(eq(letters.id, id), eq(letters.status, "draft")));
  return row?.subject;
}
