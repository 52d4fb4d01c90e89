import { z } from "zod";
import { line, lines, markdown, webLink } from "#worker/platform/contract.ts";

export const pressTypes = ["press_release", "media_coverage"] as const;
export type PressType = (typeof pressTypes)[number];

/** The fields that the owner edits; title, date and summary are required. */
export const NewPressItem = z.strictObject({
  type: z.enum(pressTypes).default("press_release"),
  title: line(255).min(1, "Title is required"),
  /** Its day, yyyy-mm-dd. */
  date: z.iso.date("Date is required"),
  summary: lines(1000).min(1, "Summary is required"),
  /** Markdown. */
  content: markdown(100_000, "The text has at most 100,000 characters.").default(""),
  outlet: line(120).default(""),
  mediaType: line(60).default(""),
  link: webLink.nullable().default(null),
  published: z.boolean().default(true),
});
export type NewPressItem = z.input<typeof NewPressItem>;

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
