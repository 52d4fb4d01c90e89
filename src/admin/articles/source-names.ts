import type { ArticleSource } from "#worker/articles/contract.ts";

export const sourceNames: Record<ArticleSource, string> = { original: "This site", linkedin: "LinkedIn" };
