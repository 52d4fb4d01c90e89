import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { episodes, shows } from "#worker/episodes/table.ts";
import { takeOverShow } from "#worker/imports/feed/after-commands.ts";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import { factNames } from "#worker/imports/feed/contract.ts";
import { readFeedDetails } from "#worker/imports/feed/queries.ts";
import { startImport } from "#worker/imports/import-commands.ts";
import { profiles } from "#worker/profiles/table.ts";
import { fetchSite, jobContext, SITE } from "./support/client.ts";
import { publishComplete } from "./support/complete-podcast.ts";
import { savedShow } from "./support/factories.ts";
import { itemRows, workThrough } from "./support/imports.ts";
import { HOST, mover, movingJob, serve } from "./support/moving.ts";

const { db } = jobContext();
const read = async (path: string) => {
  const response = await fetchSite(path);
  expect(response.status, path).toBe(200);
  return response;
};

/** Serves the site's files at the old host, which then has all of them. */
async function serveAll(xml: string) {
  const links = xml.matchAll(new RegExp(`${SITE}(/(?:media|episode)/[^"<&\\s,]+)`, "g"));
  const paths = new Set(Array.from(links, ([, path]) => path!));
  for (const path of paths) {
    if (/^\/episode\/\d+$/.test(path)) continue;
    const key = path.startsWith("/media/") ? path.slice("/media/".length) : null;
    const object = key === null ? null : await env.MEDIA.get(key);
    if (key !== null && !object) continue;
    const bytes = object ? await object.arrayBuffer() : await (await read(path)).arrayBuffer();
    const type = object?.httpMetadata?.contentType ?? "text/plain";
    await serve({ path, headers: { "Content-Type": type }, bytes: new Uint8Array(bytes).toBase64() });
  }
  const body = xml.replaceAll(SITE, HOST);
  await serve({ path: "/own.xml", headers: { "Content-Type": "application/rss+xml" }, body });
  return `${HOST}/own.xml`;
}

/** Without what a move changes: numbers, and keys of files. An element a line. */
const comparable = (text: string) =>
  text
    .replaceAll(/\/media\/([\w-]+)\/[\da-f-]{36}\//g, "/media/$1/")
    .replaceAll(/\/episode\/\d+/g, "/episode/N")
    .replaceAll(/<lastBuildDate>[^<]*/g, "<lastBuildDate>")
    .split(/(?=<[^/])/)
    .map((line) => line.trim());

test("the feed of another site, imported into an empty one, is the same feed", async () => {
  const before = await publishComplete();
  const xml = await (await read("/rss/podcast.xml")).text();
  const chapters = await (await read(`/episode/${before}/chapters.json`)).json();
  const words = await (await read(`/episode/${before}/transcript.vtt`)).text();
  const url = await serveAll(xml);
  for (const table of [episodes, shows, profiles]) await db.delete(table);
  await savedShow({ title: "New" });

  const { id } = await createFeedImport(mover(), { url });
  const { plan } = await readFeedDetails(mover(), id);
  await takeOverShow(mover(), id, { facts: [...factNames] });
  await startImport(mover(), id);
  await workThrough(id, movingJob());
  const [item] = await itemRows(id);
  const after = Number(item!.result);
  const left = [
    "The link to its old page isn’t imported.",
    "Its feed discloses the use of AI. It is marked; Settings → Transcripts says whether this site discloses it.",
  ];
  expect(plan.problems.map(({ message }) => message)).toEqual(left);
  expect(item!.message).toBe(left.join(" "));
  expect(comparable(await (await read("/rss/podcast.xml")).text())).toEqual(comparable(xml));
  expect(await (await read(`/episode/${after}/chapters.json`)).json()).toEqual(chapters);
  expect(await (await read(`/episode/${after}/transcript.vtt`)).text()).toBe(words);
});
