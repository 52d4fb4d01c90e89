import { and, eq, inArray, sql } from "drizzle-orm";
import { requireCapability, requireScopes } from "#worker/access/capabilities.ts";
import { moveToBin } from "#worker/bin/move-to-bin.ts";
import { findEmbedded } from "#worker/files/pictures/markdown-images.ts";
import {
  LetterChange,
  letterDefaults,
  NewLetter,
  type EditableLetter,
  type LetterInput,
  SUBJECT_LENGTH,
} from "#worker/letters/contract.ts";
import { requireSendable } from "#worker/letters/check.ts";
import { letterOf } from "#worker/letters/origins.ts";
import {
  isWritable,
  letterNotFound,
  readLetterRow,
  toEditable,
  toInput,
  writableStatuses,
  readLetter,
} from "#worker/letters/queries.ts";
import { renderLetter } from "#worker/letters/render.ts";
import { letterNoun, renderedColumns } from "#worker/letters/noun.ts";
import { letters } from "#worker/letters/table.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { draftKeyOf, findByDraftKey, refusingTakenKey } from "#worker/platform/data/draft-key.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { readSite } from "#worker/settings/queries.ts";
import { copyTitle } from "#worker/platform/text/excerpt.ts";

/** SQL: the letter is not being sent yet. */
const unsent = inArray(letters.status, writableStatuses);

/**
 * Creates a draft. With an `origin` it begins with the text of that article or episode. Idempotent by `draftKey`: a
 * repeated request changes the same letter. A letter written while the archive is off stays out of a later archive,
 * unless the input says otherwise.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found` and `conflict` for an origin that does not exist or is
 * not published
 */
export async function createLetter(ctx: Context, input: NewLetter): Promise<EditableLetter> {
  requireCapability("audience", ctx);
  const { origin, automatic, draftKey: key, ...given } = parseInput(NewLetter, input);
  const draftKey = draftKeyOf(ctx, key);
  const made = await findByDraftKey(ctx, letters, draftKey);
  if (made !== null) return updateLetter(ctx, made, { ...given, automatic });
  const { newsletter } = await readSite(ctx);
  const values = {
    ...letterDefaults,
    isPublic: newsletter.archive,
    ...(origin && (await letterOf(ctx, origin))),
    ...given,
  };
  const insert = ctx.db
    .insert(letters)
    .values({
      ...(await normalize(ctx, values)),
      status: "draft",
      originKind: origin?.kind ?? null,
      originId: origin?.id ?? null,
      draftKey,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning();
  const [row] = await refusingTakenKey(letters, () => insert);
  return toEditable(row!);
}

/**
 * Changes the given fields of a letter that is a draft or scheduled; whether it is in the archive may be changed at any
 * time. `basedOn` is the `updatedAt` that the change was made from; an `automatic` change is one of a draft.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`, also for a scheduled letter that could not be sent;
 * `conflict` for one that is being sent or was, and when the letter was changed elsewhere since `basedOn`
 */
export async function updateLetter(ctx: Context, id: number, input: LetterChange): Promise<EditableLetter> {
  requireCapability("audience", ctx);
  const { basedOn, automatic: isAutomatic = false, ...patch } = parseInput(LetterChange, input);
  const row = await readLetterRow(ctx, id);
  // A scheduled letter will be sent, and the archive shows one that was.
  if (row.status !== "draft") requireScopes(ctx, ["letters:send"]);
  if (isRepeated({ basedOn, stored: row, given: () => patch, changedElsewhere })) return toEditable(row);
  if (isOfArchive(patch)) return showInArchive(ctx, id, patch.isPublic);
  if (!isWritable(row.status)) throw alreadySent();
  if (isAutomatic && row.status !== "draft") throw draftsOnly();
  const values = { ...toInput(row), ...patch };
  if (row.status === "scheduled") requireSendable(values, (await renderLetter(ctx, { id, ...values })).mail);
  const [updated] = await ctx.db
    .update(letters)
    .set({
      ...(await normalize(ctx, values)),
      // The owner who saves it has seen the reason.
      pausedReason: isAutomatic ? row.pausedReason : null,
      updatedAt: laterThan(row.updatedAt, ctx.now),
    })
    .where(and(eq(letters.id, id), eq(letters.updatedAt, row.updatedAt), unsent))
    .returning();
  if (!updated) throw changedElsewhere();
  return toEditable(updated);
}

const isOfArchive = (patch: Partial<LetterInput>): patch is { isPublic: boolean } =>
  Object.keys(patch).length === 1 && patch.isPublic !== undefined;

/** Leaves `updatedAt` alone: the sending may be updating the row, and an open editor must not conflict. */
async function showInArchive(ctx: Context, id: number, isPublic: boolean) {
  const update = ctx.db.update(letters).set({ isPublic }).where(eq(letters.id, id)).returning();
  const isShown = sql`from ${letters} where ${letters.id} = ${id} and ${letters.startedAt} is not null`;
  const tags = sql`select 'letters' as tag ${isShown} union select ${`letter:${id}`} as tag ${isShown}`;
  const [[updated]] = await ctx.db.batch([update, changed(ctx, tags)]);
  if (!updated) throw letterNotFound();
  return toEditable(updated);
}

/**
 * Deletes a letter that is a draft or scheduled into the bin. A sent letter stays: its deliveries are the record of who got it.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for one that is being sent or was
 */
export async function deleteLetter(ctx: Context, id: number) {
  requireCapability("audience", ctx);
  if (await moveToBin(ctx, letterNoun, id, { only: unsent })) return;
  await readLetterRow(ctx, id);
  throw alreadySent();
}

const changedElsewhere = () =>
  new AppError("conflict", "This letter was changed elsewhere since you opened it.");
const alreadySent = () =>
  new AppError("conflict", "This letter is being sent or was sent, so you can’t change it.");
const draftsOnly = () =>
  new AppError("conflict", "Autosave is only for drafts. Save this letter with the button.");

/** The columns of an input. */
async function normalize(ctx: Context, input: LetterInput) {
  return { ...input, ...renderedColumns(input, await findEmbedded(ctx, input.content)) };
}

/**
 * Creates a draft with the words and the segment of a letter in any state.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function duplicateLetter(ctx: Context, id: number): Promise<EditableLetter> {
  const { values } = await readLetter(ctx, id);
  const subject = values.subject === "" ? "" : copyTitle(values.subject, SUBJECT_LENGTH);
  const question = values.question && { ...values.question, closesAt: null };
  return createLetter(ctx, { ...values, subject, question });
}
