import { z } from "zod";
import { costlyLine, tooCostly } from "#worker/platform/text/costly-markdown.ts";
import { inAscii, storedAddress, whyNotAddress } from "#worker/platform/text/email-address.ts";
import { isLongerThan } from "#worker/platform/text/graphemes.ts";
import { idInPath } from "#worker/platform/text/id-in-path.ts";

/** Fields that several nouns have, each with the one message of its rule. */

/**
 * Messages for schemas that have none of their own. Every parse whose errors a person may see uses it; a test checks
 * all contracts.
 */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? REQUIRED : (typeWords[issue.expected] ?? UNFIT);
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return REQUIRED;
      return `${issue.inclusive === false ? "More than" : "At least"} ${counted(issue.minimum, issue.origin)}.`;
    case "too_big":
      return `${issue.inclusive === false ? "Less than" : "At most"} ${counted(issue.maximum, issue.origin)}.`;
    case "invalid_value":
      return `Choose one of these: ${issue.values.map(String).join(", ")}.`;
    case "unrecognized_keys":
      return `There’s no field ${issue.keys.map((key) => `“${key}”`).join(" or ")} here.`;
    case "invalid_union":
      // The last option is the filled field; the options before it are the ways to leave it empty.
      return issue.errors.at(-1)?.[0]?.message ?? UNFIT;
    default:
      return UNFIT;
  }
};

const REQUIRED = "This is required.";
const UNFIT = "This isn’t in the right format.";

const typeWords: Record<string, string> = {
  string: "Enter some text.",
  number: "Enter a number.",
  int: "Enter a whole number.",
  boolean: "Choose yes or no.",
  array: "Give a list.",
  object: "Give an object with fields.",
};

/** Formatted on demand: loading locales slows startup. */
function counted(count: number | bigint, origin: string) {
  const units: Record<string, string> = { string: "character", array: "entry" };
  const number = count.toLocaleString("en");
  const unit = units[origin];
  if (unit === undefined) return number;
  return `${number} ${Number(count) === 1 ? unit : unit.replace(/y$/, "ie") + "s"}`;
}

/**
 * Characters that are invisible and never typed: control characters, lone surrogates and noncharacters, some of which
 * XML cannot contain; and bidirectional overrides, which can disguise a name (U+202E).
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/u;
/** Characters that a single line may not contain, line and paragraph separators included. */
export const INVISIBLE_IN_LINE = new RegExp(`${INVISIBLE.source}|[\\p{Zl}\\p{Zp}]`, "u");
const VISIBLE = /[^\p{C}\p{Z}]/u;

function plainText(max: number, tooLong: string | undefined, findInvisible: (text: string) => number) {
  return (
    z
      .string()
      // Invisible text, such as a zero-width space, counts as empty.
      .overwrite((text) => (VISIBLE.test(text) ? text.trim() : ""))
      .max(max, tooLong)
      .superRefine((text, { addIssue }) => {
        const at = findInvisible(text);
        if (at >= 0) addIssue(invisibleAt(text, at));
      })
  );
}

function invisibleAt(text: string, at: number) {
  const code = text.codePointAt(at)!.toString(16).toUpperCase().padStart(4, "0");
  const before = text.slice(Math.max(0, at - 20), at);
  const place = before === "" ? "at the start" : `after “${before}”`;
  if (/[\n\r\p{Zl}\p{Zp}]/u.test(text.charAt(at)))
    return `This must be on one line: it has a line break ${place}.`;
  return `There’s an invisible character ${place} (U+${code}). Type it again without it.`;
}

/** One line of plain text: a title, a name. */
export const line = (max: number, tooLong?: string) =>
  plainText(max, tooLong, (text) => text.search(INVISIBLE_IN_LINE));

/** Plain text of one or more lines. */
export const lines = (max: number, tooLong?: string) =>
  plainText(max, tooLong, (text) => text.replace(/[\t\n\r]/g, " ").search(INVISIBLE));

type TextRules = {
  /** What the field is called in its messages. */
  of: string;
  /** Takes several lines. */
  isLong?: boolean;
  isOptional?: boolean;
};

/** A text that visitors type, of at most `max` characters as people see them. */
export function textOf(max: number, { of, isLong = false, isOptional = false }: TextRules) {
  const limited = z
    .string(`${of} is required`)
    // An HTML form post has CRLF line breaks.
    .overwrite((text) => text.replace(/\r\n?/g, "\n"))
    .refine((text) => !isLongerThan(max, text.trim()), {
      error: `${of} has at most ${max} characters.`,
      abort: true,
    })
    .pipe((isLong ? lines : line)(Number.MAX_SAFE_INTEGER));
  return isOptional ? limited : limited.refine((text) => text !== "", `${of} is required`);
}

