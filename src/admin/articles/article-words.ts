import { formatDateTime } from "#site/ui/format.ts";
import type { Locale } from "#site/ui/locale.ts";
import type { ArticleStatus, ArticleSource, Category } from "#worker/articles/contract.ts";
import type { FieldWords } from "../form/compare/fields.tsx";
import { statusNames } from "../publishing/statuses.ts";

const labels = {
  title: "Title",
  excerpt: "Excerpt",
  content: "Text",
  status: "Status",
  publishedAt: "Publication date",
  scheduledFor: "Publish at",
  categoryId: "Category",
  tags: "Tags",
  slug: "Address",
  imageFileId: "Featured picture",
  imageAlt: "Description of the picture",
  imageCaption: "Caption",
  metaTitle: "Meta title",
  metaDescription: "Meta description",
  metaKeywords: "Meta keywords",
  source: "Source",
  sourceUrl: "Source URL",
  originalPublishedAt: "Original publication date",
};

/** An article's values in the words of its form, for comparing versions. */
export const articleWords = (categories: Category[], locale: Locale): FieldWords => ({
  labels,
  inWords(field, value) {
    if (value === null || value === undefined) return undefined;
    switch (field) {
      case "status":
        return statusNames[value as ArticleStatus];
      case "source":
        return sourceNames[value as ArticleSource];
      case "categoryId":
        return categories.find(({ id }) => id === value)?.name ?? "A deleted category";
      case "imageFileId":
        return "A picture";
      case "publishedAt":
      case "scheduledFor":
      case "originalPublishedAt":
        return formatDateTime(value as number, locale);
      default:
        return undefined;
    }
  },
});

export const sourceNames: Record<ArticleSource, string> = { original: "This site", linkedin: "LinkedIn" };
