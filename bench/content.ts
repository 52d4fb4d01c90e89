import { createArticle } from "#worker/articles/commands.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { files } from "#worker/files/table.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import { languageFrom, type Language } from "./language.ts";

const MiB = 1024 * 1024;
/** In milliseconds. */
const MINUTE = 60_000;
export const AUDIO_BYTES = 50 * MiB;
const DAY = 86_400_000;

export type Amounts = { episodes: number; essays: number; press: number };

/** A site that has been written for some years: 2,000 documents to search. */
export const USUAL: Amounts = { episodes: 300, essays: 1000, press: 700 };

const AUDIO_ID = "bench";
const AUDIO_KEY = `podcast-audio/${AUDIO_ID}/long.mp3`;
/** The same bytes, with a type that is not audio. */
const UNCOUNTED_ID = "bench-uncounted";
const UNCOUNTED_KEY = `uploads/${UNCOUNTED_ID}/long.bin`;

/** Adds to the demo, the same each time; returns what the bench asks for. */
export async function seed(env: Env, { episodes, essays, press }: Amounts) {
  const ctx = createContext(env, { actor: { kind: "job", name: "bench" } });
  const language = languageFrom(1);
  const bytes = new Uint8Array(AUDIO_BYTES).fill(7);
  await env.MEDIA.put(AUDIO_KEY, bytes, { httpMetadata: { contentType: "audio/mpeg" } });
  await env.MEDIA.put(UNCOUNTED_KEY, bytes, { httpMetadata: { contentType: "application/octet-stream" } });
  await ctx.db.insert(files).values({
    ...fileRow(ctx, UNCOUNTED_ID),
    key: UNCOUNTED_KEY,
    folder: "uploads",
    name: "long.bin",
    type: "application/octet-stream",
  });
  for (let n = 1; n <= episodes; n++) await addEpisode(ctx, language, n);
  await seedEssays(env, language, 1, essays);
  for (let n = 1; n <= press; n++) await addPressItem(ctx, language, n);
  return {
    episodePath: `/episode/${episodes}`,
    essayPath: `/essays/essay-${essays}`,
    audioPath: `/media/${AUDIO_KEY}`,
    uncountedPath: `/media/${UNCOUNTED_KEY}`,
    language,
  };
}

/** Essays, numbered from and to. */
export async function seedEssays(env: Env, language: Language, from: number, to: number) {
  const ctx = createContext(env, { actor: { kind: "job", name: "bench" } });
  for (let n = from; n <= to; n++) await addEssay(ctx, language, n);
}

async function addEpisode(ctx: Context, language: Language, n: number) {
  const { title, sentences, paragraphs } = language;
  await createEpisode(ctx, {
    title: title(),
    description: sentences(40),
    showNotes: `## Notes\n\n${paragraphs(240)}\n\n- [Link](https://example.com/${n})`,
    status: "published",
    publishedAt: ctx.now.getTime() - n * 7 * DAY,
    episodeNumber: n,
    audioFileId: await addAudio(ctx, n),
    allowDuplicateAudio: true,
    transcript: transcript(language),
  });
}

async function addAudio(ctx: Context, n: number) {
  const id = n === 1 ? AUDIO_ID : crypto.randomUUID();
  await ctx.db.insert(files).values({
    ...fileRow(ctx, id),
    key: n === 1 ? AUDIO_KEY : `podcast-audio/${id}/${n}.mp3`,
    folder: "podcast-audio",
    name: `${n}.mp3`,
    type: "audio/mpeg",
    durationSeconds: 3600,
  });
  return id;
}

const fileRow = ({ now }: Context, id: string) => ({
  id,
  size: AUDIO_BYTES,
  partSize: 8 * MiB,
  status: "complete" as const,
  createdBy: "bench",
  createdAt: now,
  completedAt: now,
});

/** Twenty minutes of talk, as WebVTT. */
function transcript({ sentences }: Language) {
  const cues = Array.from({ length: 240 }, (_, index) => {
    const at = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
    const speaker = index % 6 < 2 ? "A host" : "A guest";
    return `${at(index * 5)} --> ${at(index * 5 + 5)}\n<v ${speaker}>${sentences(13)}`;
  });
  return `WEBVTT\n\n${cues.join("\n\n")}\n`;
}

async function addEssay(ctx: Context, { title, sentences, paragraphs }: Language, n: number) {
  await createArticle(ctx, {
    title: title(),
    slug: `essay-${n}`,
    excerpt: sentences(30),
    content: `${paragraphs(400)}\n\n## ${title()}\n\n${paragraphs(500)}`,
    status: "published",
    publishedAt: ctx.now.getTime() - n * DAY,
    tags: [title().split(" ")[0] ?? "tag"],
    source: n % 4 === 0 ? "linkedin" : "original",
  });
}

/** What of a row no other may have. */
const names = { articles: ["slug", "guid", "source_url"], episodes: ["slug", "guid"] };
const DATE = "published_at";

/** Copies essays or episodes up to this number, each a minute older: a copied row costs the same to read as an original. */
export async function grow({ DB }: Pick<Env, "DB">, table: keyof typeof names, amount: number) {
  const read = <Row>(query: string) => DB.prepare(query).all<Row>();
  const info = await read<{ name: string }>(`select name from pragma_table_info('${table}')`);
  const columns = info.results.map(({ name }) => name).filter((name) => name !== "id");
  const [counted] = (
    await read<{ last: number; count: number }>(`select max(id) as last, count(*) as count from ${table}`)
  ).results;
  let missing = amount - (counted?.count ?? 0);
  for (let copy = 1; missing > 0; copy++) {
    const values = columns.map((name) => {
      if (name === DATE) return `${name} - ${copy * MINUTE}`;
      return names[table].includes(name) ? `${name} || '-copy-${copy}'` : name;
    });
    const { meta } = await read(
      `insert into ${table} (${columns.join(", ")}) select ${values.join(", ")} from ${table}
        where id <= ${counted?.last} and status = 'published' order by id desc limit ${missing}`,
    );
    if (meta.changes === 0) throw new Error(`There is nothing to copy in ${table}.`);
    missing -= await rowsMade(DB, table, copy);
  }
}

/** Triggers count as changes too, so they are counted by name. */
const rowsMade = async (DB: D1Database, table: string, copy: number) =>
  (await DB.prepare(`select count(*) from ${table} where slug like '%-copy-${copy}'`).first<number>(
    "count(*)",
  )) ?? 0;

const addPressItem = (ctx: Context, { title, sentences, paragraphs }: Language, n: number) =>
  createPressItem(ctx, {
    title: title(),
    summary: sentences(30),
    content: paragraphs(200),
    date: new Date(ctx.now.getTime() - n * 7 * DAY).toISOString().slice(0, 10),
  });
