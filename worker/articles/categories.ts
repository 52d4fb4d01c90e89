import { NewCategory } from "#worker/articles/contract.ts";
import { categories } from "#worker/articles/table.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { refusingTaken } from "#worker/platform/publishing.ts";
import { slugOf } from "#worker/platform/slug.ts";

export async function createCategory(ctx: Context, input: NewCategory) {
  requireCapability("edit", ctx);
  const said = NewCategory.parse(input);
  const slug = said.slug || slugOf(said.name) || "category";
  const taken = `Another category already has the address “${slug}”. Choose another.`;
  const [created] = await refusingTaken("categories.slug", taken, () =>
    ctx.db
      .insert(categories)
      .values({ ...said, slug })
      .returning({ id: categories.id }),
  );
  return created!;
}
