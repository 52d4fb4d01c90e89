import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import {
  createEpisode,
  deleteEpisode,
  publishDueEpisodes,
  updateEpisode,
} from "#worker/episodes/commands.ts";
import type { NewEpisode } from "#worker/episodes/contract.ts";
import { listEpisodes, readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { findEpisodeBySlug, listPublishedEpisodes, readEpisode } from "#worker/episodes/queries.ts";
import { episodes } from "#worker/episodes/table.ts";
import { fetchSite, jobContext, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { anEpisode, publishedEpisode, savedShow, storedAudio, storedImage } from "./support/factories.ts";
import { plansOf } from "./support/plans.ts";
import { feedChangedAt } from "./support/show.ts";

const owner = await signedIn("editor");
const HOUR = 3_600_000;

describe("what visitors see", () => {
  test("a draft, a scheduled and an archived episode stay hidden; a published one shows", async () => {
    const scheduledFor = Date.now() + HOUR;
    const hidden = [
      await createEpisode(ownerContext(), anEpisode({ status: "draft" })),
      await createEpisode(ownerContext(), anEpisode({ status: "scheduled", scheduledFor })),
      await createEpisode(ownerContext(), anEpisode({ status: "archived" })),
    ];
    const shown = await publishedEpisode();
    const { items } = await listPublishedEpisodes(visitorContext());
    const ids = items.map(({ id }) => id);
    expect(ids).toContain(shown.id);
    for (const { id } of hidden) {
      expect(ids).not.toContain(id);
      await expect(readEpisode(visitorContext(), id)).rejects.toMatchObject({ code: "not_found" });
      expect((await fetchSite(`/api/episodes/${id}`)).status).toBe(404);
    }
  });

  test("the list is newest first and paged by key, each episode once, even with the same date", async () => {
    const at = Date.now() - 5 * HOUR;
    for (let n = 0; n < 5; n++) await publishedEpisode({ publishedAt: at });
    const seen: number[] = [];
    let before: string | undefined;
    do {
      const page = await listPublishedEpisodes(visitorContext(), { before, limit: 2 });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ id }) => id));
      before = page.next ?? undefined;
    } while (before);
    const all = (await listPublishedEpisodes(visitorContext(), { limit: 1000 })).items;
    expect(seen).toEqual(all.map(({ id }) => id));
    expect(new Set(seen).size).toBe(seen.length);
    const times = all.map(({ publishedAt }) => publishedAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test("a made-up cursor is not found", async () => {
    const answer = await fetchSite("/api/episodes?before=yesterday");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: "not_found" } });
  });

  test("an unknown query parameter is refused", async () => {
    expect((await fetchSite("/api/episodes?page=2")).status).toBe(422);
  });

  test("a page has its notes as safe HTML, its transcript line by line and its audio's figures", async () => {
    const audio = await storedAudio({ size: 2048 });
    const { id } = await publishedEpisode({
      audioFileId: audio.id,
      showNotes:
        "## Links\n\n[One](https://example.com)\n\n<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n[x](javascript:alert(1))",
      transcript: "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<v Imogen>Hello &amp; welcome.\n",
    });
    const episode = await readEpisode(visitorContext(), id);
    expect(episode.showNotesHtml).toContain('<a href="https://example.com">One</a>');
    expect(episode.showNotesHtml).not.toMatch(/script|onerror|javascript:/);
    expect(episode.transcript).toEqual([{ start: 1, end: 2.5, speaker: "Imogen", text: "Hello & welcome." }]);
    expect(episode).toMatchObject({
      audioUrl: `/media/${audio.key}`,
      audioBytes: 2048,
      audioType: "audio/mpeg",
    });
  });

  test("a slug leads to its published episode only", async () => {
    const { id } = await publishedEpisode({ title: "Found by slug" });
    expect(await findEpisodeBySlug(visitorContext(), "found-by-slug")).toBe(id);
    await updateEpisode(ownerContext(), id, { status: "archived" });
    expect(await findEpisodeBySlug(visitorContext(), "found-by-slug")).toBeNull();
  });

  test("a slug is found without scanning other episodes", async () => {
    const plans = await plansOf((ctx) => findEpisodeBySlug(ctx, "found-by-slug"));
    expect(plans.filter((plan) => /SCAN episodes|\(status=/.test(plan))).toEqual([]);
  });
});