/** A BCP 47 tag of a language and region that Intl has names for, in its canonical form: `EN-au` becomes `en-AU`. */
export const languageTag = z
  .string()
  .trim()
  .transform((tag, { addIssue }) => {
    const canonical = canonicalTag(tag);
    if (canonical !== null) return canonical;
    addIssue("Enter a language code such as en-AU.");
    return z.NEVER;
  });

/** Intl also accepts unassigned languages and extensions, which feeds cannot use. */
function canonicalTag(tag: string) {
  try {
    const locale = new Intl.Locale(tag);
    const { language, region, baseName } = locale;
    const isNamed = (type: "language" | "region", code = "") =>
      new Intl.DisplayNames("en", { type, fallback: "none" }).of(code) !== undefined;
    const isKnown = isNamed("language", language) && (region === undefined || isNamed("region", region));
    return isKnown && baseName === locale.toString() ? baseName : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Markdown that renders within a bounded time. */
export const markdown = (max: number, tooLong: string) =>
  z
    .string()
    .max(max, { error: tooLong, abort: true })
    .superRefine((text, ctx) => {
      const costly = costlyLine(text, max);
      if (costly !== null) ctx.addIssue(tooCostly(costly));
    });

/** Rows of a list on a page, distinguished by their `key`. */
export const rowsOf = <Row extends Record<string, unknown>>(
  row: z.ZodType<Row, Row>,
  { max, key }: { max: number; key: keyof Row & string },
) =>
  z
    .array(row)
    .max(max)
    .superRefine((rows, ctx) => {
      const seen = new Set<unknown>();
      for (const [index, { [key]: value }] of rows.entries()) {
        if (seen.has(value)) {
          ctx.addIssue({ code: "custom", path: [index, key], message: "This is already in the list." });
        }
        seen.add(value);
      }
    });

/** Lowercased and with its domain in ASCII, as it is stored and compared. */
export const email = z
  .string("Email is required")
  .overwrite(storedAddress)
  .min(1, { error: "Email is required", abort: true })
  .superRefine((address, { addIssue }) => {
    const why = whyNotAddress(address, "Email is invalid");
    if (why !== null) addIssue(why);
  });

/** The owner's address as typed, except that its domain is in ASCII; empty for none. */
export const optionalEmail = z.union([
  z.literal(""),
  z
    .string()
    .overwrite(inAscii)
    .max(254, { error: "That address is too long.", abort: true })
    .superRefine((address, { addIssue }) => {
      const why = whyNotAddress(address, "Enter an email address.");
      if (why !== null) addIssue(why);
    }),
]);

const TOO_LONG = "That address is too long.";

export const webLink = z
  .url({ protocol: /^https?$/, error: "Enter a full address, such as https://example.com/page." })
  .max(2000, TOO_LONG);

/** An empty field in a form means none. */
export const optionalLink = z.union([z.literal("").transform(() => null), z.null(), webLink]);

/** An address that pages frame, or link to as the owner's profile elsewhere. */
export const secureLink = z
  .url({ protocol: /^https$/, error: "Enter a full address that starts with https://." })
  .max(2000, TOO_LONG);

/** The end of a page's address. Empty: derived from the title. */
export const slug = z.union([
  z.literal(""),
  z
    .string()
    .max(120, "An address has at most 120 characters.")
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Use lowercase words joined by hyphens."),
]);

/** A form's idempotency key: sent again by the same user, the form creates no second item. */
export const draftKey = z.uuid("This key isn’t valid.").optional();

/** The `updatedAt` that a change was made from; refused when there is a newer one. */
export const basedOn = z.int().positive().optional();

/** Every id of a list of at most `most` items once, in their new order. */
export const orderOf = (most: number) => z.strictObject({ ids: z.array(z.int().positive()).max(2 * most) });

/** The query of a list. `before` is the previous page's `next`. */
export const ListQuery = z.strictObject({ before: z.string().max(40).optional() });

/** A row's id, as a number or as the text in paths and queries. */
export const rowId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** The path parameter of a single row. */
export const IdParam = z.strictObject({ id: z.string().transform(idInPath).pipe(z.int().positive()) });

/** The highest sort order. */
export const LAST_PLACE = 1_000_000;
const WHOLE = "Sort order must be a whole number of at most a million.";

/** The position in a list that the owner orders: lower ones come first. */
export const sortOrder = z.int(WHOLE).min(-LAST_PLACE, WHOLE).max(LAST_PLACE, WHOLE);

/** An uploaded file. Not a UUID: all of its 128 bits are random. */
export const fileId = z.guid("Upload the file again.").nullable();
