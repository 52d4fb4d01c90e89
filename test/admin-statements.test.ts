import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { createTopic } from "#worker/topics/commands.ts";
import { createAutomaticLetter } from "#worker/automatic-letters/commands.ts";
import { createCampaign } from "#worker/campaigns/commands.ts";
import { createEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { MAIL_TOPIC } from "#worker/mail/message.ts";
import { createImport } from "#worker/imports/import-commands.ts";
import { insertImport } from "#worker/imports/items.ts";
import { outbox } from "#worker/platform/table.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { RESTORE } from "#worker/restores/contract.ts";
import { createSocialPost } from "#worker/social/commands.ts";
import { createProfile } from "#worker/profiles/commands.ts";
import { createVenture } from "#worker/ventures/commands.ts";
import matrix from "../docs/roles.md?raw";
import { aMember } from "./support/members.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, ownerContext, signedIn } from "./support/client.ts";
import { savedEnquiry } from "./support/enquiries.ts";
import { anEpisode, aPressItem, publishedEpisode, savedShow, storedImage } from "./support/factories.ts";
import { savedLetter, setLetter } from "./support/letters.ts";
import { createWebhook } from "#worker/webhooks/commands.ts";
import { anItem, moved } from "./support/moving.ts";
import { confirmed } from "./support/newsletter.ts";

/** The pages of the admin area, by their routes in docs/roles.md. */
const routes = matrix.split("\n").flatMap((line) => /^\| `(\/admin[^`]*)`/.exec(line)?.[1] ?? []);

/** Reads the session, together with the site's settings; then all that the page shows. */
const USUAL = 2;

/** Round trips to D1 of pages that need more. More than this is a decision, which belongs here. */
const exceptions: Record<string, number> = {
  // The recipients are counted by the letter's segment.
  "/admin/newsletter/:id": 3,
  "/admin/newsletter/automatic/:id": 3,
  "/admin/newsletter/:id/send": 3,
  // Its days begin with its publication.
  "/admin/analytics/episodes/:id": 3,
  // What an undo would delete, once the import has ended: its items, and which of those were changed since.
  "/admin/podcast/move/:id": 5,
  // Which secrets of apps can be read depends on the site's own key.
  "/admin/settings/system": 3,
  // Whether each table is empty: the schema comes first, in two reads.
  "/admin/settings/restore": 4,
};

/** The path of an item of each route. */
let paths: Record<string, string> = {};
let cookie = "";

beforeAll(async () => {
  const ctx = ownerContext();
  const { id: imageFileId } = await storedImage();
  await savedShow({ artworkFileId: imageFileId });
  const { id: episode } = await publishedEpisode({ imageFileId });
  const { id: article } = await publishedArticle({ imageFileId });
  const press = await createPressItem(ctx, aPressItem());
  const campaign = await createCampaign(ctx, { title: "Sign", embedUrl: "https://a.example/" });
  const post = await createSocialPost(ctx, { platform: "linkedin", author: "A", content: "Said.", date: 1 });
  const profile = await createProfile(ctx, { name: "Ada Wren" });
  const automatic = await createAutomaticLetter(ctx, { name: "Each essay" });
  const member = await aMember();
  const topic = await createTopic(ctx, { name: "Cities" });
  const venture = await createVenture(ctx, { name: "A venture", description: "What it does." });
  const letter = await savedLetter();
  const sent = await savedLetter();
  await setLetter(sent.id, { status: "sent" });
  const subscriber = await confirmed();
  const application = await savedEnquiry("application");
  const message = await savedEnquiry("message");
  const booking = await savedEnquiry("booking");
  const articles = await createImport(ctx, { kind: "articles", source: "Ghost: a.json" });
  const [restore] = await insertImport(ctx, { kind: RESTORE, source: "site.zip", details: {} });
  const feed = await moved([anItem()]);
  const [mail] = await ctx.db.select({ id: outbox.id }).from(outbox).where(eq(outbox.topic, MAIL_TOPIC));
  const { webhook } = await createWebhook(ctx, {
    url: "https://hooks.example/a",
    description: "",
    events: ["letter.sent"],
  });
  paths = {
    "/admin/articles/:id": `/admin/articles/${article}`,
    "/admin/articles/:id/versions": `/admin/articles/${article}/versions`,
    "/admin/articles/elsewhere/:id": `/admin/articles/elsewhere/${articles.id}`,
    "/admin/articles/pages/:slug": "/admin/articles/pages/mission",
    "/admin/articles/pages/:slug/versions": "/admin/articles/pages/mission/versions",
    "/admin/media/:id": `/admin/media/${press.id}`,
    "/admin/media/campaigns/:id": `/admin/media/campaigns/${campaign.id}`,
    "/admin/media/posts/:id": `/admin/media/posts/${post.id}`,
    "/admin/podcast/:id": `/admin/podcast/${episode}`,
    "/admin/podcast/:id/versions": `/admin/podcast/${episode}/versions`,
    "/admin/podcast/:id/clip": `/admin/podcast/${episode}/clip`,
    "/admin/podcast/files/:id": `/admin/podcast/files/${imageFileId}`,
    "/admin/podcast/move/:id": `/admin/podcast/move/${feed}`,
    "/admin/podcast/people/:id": `/admin/podcast/people/${profile.id}`,
    "/admin/ventures/:id": `/admin/ventures/${venture.id}`,
    "/admin/newsletter/members/:id": `/admin/newsletter/members/${member.id}`,
    "/admin/newsletter/topics/:id": `/admin/newsletter/topics/${topic.id}`,
    "/admin/newsletter/members/tiers/:id": `/admin/newsletter/members/tiers/${member.tierId}`,
    "/admin/newsletter/automatic/:id": `/admin/newsletter/automatic/${automatic.id}`,
    "/admin/newsletter/:id": `/admin/newsletter/${letter.id}`,
    "/admin/newsletter/:id/send": `/admin/newsletter/${letter.id}/send`,
    "/admin/newsletter/:id/report": `/admin/newsletter/${sent.id}/report`,
    "/admin/newsletter/subscribers/:id": `/admin/newsletter/subscribers/${subscriber.id}`,
    "/admin/guests/:id": `/admin/guests/${application.id}`,
    "/admin/guests/messages/:id": `/admin/guests/messages/${message.id}`,
    "/admin/guests/bookings/:id": `/admin/guests/bookings/${booking.id}`,
    "/admin/analytics/episodes/:id": `/admin/analytics/episodes/${episode}`,
    "/admin/settings/restore/:id": `/admin/settings/restore/${restore!.id}`,
    "/admin/settings/webhooks/:id": `/admin/settings/webhooks/${webhook.id}`,
    "/admin/settings/mails/:id": `/admin/settings/mails/${mail!.id}`,
  };
  ({ cookie } = await signedIn("super_admin"));
  // The first request of a session, and one a day, reads the signing key to renew the cookie.
  const first = await fetchSite("/api/admin/session", { headers: { Cookie: cookie } });
  cookie = first.headers.getSetCookie()[0]!.split(";")[0]!;
});

describe("the round trips to D1 of a page of the admin area", () => {
  test.each(routes)("%s takes no more than it needs", async (route) => {
    const path = paths[route] ?? route;
    expect(path).not.toContain(":");
    const response = await fetchSite(path, { headers: { Cookie: cookie } });
    await response.text();
    expect(route.endsWith("*") ? [404] : [200, 302]).toContain(response.status);
    const timing = response.headers.get("Server-Timing") ?? "";
    const roundTrips = Number(/(\d+) round trips/.exec(timing)?.[1]);
    expect(roundTrips).toBeLessThanOrEqual(exceptions[route] ?? USUAL);
  });
});

/** The owner saves drafts the most often, and the free plan has 10 ms for each save. */
describe("the statements of an automatic save", () => {
  test("of an article are eight, in four round trips", async () => {
    const { id } = await createArticle(ownerContext(), { title: "A draft", content: "Some." });
    const ctx = ownerContext();
    await updateArticle(ctx, id, { content: "Some words.", automatic: true });
    expect(ctx.d1).toMatchObject({ statements: 8, roundTrips: 4 });
  });

  test("of an episode are seven, in four round trips", async () => {
    const { id } = await createEpisode(ownerContext(), anEpisode({ status: "draft" }));
    const ctx = ownerContext();
    await updateEpisode(ctx, id, { showNotes: "Some words.", automatic: true });
    expect(ctx.d1).toMatchObject({ statements: 7, roundTrips: 4 });
  });
});
