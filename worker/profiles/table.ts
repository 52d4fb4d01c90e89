import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** What the owner says of a person whom episodes name. A person without a row has a page, too. */
export const profiles = sqliteTable(
  "profiles",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    name: text("name").notNull(),
    /** `personSlug` of the name. */
    slug: text("slug").notNull(),
    about: text("about").notNull(),
    imageFileId: text("image_file_id"),
    imageAlt: text("image_alt").notNull(),
    links: text("links", { mode: "json" })
      .$type<{ label: string; url: string }[]>()
      .notNull()
      .default(sql`'[]'`),
    /** The user and the key of the form that created it: a repeated request creates no second profile. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    index("profiles_name").on(table.name),
    uniqueIndex("profiles_slug").on(table.slug),
    uniqueIndex("profiles_draft_key").on(table.draftKey),
  ],
);