describe("writing", () => {
  test("an episode needs a title only, and takes the specification's defaults", async () => {
    const created = await owner.api.episodes.$post({ json: { title: "Only a title" } });
    expect(created.status).toBe(201);
    const thing = await created.json();
    expect(await readEpisodeForEdit(ownerContext(), thing.id)).toMatchObject(thing);
    expect(thing.values).toMatchObject({
      slug: "only-a-title",
      status: "draft",
      seasonNumber: 1,
      episodeNumber: 1,
      durationSeconds: 0,
      publishedAt: null,
    });
  });

  test("every field that was entered is read back", async () => {
    const audio = await storedAudio({ durationSeconds: 75.4 });
    const image = await storedImage();
    const smaller = await storedAudio();
    const input = {
      title: "Every field",
      slug: "every-field-kept",
      description: "Said plainly.",
      showNotes: "# Notes",
      status: "published",
      publishedAt: Date.UTC(2026, 1, 3),
      scheduledFor: null,
      seasonNumber: 4,
      episodeNumber: 12,
      episodeType: "bonus",
      explicit: true,
      blocked: true,
      durationSeconds: 75,
      audioFileId: audio.id,
      imageFileId: image.id,
      imageAlt: "A hill",
      videoUrl: "https://example.com/video.mp4",
      youtubeUrl: "https://www.youtube.com/watch?v=1",
      spotifyUrl: "https://open.spotify.com/episode/1",
      appleUrl: "https://podcasts.apple.com/1",
      transcript: "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n",
      chapters: [{ start: 0, title: "Opening", url: null }],
      people: [{ name: "Imogen", role: "host", group: "cast", href: null }],
      soundbites: [{ start: 3.5, duration: 20, title: "The point" }],
      funding: [{ url: "https://example.com/support", text: "Chip in" }],
      places: [{ name: "Sydney", rel: "creator", geo: "-33.91,151.16", osm: "R5750005", country: "AU" }],
      alternates: [{ url: `/media/${smaller.key}`, title: "Smaller" }],
      discussions: [
        {
          protocol: "activitypub",
          url: "https://social.example/@imogen/1",
          account: "@imogen@social.example",
        },
      ],
      generated: [{ field: "title", model: "llama-3" }],
    } as const;
    const { id } = await (
      await owner.api.episodes.$post({
        json: structuredClone(input) as unknown as Parameters<typeof createEpisode>[1],
      })
    ).json();
    expect((await readEpisodeForEdit(ownerContext(), id)).values).toEqual(input);
  });

  test("the duration is read from the audio file, not the form", async () => {
    const audio = await storedAudio({ durationSeconds: 61.6 });
    const { id } = await createEpisode(
      ownerContext(),
      anEpisode({ audioFileId: audio.id, durationSeconds: 5 }),
    );
    expect((await readEpisodeForEdit(ownerContext(), id)).values.durationSeconds).toBe(62);
  });

  test("PATCH changes only the given fields", async () => {
    const { id } = await createEpisode(ownerContext(), anEpisode({ description: "Kept", seasonNumber: 3 }));
    const answer = await owner.api.episodes[":id"].$patch({
      param: { id: String(id) },
      json: { title: "Renamed" },
    });
    expect(answer.status).toBe(200);
    const thing = await answer.json();
    expect(await readEpisodeForEdit(ownerContext(), id)).toMatchObject(thing);
    expect(thing.values).toMatchObject({
      title: "Renamed",
      description: "Kept",
      seasonNumber: 3,
    });
  });

  test("a change based on an older version is refused, and the newer one remains", async () => {
    const { id } = await createEpisode(ownerContext(), anEpisode());
    const { updatedAt } = await readEpisodeForEdit(ownerContext(), id);
    const change = (json: { description?: string; showNotes?: string }) =>
      owner.api.episodes[":id"].$patch({ param: { id: String(id) }, json: { ...json, basedOn: updatedAt } });
    expect((await change({ description: "The first tab" })).status).toBe(200);
    const second = await change({ description: "", showNotes: "The second tab" });
    expect(second.status).toBe(409);
    expect((await readEpisodeForEdit(ownerContext(), id)).values).toMatchObject({
      description: "The first tab",
      showNotes: "",
    });
  });

  test("the guid is the same after every change", async () => {
    const { id } = await createEpisode(ownerContext(), anEpisode(), "an-imported:guid/1");
    await updateEpisode(ownerContext(), id, { title: "Changed", slug: "changed-guid-test" });
    expect((await readEpisodeForEdit(ownerContext(), id)).guid).toBe("an-imported:guid/1");
  });

  test("a slug that exists is refused beside its field, and nothing is written", async () => {
    await createEpisode(ownerContext(), anEpisode({ slug: "taken" }));
    const before = (await listEpisodes(ownerContext())).items.length;
    const answer = await owner.api.episodes.$post({ json: anEpisode({ slug: "taken" }) });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { code: "conflict", field: "slug" } });
    expect((await listEpisodes(ownerContext())).items.length).toBe(before);
  });

  test.each([
    ["no title", { title: " " }, "title"],
    ["a malformed slug", { slug: "Bad Slug" }, "slug"],
    ["a link that is none", { youtubeUrl: "javascript:alert(1)" }, "youtubeUrl"],
    ["an episode number that is no whole number", { episodeNumber: 1.5 }, "episodeNumber"],
    ["a title beyond its limit", { title: "x".repeat(256) }, "title"],
    ["a soundbite that is too short", { soundbites: [{ start: 0, duration: 3 }] }, "soundbites.0.duration"],
  ])("%s is refused beside its field", async (_name, change, field) => {
    const json = { ...anEpisode(), ...change } as never;
    const answer = await owner.api.episodes.$post({ json });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { code: "invalid", field } });
  });

  test("an unknown field is refused", async () => {
    const answer = await owner.api.episodes.$post({ json: { ...anEpisode(), colour: "red" } as never });
    expect(answer.status).toBe(422);
  });

  test("what is not JSON is answered 400", async () => {
    const init = {
      method: "POST",
      headers: { cookie: owner.cookie, "content-type": "application/json" },
      body: "{",
    };
    expect((await fetchSite("/api/admin/episodes", init)).status).toBe(400);
    const form = { ...init, headers: { cookie: owner.cookie, "content-type": "text/plain" } };
    expect((await fetchSite("/api/admin/episodes", form)).status).toBe(400);
  });

  test("a picture as audio is refused beside its field", async () => {
    const image = await storedImage();
    const refused = createEpisode(ownerContext(), anEpisode({ audioFileId: image.id }));
    await expect(refused).rejects.toMatchObject({ code: "invalid", field: "audioFileId" });
  });

  test("a deleted episode is missing, and deleting it again is a 404", async () => {
    const { id } = await publishedEpisode();
    await deleteEpisode(ownerContext(), id);
    await expect(readEpisode(visitorContext(), id)).rejects.toMatchObject({ code: "not_found" });
    await expect(deleteEpisode(ownerContext(), id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("an id is never used again", async () => {
    const { id } = await createEpisode(ownerContext(), anEpisode());
    await deleteEpisode(ownerContext(), id);
    const next = await createEpisode(ownerContext(), anEpisode());
    expect(next.id).toBeGreaterThan(id);
  });

  test.each(["visitor", "user"] as const)("a %s may not write or read drafts", async (who) => {
    const { api } = await signedIn(who === "visitor" ? undefined : "user");
    const status = who === "visitor" ? 401 : 403;
    expect((await api.episodes.$post({ json: anEpisode() })).status).toBe(status);
    expect((await api.episodes.$get({ query: {} })).status).toBe(status);
    expect((await api.show.$get()).status).toBe(status);
    expect((await api.episodes[":id"].$delete({ param: { id: "1" } })).status).toBe(status);
  });
});

describe("chapters and soundbites", () => {
  const at = (start: number, title = `At ${start}`) => ({ start, title, url: null });
  const bite = (start: number, duration = 20) => ({ start, duration, title: "" });
  const saved = async (change: Partial<NewEpisode>) =>
    (await createEpisode(ownerContext(), anEpisode(change))).values;

  test("are saved in their order", async () => {
    const values = await saved({ chapters: [at(70), at(0), at(5.5)], soundbites: [bite(40), bite(0)] });
    expect(values.chapters.map(({ start }) => start)).toEqual([0, 5.5, 70]);
    expect(values.soundbites.map(({ start }) => start)).toEqual([0, 40]);
  });

  test.each([
    [
      { chapters: [at(0), at(3725, "The end")] },
      { field: "chapters.1.start", message: "“The end” starts at 1:02:05, but the episode ends at 1:30." },
    ],
    [
      { chapters: [at(5, "One"), at(9), at(5, "Two")] },
      { field: "chapters", message: "“One” and “Two” both start at 0:05." },
    ],
    [
      { soundbites: [bite(10), bite(75)] },
      {
        field: "soundbites.1.duration",
        message: "The soundbite at 1:15 ends at 1:35, but the episode ends at 1:30.",
      },
    ],
  ])("beyond the episode's end or twice at one time are refused: %j", async (change, refusal) => {
    const audioFileId = (await storedAudio({ durationSeconds: 89.9 })).id;
    await expect(saved({ ...change, audioFileId })).rejects.toMatchObject({ code: "invalid", ...refusal });
  });

  test("are not beyond an end that is not known", async () => {
    expect((await saved({ chapters: [at(90_000)] })).chapters).toHaveLength(1);
  });

  test("from before they were checked do not keep the rest from being saved", async () => {
    const { id } = await createEpisode(ownerContext(), anEpisode({ durationSeconds: 60 }));
    const chapters = [at(300), at(300)];
    await ownerContext().db.update(episodes).set({ chapters }).where(eq(episodes.id, id));
    const { values } = await updateEpisode(ownerContext(), id, { title: "Saved", chapters });
    expect(values).toMatchObject({ title: "Saved", chapters });
    await expect(updateEpisode(ownerContext(), id, { durationSeconds: 90 })).rejects.toMatchObject({
      field: "chapters.0.start",
    });
  });

  test("are asked about again when the audio gets shorter", async () => {
    const long = (await storedAudio({ durationSeconds: 600 })).id;
    const short = (await storedAudio({ durationSeconds: 60 })).id;
    const { id } = await createEpisode(ownerContext(), anEpisode({ audioFileId: long, chapters: [at(300)] }));
    const refused = updateEpisode(ownerContext(), id, { audioFileId: short });
    await expect(refused).rejects.toMatchObject({ field: "chapters.0.start" });
  });
});

describe("show notes", () => {
  const html = async (showNotes: string) => {
    const { id } = await publishedEpisode({ showNotes });
    return (await readEpisode(visitorContext(), id)).showNotesHtml;
  };

  test("a picture on another site becomes a link; one of ours remains", async () => {
    expect(await html("![A map](https://example.com/a.png)")).toBe(
      '<p><a href="https://example.com/a.png">A map</a></p>',
    );
    expect(await html("![A map](/media/uploads/a.png)")).toBe(
      '<p><img src="/media/uploads/a.png" alt="A map" loading="lazy" decoding="async"></p>',
    );
  });

  test.each([
    [
      "0:00 Welcome\n1:05 The turn",
      '<p><a href="?t=0">0:00</a> Welcome\n<a href="?t=65">1:05</a> The turn</p>',
    ],
    ["1:00:01 Far", '<p><a href="?t=3601">1:00:01</a> Far</p>'],
    ["- **[1:05]** – a\n- (1:06) b", /\[<a href="\?t=65">1:05<\/a>\].*\(<a href="\?t=66">1:06<\/a>\) b/s],
    [
      "As she says (1:05, and again (1:06)).",
      '<p>As she says (1:05, and again (<a href="?t=66">1:06</a>)).</p>',
    ],
    ["| Time | |\n| --- | --- |\n| 1:05 | The turn |", '<td><a href="?t=65">1:05</a></td>'],
    ["A  \n1:05 after a break", /<br>\n<a href="\?t=65">/],
  ])("a time that begins a line, or is in brackets, is a link to it: %j", async (notes, expected) => {
    const audioFileId = (await storedAudio({ durationSeconds: 7200 })).id;
    const { id } = await publishedEpisode({ showNotes: notes, audioFileId });
    const { showNotesHtml } = await readEpisode(visitorContext(), id);
    if (typeof expected === "string") expect(showNotesHtml).toContain(expected);
    else expect(showNotesHtml).toMatch(expected);
  });

  test.each([
    "At 1:05 in the afternoon",
    "1:05am",
    "1:075",
    "1:05:06:07",
    "1:60 no",
    "1:31 behind the end of 90 seconds",
    "[1:05](https://example.com)",
    "`1:05`",
    "    1:05 code",
  ])("another is not: %j", async (notes) => expect(await html(notes)).not.toContain("?t="));

  test("a footnote's link leads to its footnote", async () => {
    const notes = await html("A claim.[^1]\n\n[^1]: Its source.");
    const [, target = ""] = /href="#([^"]*fn-1)"/.exec(notes) ?? [];
    expect(notes).toContain(`id="${target}"`);
  });
});

