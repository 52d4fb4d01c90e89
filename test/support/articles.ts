import { createArticle } from "#worker/articles/commands.ts";
import type { NewArticle } from "#worker/articles/contract.ts";
import { ownerContext } from "./client.ts";
import { unique } from "./factories.ts";

export function anArticle(overrides: Partial<NewArticle> = {}): NewArticle {
  const n = unique();
  return { title: `Article ${n}`, excerpt: `What article ${n} is about.`, ...overrides };
}

/** A published article, as visitors see it. */
export async function publishedArticle(overrides: Partial<NewArticle> = {}) {
  const input = anArticle({ status: "published", ...overrides });
  const { id, slug } = await createArticle(ownerContext(), input);
  return { ...input, id, slug };
}
