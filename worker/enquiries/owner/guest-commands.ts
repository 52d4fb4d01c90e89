import { and, eq, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import { NewGuest } from "#worker/enquiries/contract.ts";
import { EpisodeChoice, type EnquiryDetails } from "#worker/enquiries/owner/contract.ts";
import { readEnquiry, readGuest } from "#worker/enquiries/owner/queries.ts";
import { recordGuest } from "#worker/enquiries/record-enquiry.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import type { Person } from "#worker/episodes/contract.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { writeAndRead, type Alongside } from "#worker/platform/data/write-and-read.ts";

/** Attempts, if the episode changes between read and write. */
const TRIES = 3;

/**
 * Adds a guest without an application, as an approved one. Sends no email.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function createGuest(ctx: Context, input: NewGuest): Promise<EnquiryDetails<"application">> {
  requireCapability("audience", ctx);
  const { name, email, ...fields } = parseInput(NewGuest, input);
  const addedBy = requireUser(ctx).fullName;
  const guest = { name, email, title: fields.topic, fields: { ...fields, addedBy } };
  return recordGuest(ctx, { kind: "application", ...guest }, (one, id) =>
    readEnquiry(one, "application", id),
  );
}

/**
 * Adds an approved applicant to an episode's guests, with their link. Idempotent.
 * @throws `unauthenticated`, `forbidden`; `invalid` as `updateEpisode`; `not_found`; `conflict` for an application that
 * is not approved, and an episode that is being saved elsewhere
 */
export async function addGuest(
  ctx: Context,
  id: number,
  input: EpisodeChoice,
): Promise<EnquiryDetails<"application">> {
  requireCapability("audience", ctx);
  const { episodeId } = parseInput(EpisodeChoice, input);
  const refer = (isNamed?: SQL) =>
    ctx.db
      .update(enquiries)
      .set({ episodeId, updatedAt: ctx.now })
      .where(and(eq(enquiries.id, id), isNamed));
  const read = (one: Context) => readEnquiry(one, "application", id);
  return nameGuest(ctx, episodeId, await readGuest(ctx, id), { refer, read });
}

type Naming = {
  /** The statement that notes the episode; it is in the batch that names the guest. */
  refer: (isNamed?: SQL) => BatchItem<"sqlite">;
  read: (ctx: Context) => Promise<EnquiryDetails<"application">>;
};

async function nameGuest(ctx: Context, episodeId: number, guest: Person, { refer, read }: Naming) {
  for (let tries = 1; ; tries++) {
    const { values, updatedAt } = await readEpisodeForEdit(ctx, episodeId);
    if (values.people.some((person) => isSame(person, guest))) {
      const [, enquiry] = await writeAndRead(ctx, (db) => db.batch([refer()]), read);
      return enquiry;
    }
    let enquiry: ReturnType<typeof read> | undefined;
    const alongside: Alongside = {
      statements: (isNamed) => [refer(isNamed)],
      read: (one) => (enquiry = read(one)),
    };
    try {
      const people = [...values.people, guest];
      await updateEpisode(ctx, episodeId, { people, basedOn: updatedAt }, { alongside });
      // Else a concurrent request has named the guest.
      if (enquiry) return await enquiry;
    } catch (error) {
      const isRetried = error instanceof AppError && error.code === "conflict" && tries < TRIES;
      if (!isRetried) throw error;
    }
  }
}

const isSame = (one: Person, other: Person) =>
  one.role === other.role &&
  (one.name.toLowerCase() === other.name.toLowerCase() || (one.href !== null && one.href === other.href));
