import { readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { eq, isNull } from "drizzle-orm";
import { parse } from "yaml";
import { getPlatformProxy } from "wrangler";
import { users } from "#worker/accounts/table.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { listEpisodes } from "#worker/episodes/owner-queries.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { completeUpload, createUpload, uploadPart } from "#worker/files/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import type { NewEpisode, ShowInput } from "#worker/episodes/contract.ts";
import type { FileFolder } from "#worker/files/contract.ts";
import { handlers } from "#worker/jobs.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { settings } from "#worker/settings/table.ts";
import { migrate } from "../scripts/migrations.ts";
import { loadAnalytics } from "./analytics.ts";
import { loadArticles } from "./articles.ts";
import { loadCampaigns } from "./campaigns.ts";
import { loadEngagements } from "./engagements.ts";
import { loadPress } from "./press.ts";
import { loadPages } from "./pages.ts";
import { loadSocialPosts } from "./social.ts";
import { loadVentures } from "./ventures.ts";

const here = import.meta.dirname;
const read = (path: string) => readFileSync(join(here, path), "utf8");

/** Fills an empty local site through the same use cases that the admin area calls. Runs only once for each site. */
async function loadDemo(ctx: Context) {
  if (await isTaken(ctx)) return;
  console.log("Loading the demo: one show and its episodes.");
  await updateSite(ctx, JSON.parse(read("site.json")));
  await loadPages(ctx);
  await loadVentures(ctx);
  await loadShow(ctx);
  for (const file of readdirSync(join(here, "episodes")).toSorted())
    await loadEpisode(ctx, `episodes/${file}`);
  await loadArticles(ctx, upload);
  await loadPress(ctx);
  await loadCampaigns(ctx);
  await loadEngagements(ctx);
  await loadSocialPosts(ctx);
  await deliverAll(ctx);
  await loadAnalytics(ctx);
  await ctx.db.update(settings).set({ demoLoadedAt: ctx.now }).where(eq(settings.id, 1));
}

/** No queue runs here, so the jobs that the uploads added, such as pictures' copies, run immediately. */
async function deliverAll(ctx: Context) {
  const open = await ctx.db.select({ id: outbox.id }).from(outbox).where(isNull(outbox.doneAt));
  // In parallel: the copies of one picture take a core several seconds.
  const deliverNext = async () => {
    for (let row = open.pop(); row; row = open.pop()) await deliverOutbox(ctx, row.id, handlers);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, deliverNext));
}

/** The demo was loaded before, or the owner has moved in. */
async function isTaken({ db }: Context) {
  const [[site], [user]] = await db.batch([
    db.select({ demoLoadedAt: settings.demoLoadedAt }).from(settings),
    db.select({ id: users.id }).from(users).limit(1),
  ]);
  return Boolean(site?.demoLoadedAt ?? user);
}

type Show = Omit<ShowInput, "updateFrequency"> & {
  artwork: string;
  updateFrequency: { text: string; rrule: string };
};

async function loadShow(ctx: Context) {
  const { artwork, updateFrequency, ...show } = JSON.parse(read("show.json")) as Show;
  await updateShow(ctx, {
    ...show,
    locked: true,
    updateFrequency: updateFrequency.text,
    updateRule: updateFrequency.rrule,
    appleVerification: "",
    artworkFileId: await upload(ctx, artwork, "podcast-images"),
  });
}

type FrontMatter = Omit<NewEpisode, "publishedAt" | "transcript" | "chapters"> & {
  slug: string;
  season: number;
  episode: number;
  publishedAt: string;
  audio: string;
  image: string;
  transcript?: string;
  chapters?: string;
};

async function loadEpisode(ctx: Context, path: string) {
  const [, head = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(read(path)) ?? [];
  const { season, episode, publishedAt, audio, image, transcript, chapters, ...rest } = parse(
    head,
  ) as FrontMatter;
  if (await isLoaded(ctx, rest.slug)) return;
  await createEpisode(ctx, {
    ...rest,
    status: "published",
    seasonNumber: season,
    episodeNumber: episode,
    publishedAt: new Date(publishedAt).getTime(),
    showNotes: body.trim(),
    audioFileId: await upload(ctx, audio, "podcast-audio"),
    imageFileId: await upload(ctx, image, "podcast-images"),
    transcript: transcript ? read(transcript) : "",
    chapters: chapters ? readChapters(chapters) : [],
  });
}

/** An earlier load may have been interrupted. */
async function isLoaded(ctx: Context, slug: string) {
  const { items } = await listEpisodes(ctx);
  return items.some((episode) => episode.slug === slug);
}

function readChapters(path: string) {
  const { chapters } = JSON.parse(read(path)) as { chapters: { startTime: number; title: string }[] };
  return chapters.map(({ startTime, title }) => ({ start: startTime, title, url: null }));
}

async function upload(ctx: Context, path: string, folder: FileFolder) {
  const bytes = readFileSync(join(here, path));
  const { id, partSize, parts } = await createUpload(ctx, {
    name: basename(path),
    type: "",
    size: statSync(join(here, path)).size,
    folder,
  });
  for (let number = 1; number <= parts; number++) {
    const part = bytes.subarray((number - 1) * partSize, number * partSize);
    await uploadPart(ctx, { id, number, body: new Blob([part]).stream() });
  }
  return (await completeUpload(ctx, id)).id;
}

const [state = ".wrangler/state"] = process.argv.slice(2);
const { env, dispose } = await getPlatformProxy<Env>({
  persist: { path: join(state, "v3") },
  remoteBindings: false,
});
try {
  await migrate(env.DB);
  await loadDemo(createContext(env, { actor: { kind: "job", name: "demo" } }));
} finally {
  await dispose();
}
