import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { deleteCopiesOfDeleted, deleteObjects, deleteObjectsOf } from "#worker/files/objects.ts";
import { variantKey, type VariantFormat } from "#worker/files/pictures/picture.ts";
import type { Nouns } from "#worker/files/library/replace-references.ts";
import { isUnused } from "#worker/files/library/references.ts";
import { files } from "#worker/files/table.ts";
import { isPicture } from "#worker/files/types.ts";
import { uuidOf } from "#worker/platform/data/random.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { enqueue, outboxRow } from "#worker/platform/work/outbox.ts";

export const VARIANTS_TOPIC = "picture";

/** In px: from a thumbnail in the player to a full-width picture on a high-density screen. */
const WIDTHS = [160, 320, 640, 960, 1280];
const WIDEST = 1920;
/**
 * For phones with slow connections: AVIF has a third of the bytes. The last two are a cover of 16 rem, and a full-width
 * picture, at 1.75 device pixels to the CSS pixel.
 */
const AVIF_WIDTHS = [320, 448, 656];
const WIDEST_AVIF = 1080;
/** The longest side, in px, of an AVIF that Cloudflare Images makes. */
const LONGEST_AVIF = 1200;
/** The quality at which a photograph's losses become visible; on a phone's smaller pixels that is lower. */
const QUALITY: Partial<Record<VariantFormat, number>> = { webp: 80, avif: 45, jpeg: 82 };

type File = Pick<typeof files.$inferSelect, "id" | "type" | "isAnimated">;

/** The outbox row that has a new picture's smaller copies made; none for other files and animations. */
export function variantsRow(
  ctx: Context,
  { id, type, isAnimated }: Pick<File, "id" | "type" | "isAnimated">,
) {
  const isStill = type !== "image/gif" && !isAnimated;
  return isPicture(type) && isStill ? outboxRow(ctx, VARIANTS_TOPIC, { fileId: id }) : null;
}

/** `made`: how many copies are stored. */
const Payload = z.strictObject({ fileId: z.string(), made: z.int().default(0) });

/**
 * Stores copies of a picture beside it in R2; on the free plan one, and a further row makes the next. Idempotent: the
 * same picture gives the same copies, and the same row the same further one.
 */
export async function makeVariants(
  ctx: Context,
  payload: unknown,
  { references, places }: Nouns,
  cause: string = crypto.randomUUID(),
) {
  requireCapability("edit", ctx);
  const { fileId, made } = Payload.parse(payload);
  const [file] = await ctx.db
    .select({ key: files.key, width: files.width, height: files.height })
    .from(files)
    .where(and(eq(files.id, fileId), eq(files.status, "complete")));
  // It was deleted; an earlier run may have stored copies since.
  if (!file) return deleteObjectsOf(ctx, fileId);
  if (!file.width || !file.height || !ctx.images) return;
  const variants = widthsOf(file.width);
  const avifVariants = avifWidthsOf(file.width, file.height);
  const copies = [
    ...variants.map((width) => [width, "webp"] as const),
    ...avifVariants.map((width) => [width, "avif"] as const),
  ];
  const last = ctx.config.plan === "free" ? made + 1 : copies.length;
  for (const [width, format] of copies.slice(made, last))
    await makeVariant(ctx, ctx.images, file.key, width, format);
  if (last < copies.length) {
    const id = await uuidOf(`${cause} ${last}`);
    await outboxRow(ctx, VARIANTS_TOPIC, { fileId, made: last }, { id }).statement.onConflictDoNothing();
    return enqueue(ctx, id);
  }
  const update = ctx.db
    .update(files)
    .set({ variants, avifVariants })
    .where(eq(files.id, fileId))
    .returning({ id: files.id });
  const isShown = sql`from ${files} where ${files.id} = ${fileId} and not (${isUnused(references)})`;
  // The file may have been deleted while its copies were made.
  const removal = deleteCopiesOfDeleted(ctx, fileId, { key: file.key, variants, avifVariants });
  const [[updated]] = await ctx.db.batch([
    update,
    removal.statement,
    changed(ctx, sql`select 'pictures' as tag ${isShown}`),
    ...Object.values(places).flatMap((place) => place.copied?.(ctx, fileId) ?? []),
  ]);
  if (!updated) await deleteObjects(ctx, removal.id);
}

/** Smaller ones, and one as wide as the picture, so that its full size also exists in a modern format. */
export const widthsOf = (width: number) => [
  ...WIDTHS.filter((each) => each < width),
  Math.min(width, WIDEST),
];

/** The same for AVIF, within the limit of its longest side. */
export function avifWidthsOf(width: number, height: number) {
  const widest = Math.floor(Math.min(width, WIDEST_AVIF, (LONGEST_AVIF * width) / height));
  return [...AVIF_WIDTHS.filter((each) => each < widest), widest];
}

/** Stores a copy with this width in px beside a picture, if it is at most `bytes` long. Returns whether it did. */
export async function makeVariant(
  ctx: Context,
  images: ImagesBinding,
  key: string,
  width: number,
  format: VariantFormat,
  bytes = Infinity,
) {
  const original = await ctx.media.get(key);
  if (!original) throw new Error(`${key} has no object.`);
  const made = await images
    .input(original.body)
    .transform({ width, fit: "scale-down" })
    .output({ format: `image/${format}`, quality: QUALITY[format] });
  // R2 needs the length of a stream in advance.
  const copy = await new Response(made.image()).arrayBuffer();
  if (copy.byteLength > bytes) return false;
  await ctx.media.put(variantKey(key, width, format), copy, {
    httpMetadata: { contentType: `image/${format}` },
  });
  return true;
}
