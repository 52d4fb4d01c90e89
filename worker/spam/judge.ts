import type { Limit } from "#worker/platform/http/rate.ts";
import type { Site } from "#worker/settings/contract.ts";

/** Maximum characters of a word in the reason. */
const NAMED = 40;

/** Why a visitor's texts are classified as spam, as a sentence for the owner; empty if not. */
export function findSpam({ spam: { words, links } }: Pick<Site, "spam">, texts: string[]) {
  const text = plain(texts.join("\n"));
  const word = words.find((listed) => text.includes(plain(listed)));
  if (word !== undefined) return `It has “${word.slice(0, NAMED)}”.`;
  const count = text.match(LINK)?.length ?? 0;
  if (count > links) return `It has ${count} ${count === 1 ? "link" : "links"}.`;
  return "";
}

/**
 * The site-wide limit of confirmation emails for likely spam: bots enter strangers' addresses from many networks. No
 * limit without a reason.
 */
export const limitsOfDoubt = (reason: string): Limit[] =>
  reason === "" ? [] : [{ subject: "doubtful-mail", most: DOUBTFUL_MAILS_AN_HOUR }];

const DOUBTFUL_MAILS_AN_HOUR = 30;

/** Milliseconds after which spam is deleted. The privacy policy states it. */
export const SPAM_RETENTION = 30 * 86_400_000;

const LINK = /https?:\/\/(?:www\.)?|\bwww\./g;

/** Lower case, without invisible characters, and with look-alike letters unified. */
const plain = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase();
