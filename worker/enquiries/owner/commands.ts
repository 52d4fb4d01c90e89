import { and, eq, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { requireCapability, requirePerson } from "#worker/access/capabilities.ts";
import { moveToBin } from "#worker/bin/move-to-bin.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import { enquiryNoun } from "#worker/enquiries/noun.ts";
import { notAnswerable } from "#worker/enquiries/owner/summary.ts";
import { changeOf, type EnquiryChange, type EnquiryDetails } from "#worker/enquiries/owner/contract.ts";
import { enquiryNotFound, readEnquiry, readEnquiryRow } from "#worker/enquiries/owner/queries.ts";
import { cancelRecordings } from "#worker/enquiries/owner/recording.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { writeAndRead } from "#worker/platform/data/write-and-read.ts";

/**
 * Decides on a pending application; marks a message or booking as new, read or done; moves an enquiry to the spam or
 * back; saves the notes. Sends an email only to cancel the recording of an applicant who is rejected or marked as spam.
 * @throws `unauthenticated`; `forbidden`, also for a token whose change would send an email; `invalid`; `not_found`; `conflict` for an application that is already
 * decided, one in another box, and notes that were saved elsewhere since `basedOn`
 */
export async function updateEnquiry<K extends EnquiryKind>(
  ctx: Context,
  kind: K,
  id: number,
  input: EnquiryChange,
): Promise<EnquiryDetails<K>> {
  requireCapability("audience", ctx);
  const { status, isSeen, isSpam, notes, basedOn } = parseInput(changeOf[kind as EnquiryKind], input);
  const isIt = and(
    isEnquiry(kind, id),
    status === undefined ? undefined : mayGetStatus(kind),
    isSpam === undefined ? undefined : isNotNull(enquiries.confirmedAt),
    notes === undefined || basedOn === undefined ? undefined : eq(notesVersion, basedOn),
  );
  const update = ctx.db
    .update(enquiries)
    .set({
      ...(status !== undefined && { status }),
      ...(isSeen && { status: sql`iif(${enquiries.box} = 'new', 'read', ${enquiries.status})` }),
      ...(isSpam !== undefined && { isSpam, spamReason: "" }),
      ...(notes !== undefined && { notes, notesAt: laterNotes(ctx) }),
      updatedAt: ctx.now,
    })
    .where(isIt)
    .returning({ id: enquiries.id });
  const isTurnedDown = kind === "application" && (status === "rejected" || isSpam === true);
  const cancellation = isTurnedDown ? await cancellationOf(ctx, isIt) : null;
  if (cancellation !== null && cancellation.statements.length > 0) requirePerson(ctx, SENDS_MAIL);
  const [results, enquiry] = await writeAndRead(
    ctx,
    (db) => db.batch(batchOf(cancellation, update)),
    (one) => readEnquiry(one, kind, id),
  );
  cancellation?.enqueue();
  if (results.at(-1)!.length > 0) return enquiry;
  await requireRepeated(ctx, kind, id, { status, isSpam, notes });
  return enquiry;
}

const SENDS_MAIL =
  "This would email the guest that their recording is cancelled, which a token can’t do. Sign in to the admin area.";

/** A batch that ends with a write; at least that one, which the types of a spread do not say. */
const batchOf = <Write extends BatchItem<"sqlite">>(
  cancellation: { statements: readonly BatchItem<"sqlite">[] } | null,
  write: Write,
) => [...(cancellation?.statements ?? []), write] as unknown as [Write, ...Write[]];

/** The cancellation of the recording to which the sender of an enquiry is invited, to put before its write. */
const cancellationOf = (ctx: Context, isIt: SQL | undefined) =>
  cancelRecordings(ctx, isIt, { isDue: sql`exists (select 1 from ${enquiries} where ${isIt})` });

const isEnquiry = (kind: EnquiryKind, id: number) => and(eq(enquiries.kind, kind), eq(enquiries.id, id));

const notesVersion = sql`coalesce(${enquiries.notesAt}, 0)`;

/** SQL: two that are saved within one millisecond get two different times. */
const laterNotes = ({ now }: Context) => sql`max(${now.getTime()}, ${notesVersion} + 1)`;

const mayGetStatus = (kind: EnquiryKind): SQL =>
  kind === "application" ? eq(enquiries.box, "pending") : inArray(enquiries.box, ["new", "read", "done"]);

type Asked = { status: string | undefined; isSpam: boolean | undefined; notes: string | undefined };

/**
 * A repeated save of the same notes, after a lost response, succeeds. Any other change without an effect is refused.
 */
async function requireRepeated(
  ctx: Context,
  kind: EnquiryKind,
  id: number,
  { status, isSpam, notes }: Asked,
) {
  const row = await readEnquiryRow(ctx, kind, id);
  if (status !== undefined || isSpam !== undefined) {
    const inTheWay = notAnswerable(row.box);
    if (inTheWay) throw inTheWay;
  }
  if (status !== undefined) throw new AppError("conflict", `This application is already ${row.status}.`);
  if (isSpam !== undefined || row.notes !== notes)
    throw new AppError("conflict", "These notes were saved elsewhere since you opened them.");
}

/**
 * Deletes an enquiry into the bin, with the emails to its sender. Cancels a recording to which they are invited, also if
 * it is restored.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function deleteEnquiry(ctx: Context, kind: EnquiryKind, id: number) {
  requireCapability("audience", ctx);
  const isIt = isEnquiry(kind, id);
  const cancellation = await cancellationOf(ctx, isIt);
  const isDeleted = await moveToBin(ctx, enquiryNoun, id, {
    only: eq(enquiries.kind, kind),
    before: cancellation.statements,
  });
  cancellation.enqueue();
  if (!isDeleted) throw enquiryNotFound(kind);
}
