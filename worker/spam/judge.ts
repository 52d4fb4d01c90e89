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

const LINK = /https?:\/\/(?:www\.)?|\bwww\./g;

/** Without case and without what nobody sees, and with letters that only look different made the same. */
const plain = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase();
