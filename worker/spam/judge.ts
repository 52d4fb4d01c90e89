import type { Limit } from "#worker/platform/rate.ts";
import type { Site } from "#worker/settings/contract.ts";

/** Characters of a word that the reason names. */
const NAMED = 40;

/** Why a visitor's texts are taken for spam, in words for the owner; empty if they are not. */
export function findSpam({ spam: { words, links } }: Pick<Site, "spam">, texts: string[]) {
  const text = plain(texts.join("\n"));
  const word = words.find((listed) => text.includes(plain(listed)));
  if (word !== undefined) return `It has “${word.slice(0, NAMED)}”.`;
  const count = text.match(LINK)?.length ?? 0;
  if (count > links) return `It has ${count} ${count === 1 ? "link" : "links"}.`;
  return "";
}

/**
 * The limit of the mails that ask senders to confirm what looks like spam, of the whole site: programs that fill in forms
 * name strangers' addresses, from many networks. None without a reason.
 */
export const limitsOfDoubt = (reason: string): Limit[] =>
  reason === "" ? [] : [{ subject: "doubtful-mail", most: DOUBTFUL_MAILS_AN_HOUR }];

const DOUBTFUL_MAILS_AN_HOUR = 30;

/** Milliseconds that spam is kept, since it was taken for spam. The privacy policy states it. */
export const SPAM_RETENTION = 30 * 86_400_000;

const LINK = /https?:\/\/(?:www\.)?|\bwww\./g;

/** Without case and without what nobody sees, and with letters that only look different made the same. */
const plain = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase();
