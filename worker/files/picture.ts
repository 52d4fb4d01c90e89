import type { Picture } from "#worker/files/contract.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import type { files } from "#worker/files/table.ts";

type Columns = Pick<typeof files, "key" | "width" | "height" | "variants">;
type Values = Pick<typeof files.$inferSelect, "key" | "width" | "height" | "variants">;

/** What a query selects of the files table, or of an alias of it, to show a picture. */
export const pictureColumns = ({ key, width, height, variants }: Columns) => ({
  key,
  width,
  height,
  variants,
});

/** The picture of a left-joined file; null where there is none. */
export function toPicture(row: Values | null, alt: string): Picture | null {
  if (!row) return null;
  const { key, width, height, variants } = row;
  const srcset = (variants ?? []).map((px) => `${mediaUrl(variantKey(key, px))} ${px}w`).join(", ");
  return { src: mediaUrl(key), srcset, width, height, alt };
}

/** The key of a picture's WebP copy of that width in px. */
export const variantKey = (key: string, width: number) => `${key.replace(/\.\w+$/, "")}-${width}.webp`;
