import { and, eq, inArray } from "drizzle-orm";
import type { MailFormat } from "#worker/files/contract.ts";
import { keysIn } from "#worker/files/pictures/markdown-images.ts";
import { fileIdOf } from "#worker/files/object-keys.ts";
import { deleteCopiesOfDeleted, deleteObjects } from "#worker/files/objects.ts";
import { variantKey } from "#worker/files/pictures/picture.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import { files } from "#worker/files/table.ts";
import { isPicture } from "#worker/files/types.ts";
import { makeVariant } from "#worker/files/pictures/variants.ts";
import type { Context } from "#worker/platform/context.ts";
import { logWarning } from "#worker/platform/log.ts";

/** A stored picture as an email shows it. */
export type MailPicture = { src: string; width: number | null; height: number | null };

/** Width of a copy in px: sharp in the 600 px column of an email. */
const WIDEST = 1200;
/** Bytes up to which an original needs no smaller copy. */
const LIGHT = 300_000;
/** Bytes of an animation above which emails get a still picture. */
const HEAVIEST_ANIMATION = 4_000_000;
/** Copies made in parallel: an invocation has six connections. */
const TOGETHER = 3;
/** D1 accepts 100 parameters a statement. */
const IDS_A_STATEMENT = 90;

const columns = {
  id: files.id,
  key: files.key,
  type: files.type,
  size: files.size,
  width: files.width,
  height: files.height,
  hasAlpha: files.hasAlpha,
  isCmyk: files.isCmyk,
  isAnimated: files.isAnimated,
  mailCopy: files.mailCopy,
};

type Row = Pick<typeof files.$inferSelect, keyof typeof columns>;

/**
 * The stored pictures in a Markdown text, by each of their addresses, in formats that email programs show: Outlook on
 * Windows supports neither WebP nor AVIF. Missing copies are made first, so that a letter is never sent without them.
 */
export async function findMailPictures(ctx: Context, markdown: string) {
  const keys = keysIn(markdown);
  const rows = await findRows(ctx, [...new Set(keys.map(fileIdOf))]);
  const pictures = new Map<string, MailPicture>();
  for (let at = 0; at < rows.length; at += TOGETHER) {
    const group = rows.slice(at, at + TOGETHER);
    const copies = await Promise.all(group.map((row) => row.mailCopy ?? copyOf(ctx, row)));
    for (const [index, { id, key, width, height }] of group.entries()) {
      const copy = copies[index];
      const src = mediaUrl(copy ? variantKey(key, copy.width, copy.format) : key);
      // The text may use the address of a smaller copy.
      for (const each of keys.filter((named) => fileIdOf(named) === id))
        pictures.set(mediaUrl(each), { src, width, height });
    }
  }
  return pictures;
}

async function findRows({ db }: Context, ids: string[]) {
  const found: Row[] = [];
  for (let at = 0; at < ids.length; at += IDS_A_STATEMENT) {
    const some = inArray(files.id, ids.slice(at, at + IDS_A_STATEMENT));
    found.push(
      ...(await db
        .select(columns)
        .from(files)
        .where(and(some, eq(files.status, "complete")))),
    );
  }
  return found.filter(({ type }) => isPicture(type));
}

type Copy = NonNullable<Row["mailCopy"]>;

/** Null for a picture that emails show unchanged, and while copies cannot be made, when they show the original. */
async function copyOf(ctx: Context, row: Row): Promise<Copy | null> {
  if (!row.width || !ctx.images || isFit(row)) return null;
  const width = Math.min(row.width, WIDEST);
  const formats: MailFormat[] = [
    ...(row.isAnimated ? (["gif"] as const) : []),
    row.type === "image/jpeg" || row.hasAlpha === false ? "jpeg" : "png",
  ];
  for (const format of formats) {
    try {
      const most = format === "gif" ? HEAVIEST_ANIMATION : undefined;
      if (await makeVariant(ctx, ctx.images, row.key, width, format, most))
        return await remember(ctx, row, { width, format });
    } catch (error) {
      logWarning(`files: no copy of ${row.key} for mails in ${format}`, error);
    }
  }
  return null;
}

/** Animated JPEGs do not exist; an animated PNG shows at least its first frame everywhere. */
function isFit({ type, width, size, isCmyk, isAnimated }: Row) {
  if (type === "image/gif") return true;
  if (type === "image/png" && isAnimated) return true;
  return ["image/jpeg", "image/png"].includes(type) && width! <= WIDEST && size <= LIGHT && !isCmyk;
}

async function remember(ctx: Context, { id, key }: Row, mailCopy: Copy) {
  const update = ctx.db.update(files).set({ mailCopy }).where(eq(files.id, id)).returning({ id: files.id });
  // The file may have been deleted while its copy was made.
  const removal = deleteCopiesOfDeleted(ctx, id, { key, mailCopy });
  const [[updated]] = await ctx.db.batch([update, removal.statement]);
  if (updated) return mailCopy;
  await deleteObjects(ctx, removal.id);
  return null;
}
