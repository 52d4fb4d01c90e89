import { asc, eq } from "drizzle-orm";
import { image } from "#worker/files/joins.ts";
import { pictureColumns, toPicture, type PictureRow } from "#worker/files/picture.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Venture } from "#worker/ventures/contract.ts";
import { ventures } from "#worker/ventures/table.ts";

/** The grid has no second page. */
const SHOWN = 24;

/** The active ones in the owner's order. */
export async function listActiveVentures(ctx: Context): Promise<Venture[]> {
  ctx.dependsOn("ventures");
  const rows = await selectVentures(ctx)
    .where(eq(ventures.active, true))
    .orderBy(asc(ventures.sortOrder), asc(ventures.id))
    .limit(SHOWN);
  return rows.map(toVenture);
}

/** A venture by id, active or not; the caller knows that it exists. */
export async function readVenture(ctx: Context, id: number): Promise<Venture> {
  const [row] = await selectVentures(ctx).where(eq(ventures.id, id));
  return toVenture(row!);
}

const selectVentures = ({ db }: Context) =>
  db
    .select({
      id: ventures.id,
      name: ventures.name,
      description: ventures.description,
      url: ventures.url,
      icon: ventures.icon,
      picture: pictureColumns(image),
    })
    .from(ventures)
    .leftJoin(image, eq(image.id, ventures.imageFileId));

type Row = Omit<Venture, "picture"> & { picture: PictureRow | null };

/** The name is beside the picture, so the picture has an empty alt text. */
const toVenture = ({ picture, ...row }: Row): Venture => ({ ...row, picture: toPicture(picture, "") });
