import { z } from "zod";
import type { ArticleInput, Engagement } from "#worker/articles/contract.ts";
import { withoutHeading } from "#worker/platform/text/excerpt.ts";

const WORDS_A_MINUTE = 200;

/** Minutes that a plain text takes to read, rounded up. */
export function readingMinutesOf(text: string) {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return Math.ceil(words.length / WORDS_A_MINUTE);
}

/** The excerpt as shown with the title: the title of a LinkedIn post is its first words. */
export const shownExcerpt = ({
  title,
  excerpt,
  source,
}: Pick<ArticleInput, "title" | "excerpt" | "source">) =>
  withoutHeading(excerpt, title, { evenWithin: source === "linkedin" });

const count = z.int().min(0).catch(0);
const Stored = z.object({ likes: count, comments: count, shares: count });

/** Reads the column leniently: anything that is not a count becomes zero. */
export const engagementOf = (json: string | null): Engagement =>
  Stored.safeParse(parse(json)).data ?? { likes: 0, comments: 0, shares: 0 };

function parse(json: string | null): unknown {
  try {
    return JSON.parse(json ?? "null");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
