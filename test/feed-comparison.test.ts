import { parseFeed } from "podcast-partytime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import { factNames } from "#worker/imports/feed/contract.ts";
import { compareFeeds, takeOverShow } from "#worker/imports/feed/after-commands.ts";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import { readFeedDetails } from "#worker/imports/feed/queries.ts";
import { fetchSite, signedIn } from "./support/client.ts";
import { savedShow } from "./support/factories.ts";
import { anItem, episodeBy, HOST, moved, mover, nextSeed, serve, servedFeed } from "./support/moving.ts";
import { pngOf } from "./support/png.ts";

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

const GUID = "917393e3-1b1e-5cef-ace4-edaa54e1f810";

describe("the podcast after an import", () => {
  it("gets the chosen facts of the old feed, with its podcast:guid", async () => {
    const path = `/cover/${nextSeed()}.png`;
    await serve({ path, bytes: (await pngOf(1500, 1500)).toBase64() });
    const more = `<podcast:guid>${GUID}</podcast:guid><itunes:image href="${HOST}${path}"/>`;
    const id = await moved([anItem()], more);
    await expect(takeOverShow(mover(), id, { facts: ["title"] })).rejects.toMatchObject({ code: "invalid" });
    await takeOverShow(mover(), id, { facts: [...factNames] });
    const edited = await readShowForEdit(mover());
    expect(edited?.show).toMatchObject({ title: "Old Ground", guid: GUID, category: "Society & Culture" });
    expect(edited?.artwork).toMatchObject({ width: 1500 });
    const feed = parseFeed(await (await fetchSite("/rss/podcast.xml")).text());
    expect(feed).toMatchObject({ title: "Old Ground", guid: GUID, author: "Imogen Tarrant" });

    const other = await moved([anItem()], "<itunes:type>serial</itunes:type>");
    await takeOverShow(mover(), other, { facts: ["type"] });
    expect((await readShowForEdit(mover()))?.show).toMatchObject({
      type: "serial",
      guid: GUID,
      subcategory: "Documentary",
    });
    await takeOverShow(mover(), other, { facts: ["category"] });
    expect((await readShowForEdit(mover()))?.show).toMatchObject({ subcategory: "" });
  });

  it("is not changed if another editor saves it while its new artwork is fetched", async () => {
    await savedShow();
    const path = `/cover/${nextSeed()}.png`;
    await serve({ path, bytes: (await pngOf(1500, 1500)).toBase64() });
    const id = await moved([anItem()], `<itunes:image href="${HOST}${path}"/>`);
    const { fetch } = globalThis;
    vi.spyOn(globalThis, "fetch").mockImplementationOnce(async (...request) => {
      await savedShow({ title: "Saved meanwhile" });
      return fetch(...request);
    });
    await expect(takeOverShow(mover(), id, { facts: ["artwork"] })).rejects.toMatchObject({
      code: "conflict",
    });
    expect((await readShowForEdit(mover()))?.show.title).toBe("Saved meanwhile");
  });

  it("is not changed if its new artwork is missing, or refused by apps", async () => {
    const id = await moved([anItem()], `<itunes:image href="${HOST}/gone.png"/>`);
    await expect(takeOverShow(mover(), id, { facts: ["artwork", "title"] })).rejects.toMatchObject({
      field: "artwork",
      message: expect.stringContaining("404"),
    });
  });
});

describe("a comparison of feeds", () => {
  it("compares both feeds episode by episode and field by field", async () => {
    const [same, changed, gone] = [nextSeed(), nextSeed(), nextSeed()];
    const more = `<itunes:duration>6</itunes:duration><description>Rent &amp;amp; land</description>
      <content:encoded><![CDATA[<p>Long <em>words</em>.</p>]]></content:encoded>
      <podcast:person>Ada</podcast:person><itunes:season>1</itunes:season><itunes:episode>2</itunes:episode>`;
    const id = await moved([
      anItem({ seed: same, more }),
      anItem({ seed: changed, more }),
      anItem({ seed: gone, way: "gone" }),
    ]);
    const { id: episode } = (await episodeBy(`guid-${changed}`))!;
    await updateEpisode(mover(), episode, { title: "Another title", explicit: true });
    const comparison = await compareFeeds(mover(), id);
    expect(comparison).toMatchObject({
      compared: 2,
      alike: 1,
      missing: [`Episode ${gone}`],
      differing: [
        {
          title: `Episode ${changed}`,
          differences: [
            { field: "Title", before: `Episode ${changed}`, after: "Another title" },
            { field: "Explicit", before: "no", after: "yes" },
          ],
        },
      ],
    });
    expect((await readFeedDetails(mover(), id)).comparison).toEqual(comparison);
  });
});

describe("the pages of a move", () => {
  it("show the plan, and then the results", async () => {
    const { cookie } = await signedIn("editor");
    const read = async (path: string) => {
      const response = await fetchSite(`/admin/podcast/move${path}`, { headers: { cookie } });
      expect(response.status).toBe(200);
      return response.text();
    };
    const plan = await createFeedImport(mover(), {
      url: await servedFeed([anItem(), anItem({ audio: null })]),
    });
    const done = await moved([anItem({ way: "gone" }), anItem()]);
    await compareFeeds(mover(), done);
    const planned = await read(`/${plan.id}`);
    for (const words of [
      "What will be imported",
      "Move 1 episode",
      "It has no audio, so apps don’t show it.",
    ])
      expect(planned).toContain(words);
    const ended = await read(`/${done}?state=failed`);
    for (const words of [
      "There is nothing at its address (404).",
      "Compare again",
      "What to set at the old host",
    ])
      expect(ended).toContain(words);
    expect(await read("")).toContain("Past imports");
  });
});
