import { NewArticle } from "#worker/articles/contract.ts";
import { commaSeparated, dateTime, numberOrNull, text, textOrNull, textToChange } from "../form/read.ts";

const ArticleForm = NewArticle.refine(
  ({ status, scheduledFor }) => status !== "scheduled" || (scheduledFor ?? null) !== null,
  {
    path: ["scheduledFor"],
    error: "Choose a time in the future.",
    // Also said when something else is wrong.
    when: () => true,
  },
);

export const articleForm = {
  schema: ArticleForm,
  fields: {
    draftKey: textToChange,
    title: text,
    slug: text,
    excerpt: text,
    content: text,
    status: text,
    publishedAt: dateTime,
    scheduledFor: dateTime,
    categoryId: numberOrNull,
    tags: commaSeparated,
    imageFileId: textOrNull,
    imageAlt: text,
    imageCaption: text,
    metaTitle: text,
    metaDescription: text,
    metaKeywords: text,
    source: text,
    sourceUrl: textOrNull,
    originalPublishedAt: dateTime,
  },
};
