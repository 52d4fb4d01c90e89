import { NewCategory } from "#worker/articles/contract.ts";
import { categories } from "#worker/articles/table.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { refusingTaken } from "#worker/platform/publishing.ts";
import { freeSlug, slugOf } from "#worker/platform/slug.ts";

export async function createCategory(ctx: Context, input: NewCategory) {
  requireCapability("edit", ctx);
  const said = NewCategory.parse(input);
  const named = said.slug || (await slugOf(said.name));
  // Two categories of one name are a slip; two without words are not.
  const slug = named || (await freeSlug(ctx, categories.slug, said.name));
  const taken = `Another category already has the address “${named}”. Choose another.`;
  const [created] = await refusingTaken("categories.slug", taken, () =>
    ctx.db
      .insert(categories)
      .values({ ...said, slug })
      .returning({ id: categories.id }),
  );
  return created!;
}
