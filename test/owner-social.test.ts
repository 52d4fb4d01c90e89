import { beforeEach, describe, expect, it } from "vitest";
import { createSocialPost, deleteSocialPost, updateSocialPost } from "#worker/social/commands.ts";
import type { NewSocialPost } from "#worker/social/contract.ts";
import { listAllSocialPosts, readSocialPostForEdit } from "#worker/social/owner-queries.ts";
import { listSocialPosts } from "#worker/social/queries.ts";
import { socialPosts } from "#worker/social/table.ts";
import { fetchSite, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { unique } from "./support/factories.ts";

const aPost = (overrides: Partial<NewSocialPost> = {}): NewSocialPost => ({
  platform: "linkedin",
  author: "Imogen Tarrant",
  content: `Post ${unique()}`,
  date: 1000,
  ...overrides,
});
const saved = (overrides?: Partial<NewSocialPost>) => createSocialPost(ownerContext(), aPost(overrides));
const shown = async () => (await listSocialPosts(visitorContext())).map(({ content }) => content);

beforeEach(() => ownerContext().db.delete(socialPosts));

it("the owner's list pages by key, and loses no post when several share a time", async () => {
  const made: number[] = [];
  for (let n = 0; n < 65; n++) made.unshift((await saved({ date: n < 40 ? 1000 : 2000 })).id);
  const seen: number[] = [];
  let before: string | undefined;
  do {
    const page = await listAllSocialPosts(ownerContext(), { before });
    seen.push(...page.items.map(({ id }) => id));
    before = page.next ?? undefined;
  } while (before);
  expect(seen).toEqual(made);
});

describe("a change of a post", () => {
  it("leaves missing fields unchanged, and visitors see it", async () => {
    const url = "https://www.linkedin.com/posts/1";
    const { id, values } = await saved({ likes: 7, url });
    await updateSocialPost(ownerContext(), id, { content: "Corrected.", date: 5000 });
    const edited = await readSocialPostForEdit(ownerContext(), id);
    expect(edited.values).toEqual({ ...values, content: "Corrected.", date: 5000 });
    expect(await shown()).toEqual(["Corrected."]);
    await updateSocialPost(ownerContext(), id, { url: "" });
    expect((await readSocialPostForEdit(ownerContext(), id)).values.url).toBeNull();
  });

  it.each<Partial<NewSocialPost>>([
    { url: "javascript:alert(1)" },
    { url: "http://a.example/" },
    { likes: 1.5 },
    { shares: 2e9 },
    { date: 8.65e15 },
    { content: "x".repeat(2001) },
    { author: " " },
  ])("with %j is refused", async (wrong) => {
    const { id, values } = await saved();
    await expect(updateSocialPost(ownerContext(), id, wrong)).rejects.toMatchObject({ code: "invalid" });
    expect(await shown()).toEqual([values.content]);
  });

  it("is refused when the post was changed since it was opened", async () => {
    const { id, updatedAt: basedOn } = await saved();
    await updateSocialPost(ownerContext(), id, { likes: 1, basedOn });
    await expect(updateSocialPost(ownerContext(), id, { likes: 2, basedOn })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("is removed when the post is deleted", async () => {
    const { id } = await saved();
    await deleteSocialPost(ownerContext(), id);
    expect(await shown()).toEqual([]);
    await expect(updateSocialPost(ownerContext(), id, {})).rejects.toMatchObject({ code: "not_found" });
  });
});

it("the admin API lists, creates, reads, changes and deletes", async () => {
  const { cookie } = await signedIn("editor");
  const call = (method: string, path = "", body?: unknown) =>
    fetchSite(`/api/admin/social-posts${path}`, {
      method,
      headers: { Cookie: cookie, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const created = await call("POST", "", aPost({ content: "By HTTP" }));
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: number };
  expect(await (await call("GET", `/${id}`)).json()).toMatchObject({ id, values: { content: "By HTTP" } });
  const changed = await call("PATCH", `/${id}`, { comments: 3 });
  expect([changed.status, await changed.json()]).toMatchObject([200, { values: { comments: 3 } }]);
  const list = { items: [expect.objectContaining({ id, comments: 3 })], next: null };
  expect(await (await call("GET")).json()).toEqual(list);
  expect((await call("DELETE", `/${id}`)).status).toBe(204);
  expect((await call("DELETE", `/${id}`)).status).toBe(404);
});
