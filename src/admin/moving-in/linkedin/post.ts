import type { LeftOut, LinkedInPost } from "#worker/imports/contract.ts";
import { beginningOf, withoutHeading } from "#worker/platform/text/excerpt.ts";
import { visible } from "../visible.ts";
import type { Tools } from "../wizard/use-wizard.ts";

/** A post or article as listed and imported. */
export type Post = LinkedInPost & {
  title: string;
  excerpt: string;
  kind: "post" | "article";
  /** Notes for the owner before the import. */
  notes: string[];
};

/** Posts, and how many were left out, by the reason. */
export type Found = { posts: Post[]; leftOut: LeftOut };

export type Reading = Pick<Tools<unknown>, "signal" | "until"> & {
  onFound: (found: Found) => Promise<void>;
};

/** A source of posts: LinkedIn's API, or the archive. */
export type Connector = {
  /** As the import is called. */
  source: string;
  /** Reports posts as it finds them. After an error, another call continues from there. */
  read: (reading: Reading) => Promise<void>;
};

/** LinkedIn gives a post no title: its first line is one. */
export const titleOf = (words: string) => openingOf(words.split("\n")[0] ?? "", 100);

/** What the words say after the title that was made of them. */
export const excerptOf = (title: string, words: string) =>
  openingOf(withoutHeading(visible(words).replaceAll(/[^\S\n]+/g, " "), title, { evenWithin: true }), 280);

/** The text, with the page that it links to if it does not contain the address. */
export const withLink = (words: string, link: string | null) =>
  link && !words.includes(link) ? `${words}\n\n${link}` : words;

export const FOR_CONNECTIONS = "Only your LinkedIn connections can see it, so it’s imported as a draft.";

/** Whole words from the beginning of a text, in one line. */
export function openingOf(text: string, most: number) {
  return beginningOf(visible(text).replaceAll(/\s+/g, " ").trim(), most);
}
