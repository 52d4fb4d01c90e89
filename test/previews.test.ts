import { describe, expect, test } from "vitest";
import {
  createArticle,
  deleteArticle,
  updateArticle,
  createArticlePreviewLink,
  deleteArticlePreviewLink,
} from "#worker/articles/commands.ts";
import { signLink } from "#worker/platform/http/signed.ts";
import { prunePreviewLinks } from "#worker/previews/preview-links.ts";
import { anArticle, publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, ownerContext } from "./support/client.ts";

const DAY = 86_400_000;
const daysAgo = (days: number) => ownerContext({ now: new Date(Date.now() - days * DAY) });

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
const open = async (url: string) => {
  const response = await fetchSite(pathOf(url));
  return { response, html: await response.text() };
};

describe("a preview link", () => {
  test("shows a draft to every visitor with the link, with noindex and no-store", async () => {
    const { id } = await createArticle(
      ownerContext(),
      anArticle({ title: "Not for everybody yet", content: "Some **words**." }),
    );
    const { url, expiresAt } = await createArticlePreviewLink(ownerContext(), id);
    expect(expiresAt).toBeGreaterThan(Date.now() + 6 * DAY);
    const { response, html } = await open(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(html).toContain("Not for everybody yet");
    expect(html).toContain("<strong>words</strong>");
  });

  test("redirects to the article once it is published", async () => {
    const { id, slug } = await createArticle(ownerContext(), anArticle());
    const { url } = await createArticlePreviewLink(ownerContext(), id);
    await updateArticle(ownerContext(), id, { status: "published" });
    const { response } = await open(url);
    expect([response.status, response.headers.get("Location")]).toEqual([302, `/essays/${slug}`]);
  });

  test("ends when it is withdrawn, replaced, or expired, and with the article", async () => {
    const { id } = await createArticle(ownerContext(), anArticle({ title: "Once shown" }));
    const refused = async (url: string, words: string) => {
      const { response, html } = await open(url);
      expect(response.status).toBe(404);
      expect(html).toContain(words);
      expect(html.match(/<title>[^<]*/g)).toEqual(["<title>Preview not found"]);
      expect(html).not.toContain("Once shown");
      expect(html).toMatch(/<main[\s\S]*Return to Home[\s\S]*<\/main>/);
    };
    const first = await createArticlePreviewLink(ownerContext(), id);
    const second = await createArticlePreviewLink(ownerContext(), id);
    await refused(first.url, "no longer works");
    expect((await open(second.url)).response.status).toBe(200);
    await deleteArticlePreviewLink(ownerContext(), id);
    await refused(second.url, "no longer works");
    await refused((await createArticlePreviewLink(daysAgo(8), id)).url, "has expired");
    const last = await createArticlePreviewLink(ownerContext(), id);
    await prunePreviewLinks(jobContext());
    expect((await open(last.url)).response.status).toBe(200);
    await deleteArticle(ownerContext(), id);
    await refused(last.url, "no longer works");
  });

  test("refuses other signed links and invented ones", async () => {
    const { id } = await publishedArticle();
    const claims = { subject: `article:${id}`, stamp: "made up" };
    const forged = [
      await signLink(ownerContext(), { purpose: "preview", ...claims }, 60),
      await signLink(ownerContext(), { purpose: "unsubscribe", ...claims }, 60),
      "x",
      "",
    ];
    for (const token of forged) {
      const { response } = await open(`https://example.com/preview?token=${token}`);
      expect(response.status).toBe(404);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    }
    expect((await fetchSite("/preview")).status).toBe(404);
  });
});
