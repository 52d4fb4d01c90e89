import { and, eq, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import { notAnswerable } from "#worker/enquiries/owner/answerable.ts";
import { changeOf, type EnquiryChange, type EnquiryDetails } from "#worker/enquiries/owner/contract.ts";
import { enquiryNotFound, readEnquiry, readEnquiryRow } from "#worker/enquiries/owner/queries.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";

/**
 * Decides on an application while it is pending; marks a message or booking as new, read or done; moves an enquiry to the
 * spam or back; saves the notes. No mail leaves for it.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found`; `conflict` for an application that somebody has decided
 * on, one that lies in another box, and notes that were saved elsewhere since `basedOn`
 */
export async function updateEnquiry<K extends EnquiryKind>(
  ctx: Context,
  kind: K,
  id: number,
  input: EnquiryChange,
): Promise<EnquiryDetails<K>> {
  requireCapability("audience", ctx);
  const { status, isSeen, isSpam, notes, basedOn } = parseInput(changeOf[kind as EnquiryKind], input);
  const [updated] = await ctx.db
    .update(enquiries)
    .set({
      ...(status !== undefined && { status }),
      ...(isSeen && { status: sql`iif(${enquiries.box} = 'new', 'read', ${enquiries.status})` }),
      ...(isSpam !== undefined && { isSpam, spamReason: "" }),
      ...(notes !== undefined && { notes, notesAt: laterNotes(ctx) }),
      updatedAt: ctx.now,
    })
    .where(
      and(
        isEnquiry(kind, id),
        status === undefined ? undefined : mayGetStatus(kind),
        isSpam === undefined ? undefined : isNotNull(enquiries.confirmedAt),
        notes === undefined || basedOn === undefined ? undefined : eq(notesVersion, basedOn),
      ),
    )
    .returning({ id: enquiries.id });
  if (!updated) await requireRepeated(ctx, kind, id, { status, isSpam, notes });
  return readEnquiry(ctx, kind, id);
}

const isEnquiry = (kind: EnquiryKind, id: number) => and(eq(enquiries.kind, kind), eq(enquiries.id, id));

const notesVersion = sql`coalesce(${enquiries.notesAt}, 0)`;

/** SQL: two that are saved within one millisecond get two different times. */
const laterNotes = ({ now }: Context) => sql`max(${now.getTime()}, ${notesVersion} + 1)`;

const mayGetStatus = (kind: EnquiryKind): SQL =>
  kind === "application" ? eq(enquiries.box, "pending") : inArray(enquiries.box, ["new", "read", "done"]);

type Asked = { status: string | undefined; isSpam: boolean | undefined; notes: string | undefined };

/** Notes that are saved again, since the answer was lost, are there already. Anything else that changed nothing is refused. */
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
  if (status !== undefined) throw new AppError("conflict", `This application is ${row.status} already.`);
  if (isSpam !== undefined || row.notes !== notes)
    throw new AppError("conflict", "These notes were saved elsewhere since you opened them.");
}

/**
 * Deletes an enquiry, and what was written to its sender.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function deleteEnquiry(ctx: Context, kind: EnquiryKind, id: number) {
  requireCapability("audience", ctx);
  const [deleted] = await ctx.db.delete(enquiries).where(isEnquiry(kind, id)).returning({ id: enquiries.id });
  if (!deleted) throw enquiryNotFound(kind);
}
