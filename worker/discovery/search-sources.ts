import { ownedKinds, type DocumentKind, type OwnedKind } from "#worker/discovery/contract.ts";

/** A kind of document. Each value is SQL over its table. */
type Source = {
  table: string;
  title: string;
  summary: string;
  /** Comma-separated. */
  names: string;
  /** Plain text. */
  body: string;
  slug: string;
  /** Milliseconds UTC. */
  date: string;
  isPublished: string;
  /** The columns that these expressions read. A change of other columns does not update the document. */
  columns: string[];
  pathOf: (document: { itemId: number; slug: string }) => string;
};

/** Adding a kind: a row here, and a migration with `schema.create` (search-schema.ts); test/search-index.test.ts compares. */
export const sources: Record<DocumentKind, Source> = {
  episode: {
    table: "episodes",
    title: "title",
    summary: "description",
    names: "(SELECT coalesce(group_concat(value ->> '$.name', ', '), '') FROM json_each(people))",
    body: "show_notes_text",
    slug: "slug",
    date: "published_at",
    isPublished: "status = 'published'",
    columns: ["title", "description", "people", "show_notes_text", "slug", "published_at", "status"],
    pathOf: ({ itemId }) => `/episode/${itemId}`,
  },
  essay: {
    table: "articles",
    title: "title",
    summary: "excerpt",
    names: "(SELECT coalesce(group_concat(value, ', '), '') FROM json_each(tags))",
    body: "content_text",
    slug: "slug",
    date: "published_at",
    isPublished: "status = 'published'",
    columns: ["title", "excerpt", "tags", "content_text", "slug", "published_at", "status"],
    pathOf: ({ slug }) => `/essays/${slug}`,
  },
  press: {
    table: "press_items",
    title: "title",
    summary: "summary",
    names: "outlet",
    body: "content_text",
    slug: "''",
    date: "date",
    isPublished: "published = 1",
    columns: ["title", "summary", "outlet", "content_text", "date", "published"],
    pathOf: ({ itemId }) => `/media?item=${itemId}#press-${itemId}`,
  },
};

/** The table and title column of each kind in `owner_search`. The table's `id` is its row number. */
export const ownedTables: Record<OwnedKind, { table: string; title: string }> = {
  article: { table: "articles", title: "title" },
  episode: { table: "episodes", title: "title" },
  press: { table: "press_items", title: "title" },
  campaign: { table: "campaigns", title: "title" },
  venture: { table: "ventures", title: "name" },
  engagement: { table: "engagements", title: "title" },
  category: { table: "categories", title: "name" },
  letter: { table: "letters", title: "subject" },
};

/** More rows than a table will have. */
export const ROWS_OF_A_KIND = 2 ** 40;

/** A row of `owner_search` is numbered by its kind, and within it by the id. */
export const firstRowOf = (kind: OwnedKind) => (ownedKinds.indexOf(kind) + 1) * ROWS_OF_A_KIND;
