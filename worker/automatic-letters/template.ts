import {
  itemPlaceholders,
  letterPlaceholders,
  type AutomaticLetterInput,
} from "#worker/automatic-letters/contract.ts";
import { CONTENT_LENGTH, PREHEADER_LENGTH, SUBJECT_LENGTH } from "#worker/letters/contract.ts";
import { linkLabels, pictureOf } from "#worker/letters/origins.ts";
import { asMarkdown, openingOf } from "#worker/mail/markdown-text.ts";
import { AppError } from "#worker/platform/errors.ts";
import { beginningOf } from "#worker/platform/text/excerpt.ts";

/** A published essay or episode, as a letter shows it. */
export type LetterItem = {
  kind: "article" | "episode";
  title: string;
  /** Plain text. */
  summary: string;
  /** Markdown. */
  text: string;
  picture: { url: string; alt: string } | null;
  /** Absolute. */
  link: string;
};

export type Template = Pick<AutomaticLetterInput, "subject" | "preheader" | "content">;

/** What a letter shows besides its items. */
type Around = { site: string; date: string };

const BLOCK = /\{\{#items\}\}([^]*?)\{\{\/items\}\}/g;
/** A heading of nothing but an item's title. */
const TITLE_HEADING = /^#{1,6}[ \t]+\{\{\s*title\s*\}\}[ \t]*$\n*/m;
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Requires a subject, and a content with a block for the items; each placeholder must be known where it is.
 * @throws `invalid`
 */
export function requireTemplate({ subject, preheader, content }: Template) {
  if (subject.trim() === "") throw refusal("subject", "A subject is required.");
  const blocks = [...content.matchAll(BLOCK)].map(([, block = ""]) => block);
  const outside = content.replace(BLOCK, "");
  const stray = ["#items", "/items"].find((name) => outside.includes(`{{${name}}}`));
  if (stray !== undefined)
    throw refusal("content", `{{${stray}}} has no counterpart. Items are between {{#items}} and {{/items}}.`);
  if (blocks.length === 0)
    throw refusal(
      "content",
      "The items are missing. Put {{#items}} before what each item shows, and {{/items}} after it.",
    );
  if (blocks.length > 1) throw refusal("content", "Use {{#items}} only once, so that no item appears twice.");
  if (!placeholdersIn(blocks[0]!).some((name) => Object.hasOwn(itemPlaceholders, name)))
    throw refusal(
      "content",
      "Nothing of an item is shown. Put {{title}} and {{link}} between {{#items}} and {{/items}}.",
    );
  requireKnown("content", outside, letterPlaceholders, "It belongs between {{#items}} and {{/items}}.");
  requireKnown("content", blocks[0]!, known);
  requireKnown("subject", subject, inLine);
  requireKnown("preheader", preheader, inLine);
}

const known = { ...itemPlaceholders, ...letterPlaceholders };
/** In the subject and the preheader, which are plain text. */
const inLine = { title: "", summary: "", kind: "", ...letterPlaceholders };

const placeholdersIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim());

function requireKnown(field: string, text: string, names: object, hint = "") {
  const unknown = placeholdersIn(text).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  if (Object.hasOwn(known, unknown))
    throw refusal(field, `{{${unknown}}} can’t be used here. ${hint}`.trim());
  throw refusal(field, `There’s no placeholder {{${unknown}}}. Use ${listed(names)}.`);
}

const listed = (names: object) =>
  Object.keys(names)
    .map((name) => `{{${name}}}`)
    .join(", ");

const refusal = (field: string, message: string) => new AppError("invalid", message, { field });

/** Whether a template shows the text of its items, which may be long. */
export const showsText = ({ content }: Pick<Template, "content">) => placeholdersIn(content).includes("text");

/**
 * The words of the letter with these items, the first of them in the subject. The text of an item is cut to what fits into an
 * email; its link leads to the rest. A heading that would repeat the headline is left out.
 */
export function fillTemplate(template: Template, items: LetterItem[], around: Around) {
  const plain = { ...inLineOf(items[0]!), ...aroundOf(items, around, (text) => text) };
  const subject = beginningOf(filled(template.subject, plain).trim(), SUBJECT_LENGTH);
  // The subject is the email's headline, too.
  const isRepeated = items.length === 1 && subject === items[0]!.title.trim();
  const content = isRepeated ? template.content.replace(TITLE_HEADING, "") : template.content;
  return {
    subject,
    preheader: beginningOf(filled(template.preheader, plain).replace(/\s+/g, " ").trim(), PREHEADER_LENGTH),
    content: fillContent(content, items, around),
  };
}

function fillContent(content: string, items: LetterItem[], around: Around) {
  const outer = aroundOf(items, around, asMarkdown);
  const [before, block, after] = partsOf(content);
  const written = (most: number) =>
    [
      filled(before, outer),
      ...items.map((item) => filled(block, { ...outer, ...shown(item, most) })),
      filled(after, outer),
    ]
      .map((part) => part.trim())
      .filter(Boolean)
      .join("\n\n");
  const whole = written(CONTENT_LENGTH);
  if (whole.length <= CONTENT_LENGTH) return whole;
  const long = placeholdersIn(block).filter((name) => name === "text" || name === "summary").length;
  const room = CONTENT_LENGTH - written(0).length;
  return written(Math.max(0, Math.floor(room / (items.length * Math.max(1, long)))));
}

/** A template's text before the block of the items, the block, and the text after it. */
function partsOf(content: string): [string, string, string] {
  const [before = "", block = "", after = ""] = content.split(BLOCK);
  return [before, block, after];
}

/** The values of an item in Markdown, its texts of at most `most` characters. */
const shown = ({ kind, title, summary, text, picture, link }: LetterItem, most: number) => ({
  // Also within a link's brackets. A bracket behind an even number of backslashes is not escaped.
  title: asMarkdown(title).replace(/(?<!\\)((?:\\\\)*)\]/g, "$1\\]"),
  summary: asMarkdown(most === 0 ? "" : beginningOf(summary.trim(), most)),
  text: openingOf(text.trim(), most),
  picture: pictureOf(picture, picture?.alt ?? ""),
  link,
  action: linkLabels[kind],
  kind: kindNames[kind],
});

const kindNames = { article: "Essay", episode: "Episode" };

const aroundOf = (items: LetterItem[], { site, date }: Around, escape: (text: string) => string) => ({
  count: String(items.length),
  date: escape(date),
  site: escape(site),
});

/** The values of an item in the subject and the preheader. */
const inLineOf = ({ title, summary, kind }: LetterItem) => ({ title, summary, kind: kindNames[kind] });

/** What a value says is not filled in again. */
const filled = (text: string, values: Record<string, string>) =>
  text.replace(PLACEHOLDER, (whole, name: string) => values[name.trim()] ?? whole);
