import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createEpisode, deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import type { ShowChange } from "#worker/episodes/contract.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { readShow } from "#worker/episodes/show-queries.ts";
import { shows } from "#worker/episodes/table.ts";
import { files } from "#worker/files/table.ts";
import { ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { anEpisode, aShow, storedImage } from "./support/factories.ts";
import { feedChangedAt } from "./support/show.ts";

const owner = await signedIn("editor");
const HOUR = 3_600_000;

describe("the show", () => {
  test("its podcast:guid is created once and never changes", async () => {
    await updateShow(ownerContext(), aShow());
    const [first] = await ownerContext().db.select({ guid: shows.guid }).from(shows);
    await updateShow(
      ownerContext({ config: { ...ownerContext().config, siteUrl: "https://moved.example" } }),
      aShow(),
    );
    const [second] = await ownerContext().db.select({ guid: shows.guid }).from(shows);
    expect(second).toEqual(first);
  });

  test("is shown to visitors as the owner saved it", async () => {
    const artwork = await storedImage();
    const answer = await owner.api.show.$put({
      json: aShow({
        title: "Renamed show",
        artworkFileId: artwork.id,
        funding: [{ url: "https://example.com/support", text: "Chip in" }],
      }),
    });
    expect(answer.status).toBe(200);
    expect(await readShow(visitorContext())).toMatchObject({
      title: "Renamed show",
      artwork: { src: `/media/${artwork.key}`, alt: "The cover of Renamed show" },
      fundingUrl: "https://example.com/support",
      fundingText: "Chip in",
      feedUrl: "/rss/podcast.xml",
    });
  });

  test("is overwritten after another save only by an update without basedOn", async () => {
    const saved = async (json: ShowChange) => {
      const answer = await owner.api.show.$put({ json });
      return answer.ok ? (await answer.json()).show.updatedAt : answer.status;
    };
    const opened = await saved(aShow());
    const theirs = await saved(aShow({ title: "Theirs", newFeedUrl: "https://new.example/feed" }));
    for (const basedOn of [opened, 0]) expect(await saved({ ...aShow(), basedOn })).toBe(409);
    expect(await (await owner.api.show.$get()).json()).toMatchObject({
      show: { title: "Theirs", newFeedUrl: "https://new.example/feed", updatedAt: theirs },
    });
    expect(await saved({ ...aShow(), basedOn: theirs })).toBeGreaterThan(theirs);
    expect((await readShow(visitorContext()))!.title).toBe(aShow().title);
  });

  test.each([
    [{ category: "Nonsense" }, "category"],
    [{ category: "constructor" }, "category"],
    [{ category: "News", subcategory: "Books" }, "subcategory"],
    [{ description: "ü".repeat(2001) }, "description"],
    [{ ownerEmail: "nobody" }, "ownerEmail"],
    [{ language: "English" }, "language"],
    [{ newFeedUrl: "http://new.example/feed" }, "newFeedUrl"],
    [{ newFeedUrl: "javascript:alert(1)" }, "newFeedUrl"],
    [{ redirectsFeed: true }, "newFeedUrl"],
    [{ license: "Ours, v1" }, "licenseUrl"],
    [{ licenseUrl: "https://example.com/licence" }, "license"],
    [{ places: [{ name: "Sydney", geo: "91,0" }] }, "places.0.geo"],
    [{ places: [{ name: "Sydney", geo: "north" }] }, "places.0.geo"],
    [{ places: [{ name: "", geo: "-33.91,151.16" }] }, "places.0.name"],
    [{ places: [{ name: "Sydney", osm: "113314" }] }, "places.0.osm"],
    [{ places: [{ name: "Sydney", country: "Australia" }] }, "places.0.country"],
    [{ funding: [{ url: "support me" }] }, "funding.0.url"],
    [{ podroll: [{ url: "https://a.example/feed", guid: "917393e3" }] }, "podroll.0.guid"],
    [{ podroll: [{ url: "" }] }, "podroll.0.url"],
    [{ publisherGuid: "917393e3-1b1e-5cef-ace4-edaa54e1f810" }, "publisherUrl"],
    [{ txts: [{ purpose: "verify", text: "" }] }, "txts.0.text"],
    [{ updateRule: "every second Tuesday" }, "updateRule"],
    [{ updateRule: "FREQ=WEEKLY;INTERVAL=0" }, "updateRule"],
    [{ people: [{ name: "Imogen", role: "boss" }] }, "people.0.role"],
  ])("%o is refused beside its field", async (change, field) => {
    const answer = await owner.api.show.$put({ json: aShow(change) });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { field } });
  });

  test.each([
    [{ width: 800, height: 800 }, "The artwork is 800 × 800 px; Apple requires 1400 to 3000 px each side."],
    [
      { width: 4000, height: 4000 },
      "The artwork is 4000 × 4000 px; Apple requires 1400 to 3000 px each side.",
    ],
    [{ width: 2000, height: 1500 }, "The artwork is 2000 × 1500 px; podcast apps need a square."],
    [{ type: "image/webp" }, "The artwork should be a JPEG or PNG for podcast apps."],
    [{ hasAlpha: true }, "The artwork has transparent areas; Apple Podcasts requires an opaque picture."],
    [{ isCmyk: true }, "The artwork uses print colours (CMYK); Apple Podcasts requires RGB."],
  ])("artwork with %o is refused with the reason, and the former one remains", async (values, message) => {
    const fitting = await storedImage();
    await updateShow(ownerContext(), aShow({ artworkFileId: fitting.id }));
    const { id } = await storedImage(values);
    const answer = await owner.api.show.$put({ json: aShow({ artworkFileId: id }) });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({ error: { code: "invalid", message, field: "artworkFileId" } });
    expect((await readShow(visitorContext()))!.artwork!.src).toBe(`/media/${fitting.key}`);
  });

  test("lists all faults of its artwork together", async () => {
    const { id } = await storedImage({ width: 900, height: 600, hasAlpha: true });
    const answer = await owner.api.show.$put({ json: aShow({ artworkFileId: id }) });
    const { error } = (await answer.json()) as unknown as { error: { message: string } };
    expect(error.message).toMatch(
      /opaque picture\..* is 900 × 600 px; podcast apps need a square of 1400 to 3000 px\./,
    );
  });

  test("artwork from before it was checked does not keep the rest from being saved", async () => {
    const { id } = await storedImage();
    await updateShow(ownerContext(), aShow({ artworkFileId: id }));
    await ownerContext().db.update(files).set({ width: 800 }).where(eq(files.id, id));
    const answer = await owner.api.show.$put({ json: aShow({ artworkFileId: id, title: "Saved" }) });
    expect(answer.status).toBe(200);
  });

  test.each(["https://pod.example/rss/podcast.xml", "https://POD.example.:443/rss/%70odcast.xml?x#y"])(
    "the feed does not move to the site’s own %s",
    async (newFeedUrl) => {
      const ctx = ownerContext({ config: { ...ownerContext().config, siteUrl: "https://pod.example" } });
      const refused = { code: "invalid", field: "newFeedUrl" };
      await expect(updateShow(ctx, aShow({ newFeedUrl }))).rejects.toMatchObject(refused);
      await updateShow(ctx, aShow({ newFeedUrl: "https://www.pod.example/feed" }));
    },
  );

  test("its language and its recurrence rule are stored in their canonical form", async () => {
    const { show } = await updateShow(
      ownerContext(),
      aShow({ language: "EN-au", updateRule: "freq=weekly;byday=tu" }),
    );
    expect(show).toMatchObject({ language: "en-AU", updateRule: "FREQ=WEEKLY;BYDAY=TU" });
  });

  test("every write that the feed shows moves its date, also within one millisecond", async () => {
    const now = new Date(Date.now() + HOUR);
    const ctx = ownerContext({ now });
    await updateShow(ctx, aShow());
    const dates = [await feedChangedAt()];
    const { id } = await createEpisode(ctx, anEpisode({ status: "published" }));
    dates.push(await feedChangedAt());
    await updateEpisode(ctx, id, { title: "Edited" });
    dates.push(await feedChangedAt());
    await deleteEpisode(ctx, id);
    dates.push(await feedChangedAt());
    expect(new Set(dates).size).toBe(4);
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
  });
});
