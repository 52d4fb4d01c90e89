import { asc, eq } from "drizzle-orm";
import { image } from "#worker/files/library/joins.ts";
import { pictureColumns, toPicture, type PictureRow } from "#worker/files/pictures/picture.ts";
import type { Context } from "#worker/platform/context.ts";
import { MOST_VENTURES, type Venture } from "#worker/ventures/contract.ts";
import { ventures } from "#worker/ventures/table.ts";

/** The active ones in the owner's order. */
export async function listActiveVentures(ctx: Context): Promise<Venture[]> {
  ctx.dependsOn("ventures");
  const rows = await ctx.db
    .select(ventureColumns)
    .from(ventures)
    .leftJoin(image, eq(image.id, ventures.imageFileId))
    .where(eq(ventures.active, true))
    .orderBy(...inOrder)
    .limit(MOST_VENTURES);
  return rows.map(toVenture);
}

export const inOrder = [asc(ventures.sortOrder), asc(ventures.id)] as const;

/** With `image` left-joined. */
export const ventureColumns = {
  id: ventures.id,
  name: ventures.name,
  description: ventures.description,
  url: ventures.url,
  icon: ventures.icon,
  picture: pictureColumns(image),
};

/** The name is beside the picture, so the picture has an empty alt text. */
export const toVenture = <Row extends { picture: PictureRow | null }>({ picture, ...row }: Row) => ({
  ...row,
  picture: toPicture(picture, ""),
});
