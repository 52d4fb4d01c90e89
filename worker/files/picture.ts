import type { AnyColumn } from "drizzle-orm";
import type { Picture } from "#worker/files/contract.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import type { files } from "#worker/files/table.ts";

type Column = "key" | "width" | "height" | "variants";
export type PictureRow = Pick<typeof files.$inferSelect, Column>;

/** What a query selects of the files table, or of an alias of it, to show a picture. */
export const pictureColumns = <Files extends Record<Column, AnyColumn>>({
  key,
  width,
  height,
  variants,
}: Files): Pick<Files, Column> => ({ key, width, height, variants });

/** The picture of a left-joined file; null where there is none. */
export function toPicture(row: PictureRow | null, alt: string): Picture | null {
  if (!row) return null;
  const { key, width, height, variants } = row;
  const srcset = (variants ?? []).map((px) => `${mediaUrl(variantKey(key, px))} ${px}w`).join(", ");
  return { src: mediaUrl(key), srcset, width, height, alt };
}

/** The key of a picture's WebP copy of that width in px; a folder of its own, so that no upload has it. */
export const variantKey = (key: string, width: number) =>
  key.replace(/\/([^/]+)\.\w+$/, (_, name) => `/${width}/${name}.webp`);
