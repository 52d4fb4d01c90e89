import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isPageSlug } from "#worker/pages/contract.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { updatePage } from "#worker/pages/commands.ts";
import type { Context } from "#worker/platform/context.ts";

/** The owner's own words for the standing pages; the legal ones keep their defaults. */
export async function loadPages(ctx: Context) {
  const contents = JSON.parse(readFileSync(join(import.meta.dirname, "pages.json"), "utf8")) as object;
  for (const [slug, content] of Object.entries(contents)) {
    if (!isPageSlug(slug)) throw new Error(`demo/pages.json names a page that does not exist: ${slug}`);
    await updatePage(ctx, slug, { ...pageDefaults[slug], ...(content as object) });
  }
}
