import { z } from "zod";
import {
  basedOn,
  draftKey,
  line,
  lines,
  ListQuery,
  markdown,
  optionalLink,
} from "#worker/platform/contract.ts";

export const pressTypes = ["press_release", "media_coverage"] as const;
export type PressType = (typeof pressTypes)[number];

/** Markdown. */
const content = markdown(100_000, "The text has at most 100,000 characters.");

/** The fields that the owner edits. */
const PressFields = z.strictObject({
  type: z.enum(pressTypes),
  title: line(255, "A title has at most 255 characters.").min(1, "Title is required"),
  /** Its day, yyyy-mm-dd. */
  date: z.iso.date("Date is required"),
  summary: lines(1000, "A summary has at most 1,000 characters.").min(1, "Summary is required"),
  content,
  outlet: line(120, "An outlet has at most 120 characters."),
  mediaType: line(60, "A media type has at most 60 characters."),
  link: optionalLink,
  /** Shown on the site. */
  published: z.boolean(),
});
export type PressInput = z.output<typeof PressFields>;

/** Title, date and summary are required; the rest has `pressDefaults`. */
export const NewPressItem = PressFields.partial({
  type: true,
  content: true,
  outlet: true,
  mediaType: true,
  link: true,
  published: true,
}).extend({ draftKey });
export type NewPressItem = z.input<typeof NewPressItem>;

export const pressDefaults = {
  type: "press_release",
  content: "",
  outlet: "",
  mediaType: "",
  link: null,
  published: true,
} as const satisfies Partial<PressInput>;

export const PressChange = PressFields.partial().extend({ basedOn });
export type PressChange = z.input<typeof PressChange>;

export const PressPreviewInput = z.strictObject({ content });
export type PressPreviewInput = z.input<typeof PressPreviewInput>;

export const pressStatuses = ["published", "draft"] as const;

/** The query of the owner's list. */
export const PressListQuery = ListQuery.extend({
  /** Words, or their beginnings, in the title, the summary, the outlet or the text. */
  q: z.string().max(1000).optional(),
  type: z.enum(pressTypes).optional(),
  status: z.enum(pressStatuses).optional(),
});
export type PressListQuery = z.output<typeof PressListQuery>;

/** An item in the owner's list. */
export type PressRow = {
  id: number;
  type: PressType;
  title: string;
  outlet: string;
  /** Its day, as milliseconds at midnight UTC. */
  date: number;
  published: boolean;
};

/** A published item. */
export type PressItem = {
  id: number;
  type: PressType;
  title: string;
  summary: string;
  outlet: string;
  mediaType: string;
  /** Its day, as milliseconds at midnight UTC. */
  date: number;
  link: string | null;
  /** Safe HTML; empty when the item has no text of its own. */
  contentHtml: string;
};
