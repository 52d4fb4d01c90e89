import type { Values } from "../form/compare/fields.tsx";

/** Words of what has a status: articles and episodes. */
export type Status = "draft" | "published" | "scheduled" | "archived";

export const statusNames: Record<Status, string> = {
  draft: "Draft",
  published: "Published",
  scheduled: "Scheduled",
  archived: "Archived",
};

export const statusTones = {
  draft: "neutral",
  published: "accent",
  scheduled: "signal",
  archived: "neutral",
} as const;

/** What the button says that saves. `noun`: "episode". */
export function saveLabel(noun: string, before: Status, after: Status) {
  if (before === after) return after === "draft" ? "Save draft" : "Save changes";
  const labels: Record<Status, string> = {
    draft: "Save as draft",
    published: `Publish ${noun}`,
    scheduled: `Schedule ${noun}`,
    archived: `Archive ${noun}`,
  };
  return labels[after];
}

/**
 * The tone of the button that opens the publishing dialog. None if the form's own button publishes, or the item is
 * public.
 */
export function publishButton(before: Status, after: Status) {
  if (before !== after || before === "published") return undefined;
  return before === "draft" ? "primary" : "quiet";
}

/** To be compared: an address that follows the title is part of no version. */
export const withoutOpenSlug = (values: Values): Values => ({ ...values, slug: values["slug"] || undefined });
