import { asc, eq } from "drizzle-orm";
import { pictureColumns, toPicture } from "#worker/files/picture.ts";
import { requireStoredFile } from "#worker/files/stored.ts";
import { files } from "#worker/files/table.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { NewVenture, type Venture } from "#worker/ventures/contract.ts";
import { ventures } from "#worker/ventures/table.ts";

/** More than a person can lead; the grid has no second page. */
const SHOWN = 24;

/** The active ones in the owner's order. */
export async function listActiveVentures(ctx: Context): Promise<Venture[]> {
  ctx.dependsOn("ventures");
  const rows = await ctx.db
    .select({
      id: ventures.id,
      name: ventures.name,
      description: ventures.description,
      url: ventures.url,
      icon: ventures.icon,
      image: pictureColumns(files),
    })
    .from(ventures)
    .leftJoin(files, eq(files.id, ventures.imageFileId))
    .where(eq(ventures.active, true))
    .orderBy(asc(ventures.sortOrder), asc(ventures.id))
    .limit(SHOWN);
  // The name stands beside the picture, which adds nothing for those who do not see it.
  return rows.map(({ image, ...row }) => ({ ...row, picture: toPicture(image, "") }));
}

export async function createVenture(ctx: Context, input: NewVenture) {
  requireCapability("edit", ctx);
  const venture = NewVenture.parse(input);
  if (venture.imageFileId) await requireStoredFile(ctx, venture.imageFileId, "image", "imageFileId");
  const insert = ctx.db
    .insert(ventures)
    .values({ ...venture, createdAt: ctx.now, updatedAt: ctx.now })
    .returning({ id: ventures.id });
  const [[created]] = await ctx.db.batch([insert, changed(ctx, "ventures")]);
  return { id: created!.id };
}
