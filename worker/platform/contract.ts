import { z } from "zod";
import { costlyLine, tooCostly } from "#worker/platform/costly-markdown.ts";

/** Fields that several nouns have, each with the one message of its rule. */

/** One line or paragraph of plain text. Its message is written when it is needed: locales are slow to load at the start. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, { error: () => `At most ${max.toLocaleString("en")} characters.` });

/** Markdown that renders within a bounded time. */
export const markdown = (max: number, tooLong: string) =>
  z
    .string()
    .max(max, { error: tooLong, abort: true })
    .superRefine((text, ctx) => {
      const costly = costlyLine(text, max);
      if (costly !== null) ctx.addIssue(tooCostly(costly));
    });

/** Lowercased, as it is stored and compared. */
export const email = z
  .string("Email is required")
  .trim()
  .toLowerCase()
  .min(1, "Email is required")
  .max(254, "Email is invalid")
  .regex(z.regexes.email, "Email is invalid");

const TOO_LONG = "That address is too long.";

export const webLink = z
  .url({ protocol: /^https?$/, error: "Enter a full address, such as https://example.com/page." })
  .max(2000, TOO_LONG);

/** An empty field in a form means none. */
export const optionalLink = z.union([z.literal("").transform(() => null), z.null(), webLink]);

/** What our pages frame, or link to as one of the owner's own places. */
export const secureLink = z
  .url({ protocol: /^https$/, error: "Enter a full address that starts with https://." })
  .max(2000, TOO_LONG);

/** The end of a page's address. Empty: derived from the title. */
export const slug = z.union([
  z.literal(""),
  z
    .string()
    .max(120)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Use lowercase words joined by hyphens."),
]);

/** The query of a list. `before` is a former answer's `next`. */
export const ListQuery = z.strictObject({ before: z.string().max(40).optional() });

/** An uploaded file. */
export const fileId = z.uuid("Upload the file again.").nullable();
