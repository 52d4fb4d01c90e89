import type { Context } from "#worker/platform/context.ts";
import { lastingSigner, readLasting } from "#worker/platform/http/signed.ts";

const PURPOSE = "comment";

/**
 * The address of a comment's own page, for its mail. It never expires: a comment may be deleted years later. `key` is
 * the comment's. The comment's status decides what it allows, so that it confirms once.
 */
export async function commentUrl(ctx: Context, key: string) {
  const sign = await lastingSigner(ctx);
  return `${ctx.config.siteUrl}/comment?token=${await sign({ purpose: PURPOSE, subject: key, stamp: "" })}`;
}

/** The comment's key; null for a token that is not valid. */
export async function readCommentToken(ctx: Context, token: string) {
  const link = await readLasting(ctx, PURPOSE, token);
  return link.ok ? link.subject : null;
}
