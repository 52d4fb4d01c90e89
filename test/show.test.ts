import { describe, expect, test } from "vitest";
import { createEpisode, deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { readShow } from "#worker/episodes/show-queries.ts";
import { shows } from "#worker/episodes/table.ts";
import { ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { anEpisode, aShow, storedImage } from "./support/factories.ts";
import { feedChangedAt } from "./support/show.ts";

const owner = await signedIn("editor");
const HOUR = 3_600_000;

describe("the show", () => {
  test("its podcast:guid is made once and stays", async () => {
    await updateShow(ownerContext(), aShow());
    const [first] = await ownerContext().db.select({ guid: shows.guid }).from(shows);
    await updateShow(
      ownerContext({ config: { ...ownerContext().config, siteUrl: "https://moved.example" } }),
      aShow(),
    );
    const [second] = await ownerContext().db.select({ guid: shows.guid }).from(shows);
    expect(second).toEqual(first);
  });

  test("visitors see what the owner said", async () => {
    const artwork = await storedImage();
    const answer = await owner.api.show.$put({
      json: aShow({
        title: "Renamed show",
        artworkFileId: artwork.id,
        fundingUrl: "https://example.com/support",
      }),
    });
    expect(answer.status).toBe(200);
    expect(await readShow(visitorContext())).toMatchObject({
      title: "Renamed show",
      artwork: { src: `/media/${artwork.key}`, alt: "The cover of Renamed show" },
      fundingUrl: "https://example.com/support",
      feedUrl: "/rss/podcast.xml",
    });
  });

  test.each([
    [{ category: "Nonsense" }, "category"],
    [{ category: "constructor" }, "category"],
    [{ category: "News", subcategory: "Books" }, "subcategory"],
    [{ description: "ü".repeat(2001) }, "description"],
    [{ ownerEmail: "nobody" }, "ownerEmail"],
    [{ language: "English" }, "language"],
  ])("%o is refused beside its field", async (change, field) => {
    const answer = await owner.api.show.$put({ json: aShow(change) });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { field } });
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
