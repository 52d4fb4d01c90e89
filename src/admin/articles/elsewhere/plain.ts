import type { Root } from "hast";
import { toText } from "hast-util-to-text";
import type { ParseHtml } from "./convert.ts";

/** Titles and excerpts may be HTML, too. */
export function plain(text: string, parse: ParseHtml) {
  const seen = visible(text);
  return (/[<&]/.test(seen) ? toText(parse(seen) as Root) : seen).trim();
}

/** Without the characters that no field takes: nobody sees them. */
export const visible = (text: string) =>
  text.replaceAll(/[^\P{Cc}\t\n]|\p{Cs}|\p{Noncharacter_Code_Point}|[\u202a-\u202e\u2066-\u2069]/gu, "");
