import { parseRssFeed } from "feedsmith";
import { parseFeed } from "podcast-partytime";
import { beforeEach, describe, expect, it } from "vitest";
import { updateEpisode } from "#worker/episodes/commands.ts";
import type { Generated } from "#worker/episodes/contract.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { fetchSite, ownerContext } from "./support/client.ts";
import { publishedEpisode, savedShow, storedAudio } from "./support/factories.ts";

const owner = () => ownerContext();
const by = (field: Generated["field"], model = "llama-3"): Generated => ({ field, model });
const disclose = (disclosesGenerated: boolean) => updateSite(owner(), { disclosesGenerated });

async function published(generated: Generated[], more: object = {}) {
  const audio = await storedAudio();
  const { id } = await publishedEpisode({ audioFileId: audio.id, generated, ...more });
  return readEpisodeForEdit(owner(), id);
}

/** The texts of podcast:txt of an item, as two independent parsers read them. */
async function txtsOf(guid: string) {
  const xml = await (await fetchSite("/rss/podcast.xml")).text();
  const partytime = parseFeed(xml)!.items.find((item) => item.guid === guid)!;
  const feedsmith = parseRssFeed(xml).items!.find((item) => item.guid?.value === guid)!;
  return {
    partytime: (partytime as { podcastTxt?: object[] }).podcastTxt,
    feedsmith: feedsmith.podcast?.txts,
  };
}

const pageOf = async (id: number) => (await fetchSite(`/episode/${id}`)).text();

beforeEach(async () => {
  await savedShow();
  await disclose(false);
});

describe("what a model wrote", () => {
  it("is in no feed and on no page until the owner discloses it", async () => {
    const { id, guid } = await published([by("title"), by("description")]);
    expect((await txtsOf(guid)).feedsmith).toBeUndefined();
    expect(await pageOf(id)).not.toContain("help of AI");
    await disclose(true);
    expect(await txtsOf(guid)).toMatchObject({
      feedsmith: [{ purpose: "ai-content", display: "true" }],
    });
    expect(await pageOf(id)).toContain("Written with the help of AI: title and summary.");
    await disclose(false);
    expect((await txtsOf(guid)).feedsmith).toBeUndefined();
    expect(await pageOf(id)).not.toContain("help of AI");
  });

  it("is false of an episode without it, and true of a generated transcript", async () => {
    await disclose(true);
    const plain = await published([]);
    expect((await txtsOf(plain.guid)).feedsmith).toEqual([{ purpose: "ai-content", display: "false" }]);
    expect(await pageOf(plain.id)).not.toContain("help of AI");
    const spoken = await published([by("transcript", "whisper-1")], {
      transcript: "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello.\n",
    });
    expect((await txtsOf(spoken.guid)).feedsmith).toEqual([{ purpose: "ai-content", display: "true" }]);
    expect(await pageOf(spoken.id)).toContain("Written with the help of AI: transcript.");
  });

  it("is true of an import whose feed did not say what it was", async () => {
    await disclose(true);
    const imported = await published([by("unnamed", "an unnamed model")]);
    expect((await txtsOf(imported.guid)).feedsmith).toEqual([{ purpose: "ai-content", display: "true" }]);
    expect(await pageOf(imported.id)).toContain("Made with the help of AI.");
    await updateEpisode(owner(), imported.id, {
      generated: [by("unnamed", "an unnamed model"), by("title")],
    });
    expect(await pageOf(imported.id)).toContain("Written with the help of AI: title and other parts.");
  });

  it("is stored once a field, and not of an empty one", async () => {
    const { id } = await published([
      by("chapters"),
      by("description", "older"),
      by("description", "newer"),
      by("soundbites"),
      by("title"),
    ]);
    const marks = async () => (await readEpisodeForEdit(owner(), id)).values.generated;
    expect(await marks()).toEqual([by("title"), by("description", "newer")]);
    await updateEpisode(owner(), id, { title: "Edited by the owner" });
    expect(await marks()).toEqual([by("title"), by("description", "newer")]);
    await updateEpisode(owner(), id, { description: "" });
    expect(await marks()).toEqual([by("title")]);
    await updateEpisode(owner(), id, { generated: [] });
    expect(await marks()).toEqual([]);
  });

  it("is saved once by a form whose first answer was lost", async () => {
    const { id, updatedAt } = await published([]);
    const change = { title: "Proposed", generated: [by("title"), by("chapters")], basedOn: updatedAt };
    const first = await updateEpisode(owner(), id, change);
    const second = await updateEpisode(owner(), id, change);
    expect(second.updatedAt).toBe(first.updatedAt);
    expect(second.values.generated).toEqual([by("title")]);
  });

  it.each([
    ["another field", { field: "slug", model: "m" }],
    ["no model", { field: "title", model: " " }],
  ])("is refused with %s", async (_, mark) => {
    const { id } = await published([]);
    await expect(updateEpisode(owner(), id, { generated: [mark] as never })).rejects.toMatchObject({
      code: "invalid",
    });
  });
});
