import { everybody } from "#worker/letters/contract.ts";
import { letters } from "#worker/letters/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { jobContext, ownerContext } from "./client.ts";
import { unique } from "./factories.ts";

/** Switches the archive of letters on or off. */
export const setArchive = (archive: boolean) =>
  updateSite(ownerContext(), { newsletter: { ...siteDefaults.newsletter, archive } });

/** A letter that was sent and can be read on the site, unless the values say otherwise. Returns its id. */
export async function archivedLetter(values: Partial<typeof letters.$inferInsert> = {}) {
  const { db, now } = jobContext();
  const [letter] = await db
    .insert(letters)
    .values({
      subject: `Letter ${unique()}`,
      preheader: "",
      status: "sent",
      segment: everybody,
      startedAt: now,
      isPublic: true,
      createdAt: now,
      updatedAt: now,
      embeddedFileIds: [],
      content: "Words.",
      contentHtml: "<p>Words.</p>",
      ...values,
    })
    .returning({ id: letters.id });
  return letter!.id;
}
