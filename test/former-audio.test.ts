import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, test } from "vitest";
import { fileReferences } from "#worker/nouns/list.ts";
import { deleteEpisode, createEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { restoreEpisode } from "#worker/episodes/restore-commands.ts";
import { media } from "#worker/files/media.ts";
import { sweepFiles } from "#worker/files/library/sweep.ts";
import { router } from "#worker/platform/http/router.ts";
import { listRevisions } from "#worker/revisions/queries.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, ownerContext, signedIn, SITE, visitorContext } from "./support/client.ts";
import { anEpisode, publishedEpisode, storedAudio } from "./support/factories.ts";
import { plansOf } from "./support/plans.ts";
import { byToken, tokenWith } from "./support/tokens.ts";

const DAY = 86_400_000;

/** A recording that consists of this byte. */
const recordingOf = (byte: number) => storedAudio({ bytes: new Uint8Array(2048).fill(byte) });

type Recording = Awaited<ReturnType<typeof recordingOf>>;

async function ask({ key }: Pick<Recording, "key">, init?: RequestInit, search = "") {
  const response = await fetchSite(`/media/${key}${search}`, init);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, leadsTo: leadsTo(response), byte: bytes[0] };
}

const leadsTo = ({ headers }: Response) => headers.get("Location")?.replace(`${SITE}/media/`, "") ?? null;

const replace = (episode: { id: number }, audioFileId: string | null) =>
  updateEpisode(ownerContext(), episode.id, { audioFileId, allowDuplicateAudio: true });

const addressOf = ({ key }: Recording) => `[The first take](/media/${key})`;

let former: Recording;
let current: Recording;
let episode: { id: number };

beforeEach(async () => {
  [former, current] = [await recordingOf(1), await recordingOf(2)];
  episode = await publishedEpisode({ audioFileId: former.id });
  expect(await ask(former)).toMatchObject({ status: 200, byte: 1 });
  await replace(episode, current.id);
});

