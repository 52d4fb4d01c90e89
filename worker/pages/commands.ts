import type { z } from "zod";
import { embeddedFileIdsOf, findEmbedded } from "#worker/files/embedded.ts";
import { pageContents, type PageContent, type PageInput, type PageSlug } from "#worker/pages/contract.ts";
import { renderContent } from "#worker/pages/render.ts";
import { pages } from "#worker/pages/table.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";

/** @throws `unauthenticated`, `forbidden`; `not_found` for an unknown slug; `invalid` */
export async function updatePage<Slug extends PageSlug>(
  ctx: Context,
  slug: Slug,
  input: PageInput<Slug>,
): Promise<PageContent<Slug>> {
  requireCapability("edit", ctx);
  if (!Object.hasOwn(pageContents, slug)) throw new AppError("not_found", "There is no such page.");
  const schema: z.ZodType<object> = pageContents[slug];
  const written = parseInput(schema, input);
  const everyText = JSON.stringify(written);
  const shown = renderContent(written, await findEmbedded(ctx, everyText));
  const values = {
    content: { written, shown },
    embeddedFileIds: embeddedFileIdsOf(everyText),
    updatedAt: ctx.now,
  };
  const save = ctx.db
    .insert(pages)
    .values({ slug, ...values })
    .onConflictDoUpdate({ target: pages.slug, set: values });
  await ctx.db.batch([save, changed(ctx, "pages", `page:${slug}`)]);
  return shown as PageContent<Slug>;
}
