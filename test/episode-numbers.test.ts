import { describe, expect, test } from "vitest";
import { createEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import type { NewEpisode } from "#worker/episodes/contract.ts";
import { readEpisodeDefaults, readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { readEpisode } from "#worker/episodes/queries.ts";
import { episodes } from "#worker/episodes/table.ts";
import { fetchSite, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { anEpisode, publishedEpisode, savedShow, storedAudio } from "./support/factories.ts";

const { api } = await signedIn("editor");
const NONE = { seasonNumber: null, episodeNumber: null };

/** Text that must not be shown when a number is missing. */
const UNSAID = /\bnull\b|\bundefined\b|NaN|S0|E0|(?:Season|Episode) *<|Season +Episode/;

describe("an episode without numbers", () => {
  test("is saved without, by the API too, and numbers are emptied again", async () => {
    const answer = await api.episodes.$post({ json: anEpisode(NONE) });
    expect((await answer.json()).values).toMatchObject(NONE);
    const { id } = await createEpisode(ownerContext(), anEpisode({ seasonNumber: 2, episodeNumber: 3 }));
    await updateEpisode(ownerContext(), id, { episodeNumber: null });
    const { values } = await readEpisodeForEdit(ownerContext(), id);
    expect(values).toMatchObject({ seasonNumber: 2, episodeNumber: null });
  });

  test.each([0, -1, 1.5, 100_001])("%d is not a valid episode number", async (episodeNumber) => {
    const refused = createEpisode(ownerContext(), anEpisode({ episodeNumber }));
    await expect(refused).rejects.toMatchObject({ code: "invalid", field: "episodeNumber" });
  });

  test("shows none on its page, in lists, as JSON and in the feed", async () => {
    await savedShow();
    const { id } = await publishedEpisode({ ...NONE, audioFileId: (await storedAudio()).id });
    for (const path of [`/episode/${id}`, "/podcast", "/"]) {
      const html = await (await fetchSite(path)).text();
      const shown = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
      expect(shown, path).not.toMatch(UNSAID);
      expect(shown, path).not.toMatch(/<span><\/span>/);
    }
    expect(await (await fetchSite(`/api/episodes/${id}`)).json()).toMatchObject(NONE);
    const page = await (await fetchSite(`/episode/${id}`)).text();
    const jsonLd = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? "";
    expect(jsonLd).toContain("PodcastEpisode");
    expect(jsonLd).not.toMatch(/episodeNumber|partOfSeason|null/);
    const feed = await (await fetchSite("/rss/podcast.xml")).text();
    const item = feed.split("<item>").find((one) => one.includes(`/episode/${id}<`));
    expect(item).not.toMatch(/:season|:episode>/);
  });
});

describe("a trailer", () => {
  const trailer = (change: Partial<NewEpisode> = {}) => anEpisode({ episodeType: "trailer", ...change });

  test("with an episode number is refused beside it", async () => {
    const message = "A trailer has no episode number. Leave it blank.";
    const answer = await api.episodes.$post({ json: trailer() });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { field: "episodeNumber", message } });
    const { id } = await createEpisode(ownerContext(), trailer(NONE));
    const change = updateEpisode(ownerContext(), id, { episodeNumber: 1 });
    await expect(change).rejects.toMatchObject({ code: "invalid", field: "episodeNumber" });
  });

  test("has no numbers by default, and loses those of the episode that becomes one", async () => {
    const created = await createEpisode(ownerContext(), { title: "Trailer", episodeType: "trailer" });
    expect(created.values).toMatchObject(NONE);
    const { id } = await createEpisode(ownerContext(), anEpisode());
    await updateEpisode(ownerContext(), id, { episodeType: "trailer", status: "published" });
    expect(await readEpisode(visitorContext(), id)).toMatchObject(NONE);
    const html = await (await fetchSite(`/episode/${id}`)).text();
    expect(html).toContain("<span>Trailer</span>");
  });

  test("keeps the season that it introduces", async () => {
    const season = { seasonNumber: 3, episodeNumber: null };
    const { id } = await createEpisode(ownerContext(), trailer(season));
    const { values } = await updateEpisode(ownerContext(), id, { title: "Season three" });
    expect(values).toMatchObject(season);
  });
});

test("the next episode's numbers follow the last one's, if it has any", async () => {
  const ctx = ownerContext();
  await ctx.db.delete(episodes);
  const suggested = async (...made: Partial<NewEpisode>[]) => {
    for (const one of made) await createEpisode(ctx, anEpisode(one));
    const { seasonNumber, episodeNumber } = await readEpisodeDefaults(ctx);
    return { seasonNumber, episodeNumber };
  };
  const first = { seasonNumber: 1, episodeNumber: 1 };
  expect(await suggested()).toEqual(first);
  expect(await suggested({ ...NONE, episodeType: "trailer" })).toEqual(first);
  expect(await suggested(NONE)).toEqual(NONE);
  expect(await suggested({ seasonNumber: null, episodeNumber: 3 })).toEqual({ ...NONE, episodeNumber: 4 });
  const second = { seasonNumber: 2, episodeNumber: 6 };
  expect(await suggested({ ...second }, { seasonNumber: 2, episodeNumber: null })).toEqual({
    ...second,
    episodeNumber: 7,
  });
});