describe("the address of a replaced recording", () => {
  it("redirects immediately to the current recording, uncached", async () => {
    const { status, leadsTo: to, headers, byte } = await ask(former);
    expect([status, to, byte]).toEqual([302, current.key, undefined]);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(await ask(current)).toMatchObject({ status: 200, byte: 2 });
  });

  it("redirects every kind of request", async () => {
    const object = (await env.MEDIA.head(former.key))!;
    const asked: RequestInit[] = [
      { method: "HEAD" },
      { headers: { Range: "bytes=0-1" } },
      { headers: { Range: "bytes=999999-" } },
      { headers: { Range: "bytes=5-1" } },
      { headers: { Range: "bytes=100-", "If-Range": object.httpEtag } },
      { headers: { "If-None-Match": object.httpEtag } },
      { headers: { "If-Match": '"another"' } },
      { headers: { "If-Modified-Since": new Date(Date.now() + DAY).toUTCString() } },
      { headers: { Origin: "https://player.example" } },
    ];
    for (const init of asked) {
      expect(await ask(former, init), JSON.stringify(init)).toMatchObject({
        status: 302,
        leadsTo: current.key,
      });
    }
    const { headers } = await ask(former, { headers: { Origin: "https://player.example" } });
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    expect(await ask(former, {}, "?download")).toMatchObject({ leadsTo: `${current.key}?download` });
  });

  it("redirects directly to the newest after several replacements", async () => {
    const newest = await recordingOf(3);
    await replace(episode, newest.id);
    expect(await ask(former)).toMatchObject({ status: 302, leadsTo: newest.key });
    expect(await ask(current)).toMatchObject({ status: 302, leadsTo: newest.key });
    expect(await ask(newest)).toMatchObject({ status: 200, byte: 3 });
  });

  it("still redirects after the file was deleted", async () => {
    await sweepFiles(jobContext(), fileReferences);
    await sweepFiles(jobContext({ now: new Date(Date.now() + DAY) }), fileReferences);
    expect(await env.MEDIA.head(former.key)).toBeNull();
    expect(await ask(former)).toMatchObject({ status: 302, leadsTo: current.key });
  });

  it("is served again when the former version is restored", async () => {
    const versions = await listRevisions(ownerContext(), { kind: "episode", item: episode.id });
    const { updatedAt } = await updateEpisode(ownerContext(), episode.id, {});
    await restoreEpisode(ownerContext(), episode.id, versions.items.at(-1)!.id, { basedOn: updatedAt });
    expect(await ask(former)).toMatchObject({ status: 200, byte: 1 });
    expect(await ask(current)).toMatchObject({ status: 302, leadsTo: former.key });
  });

  it("is served while an essay, or another episode, uses the file", async () => {
    const another = await publishedEpisode({ audioFileId: former.id });
    expect(await ask(former)).toMatchObject({ status: 200, byte: 1 });
    await deleteEpisode(ownerContext(), another.id);
    expect(await ask(former)).toMatchObject({ status: 302 });
    await publishedArticle({ content: `Hear it: ${addressOf(former)}` });
    expect(await ask(former)).toMatchObject({ status: 200, byte: 1 });
  });

  it("is changed by no draft, in which an editor can play the file", async () => {
    const token = await tokenWith(["episodes:write", "articles:write", "letters:write"]);
    const post = async (path: string, body: object) => {
      const created = await byToken(token, "POST", path, body);
      expect(created.status).toBe(201);
      return (await created.json<{ id: number }>()).id;
    };
    const publishedAt = Date.now() - DAY;
    const draft = await post("/admin/episodes", anEpisode({ audioFileId: former.id, publishedAt }));
    await post("/admin/articles", { title: "Hear it", content: addressOf(former) });
    await post("/admin/newsletters", { subject: "Hear it", content: addressOf(former) });
    expect(await ask(former)).toMatchObject({ status: 302, leadsTo: current.key });
    const { cookie } = await signedIn("editor");
    const { status, byte, headers } = await ask(former, { headers: { cookie } });
    expect([status, byte, headers.get("Cache-Control")]).toEqual([200, 1, "private, no-store"]);
    const changed = await byToken(token, "PATCH", `/admin/episodes/${draft}`, { audioFileId: null });
    expect(changed.status).toBe(200);
    expect(await ask(former)).toMatchObject({ status: 302, leadsTo: current.key });
  });

  it("redirects to the recording that replaced it while the episode was withdrawn", async () => {
    const newest = await recordingOf(3);
    await updateEpisode(ownerContext(), episode.id, { status: "draft" });
    expect(await ask(current)).toMatchObject({ status: 200, byte: 2 });
    await replace(episode, newest.id);
    expect(await ask(current)).toMatchObject({ status: 404 });
    await updateEpisode(ownerContext(), episode.id, { status: "published" });
    expect(await ask(current)).toMatchObject({ status: 302, leadsTo: newest.key });
    expect(await ask(former)).toMatchObject({ status: 302, leadsTo: newest.key });
  });

  it("is not found while the episode is unpublished, and redirects once it is published again", async () => {
    for (const status of ["draft", "archived"] as const) {
      await updateEpisode(ownerContext(), episode.id, { status });
      expect(await ask(former)).toMatchObject({ status: 404, leadsTo: null, byte: "{".charCodeAt(0) });
    }
    await updateEpisode(ownerContext(), episode.id, { status: "published" });
    expect(await ask(former)).toMatchObject({ status: 302, leadsTo: current.key });
  });

  it("is not found once the episode has no recording, or is deleted", async () => {
    await replace(episode, null);
    expect(await ask(former)).toMatchObject({ status: 404 });
    expect(await ask(current)).toMatchObject({ status: 404 });
    await deleteEpisode(ownerContext(), episode.id);
    const { status, headers } = await ask(former);
    expect([status, headers.get("Cache-Control")]).toEqual([404, "no-store"]);
  });

  it("is found by indexes, one row", async () => {
    const plans = await plansOf(async (ctx) => {
      const app = router()
        .use((c, next) => (c.set("ctx", ctx), next()))
        .route("/media", media);
      await app.request(`${SITE}/media/${former.key}`, undefined, env);
    });
    expect(plans.length).toBeGreaterThan(0);
    // A constant row or a subquery is no table.
    expect(plans.filter((step) => /^SCAN (?!CONSTANT ROW|\()/.test(step))).toEqual([]);
  });
});

test("the replaced recording of a draft that was never published is served", async () => {
  const first = await recordingOf(4);
  const publishedAt = Date.now() - DAY;
  const draft = await createEpisode(ownerContext(), anEpisode({ audioFileId: first.id, publishedAt }));
  await replace(draft, (await recordingOf(5)).id);
  expect(await ask(first)).toMatchObject({ status: 200, byte: 4 });
});

test("an editor can play a replaced recording in the library, uncached; visitors are redirected", async () => {
  const { cookie } = await signedIn("editor");
  const { status, byte, headers } = await ask(former, { headers: { cookie } }, "?former");
  expect([status, byte, headers.get("Cache-Control")]).toEqual([200, 1, "private, no-store"]);
  expect(await ask(former, { headers: { cookie } })).toMatchObject({ status: 302 });
  expect(await ask(former, {}, "?former")).toMatchObject({ status: 302 });
  const user = await signedIn("user");
  expect(await ask(former, { headers: { cookie: user.cookie } }, "?former")).toMatchObject({ status: 302 });
});

test("a recording is served while D1 fails", async () => {
  const broken = visitorContext();
  const { client } = (broken.db as unknown as { session: { client: D1Database } }).session;
  const ctx = {
    ...broken,
    db: Object.assign(Object.create(broken.db), {
      $client: Object.assign(Object.create(client), {
        prepare: () => {
          throw new Error("D1 is down.");
        },
      }),
    }),
  };
  const app = router()
    .use((c, next) => (c.set("ctx", ctx), next()))
    .route("/media", media);
  const response = await app.request(`${SITE}/media/${current.key}`, undefined, env);
  expect([response.status, new Uint8Array(await response.arrayBuffer())[0]]).toEqual([200, 2]);
});