describe("dates", () => {
  test("a due episode can still be edited before the minute's cron: it is published", async () => {
    const at = Date.now() + HOUR;
    const { id } = await createEpisode(ownerContext(), anEpisode({ status: "scheduled", scheduledFor: at }));
    const late = ownerContext({ now: new Date(at + 20_000) });
    const { values } = await readEpisodeForEdit(late, id);
    await updateEpisode(late, id, { ...values, description: "Corrected" });
    expect(await readEpisode(visitorContext(), id)).toMatchObject({
      publishedAt: at,
      description: "Corrected",
    });
  });

  test("publishing sets the date; archiving and publishing again keeps it", async () => {
    const first = new Date(Date.UTC(2026, 3, 1));
    const { id } = await createEpisode(ownerContext({ now: first }), anEpisode({ status: "published" }));
    await updateEpisode(ownerContext(), id, { status: "archived" });
    await updateEpisode(ownerContext(), id, { status: "published" });
    expect((await readEpisode(visitorContext(), id)).publishedAt).toBe(first.getTime());
  });

  test("a publication date in the future is refused", async () => {
    const refused = createEpisode(
      ownerContext(),
      anEpisode({ status: "published", publishedAt: Date.now() + HOUR }),
    );
    await expect(refused).rejects.toMatchObject({ code: "invalid", field: "publishedAt" });
  });

  test.each([null, Date.now() - HOUR])(
    "a scheduled episode needs a time in the future, not %s",
    async (scheduledFor) => {
      const refused = createEpisode(ownerContext(), anEpisode({ status: "scheduled", scheduledFor }));
      await expect(refused).rejects.toMatchObject({ code: "invalid", field: "scheduledFor" });
    },
  );

  test("a scheduled time is stored only while the status is scheduled", async () => {
    const { id } = await createEpisode(
      ownerContext(),
      anEpisode({ status: "draft", scheduledFor: Date.now() + HOUR }),
    );
    expect((await readEpisodeForEdit(ownerContext(), id)).values.scheduledFor).toBeNull();
  });

  test("a scheduled episode is published when it is due, with its scheduled date, and not a minute earlier", async () => {
    await savedShow();
    const at = Date.now() + HOUR;
    const { id } = await createEpisode(ownerContext(), anEpisode({ status: "scheduled", scheduledFor: at }));
    await publishDueEpisodes(jobContext({ now: new Date(at - 60_000) }));
    await expect(readEpisode(visitorContext(), id)).rejects.toMatchObject({ code: "not_found" });
    const before = await feedChangedAt();
    await publishDueEpisodes(jobContext({ now: new Date(at + 30_000) }));
    expect((await readEpisode(visitorContext(), id)).publishedAt).toBe(at);
    expect(await feedChangedAt()).toBeGreaterThan(before);
  });
});
