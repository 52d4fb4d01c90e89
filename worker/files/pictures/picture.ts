import type { AnyColumn } from "drizzle-orm";
import type { MailFormat, Picture } from "#worker/files/contract.ts";
import { publishedKey } from "#worker/files/object-keys.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import type { files } from "#worker/files/table.ts";

type Column = "key" | "width" | "height" | "variants" | "avifVariants" | "alt";
export type PictureRow = Pick<typeof files.$inferSelect, Column>;

/** What a query selects of the files table, or of an alias of it, to show a picture. */
export const pictureColumns = <Files extends Record<Column, AnyColumn>>({
  key,
  width,
  height,
  variants,
  avifVariants,
  alt,
}: Files): Pick<Files, Column> => ({ key, width, height, variants, avifVariants, alt });

/** The description of a picture: the item's own, otherwise the file's. */
export const altOf = (row: Pick<PictureRow, "alt"> | null, own: string) => own || (row?.alt ?? "");

/** The picture of a left-joined file; null if there is none. */
export function toPicture(row: PictureRow | null, alt: string): Picture | null {
  if (!row) return null;
  const { key, width, height, variants, avifVariants } = row;
  const srcset = srcsetOf(key, variants, "webp");
  const avif = srcsetOf(key, avifVariants, "avif");
  return { src: mediaUrl(key), srcset, avif, width, height, alt };
}

const srcsetOf = (key: string, widths: number[] | null, format: VariantFormat) =>
  (widths ?? []).map((px) => `${mediaUrl(variantKey(key, px, format))} ${px}w`).join(", ");

export type VariantFormat = "webp" | "avif" | MailFormat;

/** The key of a picture's copy of that width in px; a folder of its own, so that no upload has it. */
export const variantKey = (key: string, width: number, format: VariantFormat) =>
  key.replace(/\/([^/]+)\.\w+$/, (_, name) => `/${width}/${name}.${format === "jpeg" ? "jpg" : format}`);

export type Stored = Pick<typeof files.$inferSelect, "key" | "variants" | "avifVariants" | "mailCopy">;

/** What a query selects, or a delete returns, to name a file's objects. */
export const storedColumns = ({ key, variants, avifVariants, mailCopy }: typeof files) => ({
  key,
  variants,
  avifVariants,
  mailCopy,
});

/** The keys of everything that R2 may hold of a file: itself, incoming and published, and its copies. */
export const keysOf = ({ key, variants, avifVariants, mailCopy }: Stored) => [
  ...new Set([key, publishedKey(key)]),
  ...(variants ?? []).map((width) => variantKey(key, width, "webp")),
  ...(avifVariants ?? []).map((width) => variantKey(key, width, "avif")),
  ...(mailCopy ? [variantKey(key, mailCopy.width, mailCopy.format)] : []),
];
