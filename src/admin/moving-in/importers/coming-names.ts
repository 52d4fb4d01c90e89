import type { MovedArticle } from "#worker/imports/importers/contract.ts";

export const ELSEWHERE = "/admin/articles/elsewhere";

export const comingNames: Record<MovedArticle["status"], string> = {
  published: "Published",
  scheduled: "Scheduled",
  draft: "Draft",
};

export const comingTones = { published: "accent", scheduled: "info", draft: "neutral" } as const;
