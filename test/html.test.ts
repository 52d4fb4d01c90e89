import { beforeAll, describe, expect, inject, it } from "vitest";
import { createArticle } from "#worker/articles/commands.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { createVenture } from "#worker/ventures/commands.ts";
import { fetchSite, ownerContext, signedIn } from "./support/client.ts";
import { aPressItem, publishedEpisode, savedShow } from "./support/factories.ts";

const validator = `http://127.0.0.1:${inject("htmlValidator")}`;

async function mistakesOf(path: string, cookie = "") {
  const page = await fetchSite(path, { headers: { cookie } });
  expect(page.headers.get("Content-Type")).toMatch(/^text\/html/);
  const answer = await fetch(validator, { method: "POST", body: await page.text() });
  return answer.json();
}

let episode: number;

beforeAll(async () => {
  await savedShow();
  episode = (await publishedEpisode()).id;
  const essay = {
    title: "A valid essay",
    excerpt: "Words.",
    content: "## Words\n\n- [One](https://example.org)",
  };
  await createArticle(ownerContext(), { ...essay, status: "published" });
  const release = { type: "press_release", content: "Words.\n\n#### More words" } as const;
  await createPressItem(ownerContext(), aPressItem(release));
  await createVenture(ownerContext(), { name: "A venture", description: "Words.", sortOrder: 1 });
});

describe("the HTML of public pages is valid", () => {
  it.each([
    "/",
    "/podcast",
    "/episode/:id",
    "/embed/episode/:id",
    "/conversations",
    "/essays/a-valid-essay",
    "/media",
    "/speaking/book",
    "/guest",
    "/contact",
    "/search?q=words",
    "/verify-email",
    "/nothing/here",
  ])("the HTML of %s is valid", async (path) => {
    expect(await mistakesOf(path.replace(":id", String(episode)))).toEqual([]);
  });
});

describe("the HTML of admin pages is valid", () => {
  it.each([
    "/admin/articles",
    "/admin/articles/new",
    "/admin/articles/linkedin",
    "/admin/articles/pages/about",
    "/admin/podcast/files",
    "/admin/podcast/:id",
    "/admin/guests",
    "/admin/newsletter/new",
    "/admin/newsletter/subscribers",
    "/admin/ventures",
    "/admin/account",
    "/admin/settings/email",
    "/admin/settings/security",
    "/admin/settings/export",
    "/admin/settings/system",
  ])("the HTML of %s is valid", async (path) => {
    const { cookie } = await signedIn("super_admin");
    expect(await mistakesOf(path.replace(":id", String(episode)), cookie)).toEqual([]);
  });
});

it("the validator finds invalid HTML", async () => {
  const html =
    '<!doctype html><html lang="en"><head><title>A</title></head><body><p aria-label="B">C</p></body></html>';
  const answer = await fetch(validator, { method: "POST", body: html });
  expect(await answer.json()).toEqual([expect.stringContaining("aria-label-misuse")]);
});
