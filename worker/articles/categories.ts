import { NewCategory, type ArticleCategory } from "#worker/articles/contract.ts";
import { categories } from "#worker/articles/table.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { refusingTaken } from "#worker/platform/publishing.ts";
import { freeSlug, slugOf } from "#worker/platform/slug.ts";

/** @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` for a slug that another category has */
export async function createCategory(
  ctx: Context,
  input: NewCategory,
): Promise<ArticleCategory & { id: number }> {
  requireCapability("edit", ctx);
  const category = parseInput(NewCategory, input);
  const named = category.slug || (await slugOf(category.name));
  // Two categories of one name are a slip; two without words are not.
  const slug = named || (await freeSlug(ctx, categories.slug, category.name));
  const taken = `Another category already has the address “${named}”. Choose another.`;
  const [created] = await refusingTaken("categories.slug", taken, () =>
    ctx.db
      .insert(categories)
      .values({ ...category, slug })
      .returning({
        id: categories.id,
        name: categories.name,
        slug: categories.slug,
        color: categories.color,
      }),
  );
  return created!;
}
