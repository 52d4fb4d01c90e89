import type { PressType } from "#worker/press/contract.ts";

export const typeNames: Record<PressType, string> = {
  press_release: "Press release",
  media_coverage: "Media coverage",
};

export const statusNames = { published: "Published", draft: "Draft" };

export const statusOf = (isPublished: boolean) => (isPublished ? "published" : "draft");
