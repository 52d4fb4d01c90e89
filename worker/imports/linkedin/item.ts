import { z } from "zod";
import { LinkedInPost, type ReadLinkedInPost } from "#worker/imports/contract.ts";
import { HostError } from "#worker/imports/feed/download.ts";
import type { ImportItem, ImportKind, InterruptedItem, Outcome } from "#worker/imports/import-type.ts";
import { isOfAnotherItem } from "#worker/imports/items.ts";
import {
  LinkedInBusy,
  NotPermitted,
  readImageAddress,
  readShares,
  TokenRefused,
} from "#worker/imports/linkedin/linkedin-client.ts";
import { importPost } from "#worker/imports/linkedin/commands.ts";
import { findArticleOf } from "#worker/imports/linkedin/queries.ts";
import { requireAccount } from "#worker/imports/linkedin/posts.ts";
import { fetchPicture } from "#worker/imports/picture.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { uuidOf } from "#worker/platform/data/random.ts";

/** The kind of imports of posts. */
export const LINKEDIN = "linkedin";

/** What is known of a post's picture and shares, so that an attempt that was cut off does not fetch them again. */
const Extras = z.object({
  shares: z.number().nullable(),
  imageFileId: z.string().nullable(),
  /** Why it is imported without its picture. */
  message: z.string().optional(),
});
type Extras = z.infer<typeof Extras>;

/** Imports a post, with its shares and its picture if the API found it. */
const importItem: ImportItem = async (ctx, item): Promise<Outcome> => {
  const { payload, saved, save } = item;
  const post = parseInput(LinkedInPost, payload);
  const known = await findArticleOf(ctx, post.sourceUrl);
  if (known !== null)
    return (await isCreatedBy(ctx, item, known)) ? doneWith(known, Extras.parse(saved)) : isThere(known);
  try {
    const extras = Extras.safeParse(saved).data ?? (await readExtras(ctx, post));
    if (!(await save(extras))) return { is: "more" };
    const { id, isNew } = await importPost(ctx, post, extras);
    return isNew ? doneWith(id, extras) : isThere(id);
  } catch (error) {
    if (error instanceof LinkedInBusy) return { is: "again", message: error.message, afterMs: error.waitMs };
    if (error instanceof HostError) return { is: "again", message: error.message };
    if (error instanceof TokenRefused) return { is: "pause", message: error.message };
    throw error;
  }
};

const doneWith = (result: number, { message }: Extras): Outcome => ({ is: "done", result, message });

/** The item saved its extras when there was no article yet, and no other item has created this one. */
const isCreatedBy = async (ctx: Context, item: InterruptedItem, articleId: number) =>
  Extras.safeParse(item.saved).success && !(await isOfAnotherItem(ctx, LINKEDIN, item, articleId));

/** The articles that these items created before they were interrupted, by the id of the item. */
async function findCreated(ctx: Context, items: InterruptedItem[]) {
  const created = new Map<number, number>();
  for (const item of items) {
    const known = await findArticleOf(ctx, item.key);
    if (known !== null && (await isCreatedBy(ctx, item, known))) created.set(item.id, known);
  }
  return created;
}

const isThere = (result: number): Outcome => ({
  is: "skipped",
  message: "It’s already an article.",
  result,
});

async function readExtras(ctx: Context, { urn, image }: ReadLinkedInPost): Promise<Extras> {
  if (urn === null) return { shares: null, imageFileId: null };
  const account = requireAccount(ctx);
  const shares = await readShares(account, urn);
  if (image === null) return { shares, imageFileId: null };
  try {
    const address = await readImageAddress(account, image.urn);
    if (address === null) throw new HostError("LinkedIn no longer has it.", { isTemporary: false });
    const id = await uuidOf(`linkedin ${image.urn}`);
    await fetchPicture(ctx, address, { id, folder: "articles", alt: image.alt });
    return { shares, imageFileId: id };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    return { shares, imageFileId: null, message: `Imported without its picture. ${reason}` };
  }
}

/** Why a picture cannot be had; null if another attempt may bring it. */
function reasonOf(error: unknown) {
  if (error instanceof HostError) return error.isTemporary ? null : error.message;
  if (error instanceof NotPermitted) return error.message;
  if (!(error instanceof AppError)) return null;
  if (error.code === "unsupported_type") return "It isn’t a picture.";
  return error.code === "invalid" ? error.message : null;
}

/** What a post may be is for its own turn to say: one that is refused leaves the others. */
const SentPost = z.record(z.string(), z.unknown());

export const linkedInKind: ImportKind = {
  capability: "edit",
  payload: SentPost,
  importItem,
  brings: "article",
  findCreated,
};
