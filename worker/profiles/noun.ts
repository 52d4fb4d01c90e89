import { asc, sql } from "drizzle-orm";
import { noun } from "#worker/nouns/noun.ts";
import { changedPeople } from "#worker/episodes/credits.ts";
import { profiles } from "#worker/profiles/table.ts";

export const profileNoun = noun({
  table: profiles,
  title: "name",
  files: { kind: "profile", columns: ["imageFileId"], descriptions: { imageFileId: "imageAlt" } },
  changed: (ctx, which) =>
    changedPeople(
      ctx,
      sql`select ${profiles.name} from ${profiles} where ${which}`,
      sql`select ${profiles.slug} as value from ${profiles} where ${which}`,
    ),
  // A deletion is not noted as an erasure.
  eraseAgain: () => [],
  exported: { list: "people.json", order: [asc(profiles.name)] },
});
