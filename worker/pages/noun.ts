import { sql } from "drizzle-orm";
import { itemFiles, type Exporter } from "#worker/exports/noun-export.ts";
import { embeddedFileIdsOf } from "#worker/files/pictures/markdown-images.ts";
import { noun } from "#worker/nouns/noun.ts";
import { capabilityOf, pagePaths, pageSlugs } from "#worker/pages/contract.ts";
import { toEditable } from "#worker/pages/owner-queries.ts";
import { renderContent } from "#worker/pages/render.ts";
import { pages } from "#worker/pages/table.ts";
import { changed } from "#worker/platform/data/changes.ts";

/** Each page as Markdown and as JSON. One that was never saved has its default. */
const pagesForExport: Exporter = async function* ({ db, config: { siteUrl } }) {
  const saved = new Map((await db.select().from(pages)).map((row) => [row.slug, row]));
  for (const slug of pageSlugs) {
    const row = saved.get(slug);
    const { values } = toEditable(slug, row);
    const address = siteUrl + pagePaths[slug];
    const facts = { title: values.headline || slug, updated: row?.updatedAt, address };
    yield* itemFiles(`pages/${slug}`, facts, textOf(values), values);
  }
};

/** Fields of pages without readable text: choices, and the links of cards. */
const CHOICES = ["lead", "to", "type"];

/** The text of a page, in order: its Markdown as written, the rest as headings and paragraphs. */
function textOf(content: object, level = 1): string {
  const blocks = Object.entries(content).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.map((item: object) => textOf(item, level + 2));
    if (typeof value === "object" && value !== null) {
      return "markdown" in value ? String(value.markdown) : textOf(value, level + 1);
    }
    if (typeof value !== "string" || CHOICES.includes(name)) return [];
    if (name === "headline") return value && `# ${value}`;
    return value && /title$/i.test(name) ? `${"#".repeat(Math.max(level, 2))} ${value}` : value;
  });
  return blocks.filter(Boolean).join("\n\n");
}

export const pageNoun = noun({
  table: pages,
  files: { kind: "page", key: "slug", capabilityOf },
  text: {
    column: "content",
    // Addresses are replaced in the JSON: an address has no character that JSON escapes.
    read: ({ content }) => JSON.stringify(content.written),
    write: (text) => ({ content: { written: JSON.parse(text) as object, shown: {} } }),
    derive: ({ content: { written } }, pictures) => ({
      content: { written, shown: renderContent(written, pictures) },
      embeddedFileIds: embeddedFileIdsOf(JSON.stringify(written)),
    }),
  },
  changed: (ctx, which) => [
    changed(
      ctx,
      sql`select 'pages' as tag union select 'page:' || ${pages.slug} from ${pages} where ${which}`,
    ),
  ],
  versions: { kind: "page", valuesOf: ({ content }) => content.written },
  exported: pagesForExport,
});
