import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { campaignStatuses, campaignTypes } from "#worker/campaigns/contract.ts";

/** Petitions and crowdfunding, shown in an iframe of the host that runs them. */
export const campaigns = sqliteTable(
  "campaigns",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    type: text("type", { enum: campaignTypes }).notNull(),
    title: text("title").notNull(),
    description: text("description").notNull(),
    /** The parliament's or the platform's number, such as EN8108. */
    reference: text("reference").notNull(),
    /** https; framed only when its host is among the settings' frame hosts, else linked. */
    embedUrl: text("embed_url").notNull(),
    status: text("status", { enum: campaignStatuses }).notNull(),
    category: text("category").notNull(),
    sortOrder: integer("sort_order").notNull(),
    /** The user and the key of the form that created it: a repeated request creates no second campaign. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    uniqueIndex("campaigns_draft_key").on(table.draftKey),
    index("campaigns_shown").on(table.status, table.sortOrder, table.id),
  ],
);
