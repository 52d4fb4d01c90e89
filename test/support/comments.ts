import { eq } from "drizzle-orm";
import { addComment, confirmComment } from "#worker/comments/commands.ts";
import type { NewComment } from "#worker/comments/contract.ts";
import { comments } from "#worker/comments/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { fetchSite, ownerContext, SITE } from "./client.ts";
import { address, db, household, mailsTo, tokenIn, visitorContext } from "./newsletter.ts";

/** Switches comments on or off. */
export const setComments = (isOn: boolean) =>
  updateSite(ownerContext(), { features: { ...siteDefaults.features, comments: isOn } });

/** On the article with this id unless said. */
export const aComment = (contentId: number, overrides: Partial<NewComment> = {}) => ({
  contentType: "article" as const,
  contentId,
  name: "Nadia",
  email: address(),
  text: "The rents that you name are from before the flood.",
  ...overrides,
});

/** As a script sends it. */
export const postComment = (body: unknown, path = "", headers: Record<string, string> = {}) =>
  fetchSite(`/api/comments${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": household(), ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** As a browser without scripts posts it. */
export const postCommentForm = (fields: Record<string, string>, path = "", referer = "/essays/on-rent") =>
  postComment(new URLSearchParams(fields).toString(), path, {
    "Content-Type": "application/x-www-form-urlencoded",
    "Sec-Fetch-Site": "same-origin",
    Referer: `${SITE}${referer}`,
  });

export const commentsOf = (email: string) => db.select().from(comments).where(eq(comments.email, email));

/** Writes a comment and returns its row and the token of its mail. */
export async function written(comment: NewComment) {
  await addComment(visitorContext({ client: { address: household(), userAgent: "" } }), comment);
  const email = comment.email.toLowerCase();
  const row = (await commentsOf(email)).at(-1)!;
  return { ...row, token: tokenIn((await mailsTo(email)).at(-1)?.link ?? "") };
}

/** The same, confirmed. */
export async function waitingComment(comment: NewComment) {
  const row = await written(comment);
  await confirmComment(visitorContext(), { token: row.token });
  return row;
}

/** A row, past the form: shown unless said. Returns its id. */
export async function commentRow(row: Partial<typeof comments.$inferInsert> & { contentId: number }) {
  const now = new Date();
  const [created] = await db
    .insert(comments)
    .values({
      contentType: "article",
      name: "Nadia",
      email: address(),
      text: "Well said.",
      status: "approved",
      createdAt: now,
      updatedAt: now,
      ...row,
    })
    .returning({ id: comments.id });
  return created!.id;
}
