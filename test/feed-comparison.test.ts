import { parseFeed } from "podcast-partytime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import { factNames } from "#worker/imports/feed/contract.ts";
import { compareFeeds, takeOverShow } from "#worker/imports/feed/after-commands.ts";
import { readFeedDetails } from "#worker/imports/feed/queries.ts";
import { fetchSite } from "./support/client.ts";
import { unique } from "./support/factories.ts";
import { anItem, episodeBy, HOST, moved, mover, serve } from "./support/moving.ts";
import { pngOf } from "./support/png.ts";

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

const GUID = "917393e3-1b1e-5cef-ace4-edaa54e1f810";

describe("the podcast itself", () => {
  it("is described as the old feed does, as far as that is wanted, under its podcast:guid", async () => {
    const path = `/cover/${unique()}.png`;
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
    expect((await readShowForEdit(mover()))?.show).toMatchObject({ type: "serial", guid: GUID });
  });

  it("stays as it is where its new artwork is refused by apps, or gone", async () => {
    const id = await moved([anItem()], `<itunes:image href="${HOST}/gone.png"/>`);
    await expect(takeOverShow(mover(), id, { facts: ["artwork", "title"] })).rejects.toMatchObject({
      field: "artwork",
      message: expect.stringContaining("404"),
    });
  });
});

describe("a comparison", () => {
  it("goes through both feeds, episode by episode and field by field", async () => {
    const [same, changed, gone] = [unique(), unique(), unique()];
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
