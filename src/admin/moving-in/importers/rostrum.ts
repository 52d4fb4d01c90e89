import { z } from "zod";
import { keyOfOurs } from "#worker/imports/importers/contract.ts";
import { BadFile, type Zip } from "../zip.ts";
import { timeOf, type ForeignPost, type Read, type Source } from "./export.ts";

/** Bytes, unpacked. */
const MOST_LIST = 100_000_000;
const MOST_POST = 20_000_000;

const CATEGORIES = "essays/categories.json";
const isList = (name: string) => name === CATEGORIES || name.endsWith(`/${CATEGORIES}`);

export const isRostrum = ({ names }: Zip) => names.some(isList);

const moment = z.string().nullable();

/** The imported fields of each article's JSON; see worker/articles/noun.ts. */
const Article = z.object({
  guid: z.string().nullable(),
  address: z.url({ protocol: /^https?$/ }),
  slug: z.string(),
  title: z.string(),
  status: z.enum(["draft", "published", "scheduled", "archived"]),
  publishedAt: moment,
  scheduledFor: moment,
  excerpt: z.string(),
  content: z.string(),
  category: z.string().nullable(),
  tags: z.array(z.string()),
  image: z.string().nullable(),
  imageAlt: z.string(),
  /** Missing in exports before 28 November 2026. */
  imageCaption: z.string().default(""),
  metaTitle: z.string(),
  metaDescription: z.string(),
  sourceUrl: z.string().nullable(),
});
type Article = z.infer<typeof Article>;

const Categories = z.array(
  z.object({ name: z.string(), slug: z.string(), description: z.string(), color: z.string() }),
);
const FormerAddresses = z.array(z.object({ from: z.string(), to: z.string() }));

/**
 * The zip that another Rostrum exports (Settings, Export).
 * @throws {BadFile}
 */
export async function openRostrum(zip: Zip, fileName: string): Promise<Source> {
  // A zip that was unpacked and packed again has an additional folder.
  const folder = zip.names.find(isList)!.slice(0, -CATEGORIES.length);
  const inFolder = zip.names
    .filter((name) => name.startsWith(folder))
    .map((name) => name.slice(folder.length));
  const unpack = (name: string, most: number) => zip.unpack(folder + name, most);
  const listOf = async <T>(name: string, schema: z.ZodType<T>): Promise<T> => {
    const read = inFolder.includes(name)
      ? jsonOf(schema, await (await unpack(name, MOST_LIST)).text())
      : null;
    if (read === null) throw new BadFile(`The ${name} in this zip couldn’t be read.`);
    return read;
  };
  const articleIn = async (name: string) => jsonOf(Article, await (await unpack(name, MOST_POST)).text());
  const posts = inFolder.filter((name) => /^essays\/\d+(?:-[^/]*)?\.json$/.test(name));
  const categories = await listOf(CATEGORIES, Categories);
  const moves = Map.groupBy(await listOf("essays/former-addresses.json", FormerAddresses), ({ to }) => to);
  const siteUrl = await firstOf(posts, async (name) => siteOf(await articleIn(name)));
  return {
    place: "rostrum",
    fileName,
    siteUrl: () => siteUrl,
    needsSite: false,
    lists: inFolder.includes("subscribers.csv")
      ? [new File([await unpack("subscribers.csv", MOST_LIST)], "subscribers.csv", { type: "text/csv" })]
      : [],
    categories,
    remarks: () =>
      inFolder.includes("podcast/show.json") && siteUrl !== null
        ? [`To move the podcast, use its feed, ${siteUrl}/rss/podcast.xml: Podcast ▸ Move a podcast here.`]
        : [],
    close: () => zip.close(),
    async *read(onProgress) {
      for (const [index, name] of posts.entries()) {
        onProgress(index / posts.length);
        const article = await articleIn(name);
        yield article === null
          ? { leftOut: { title: name, why: "Its file couldn’t be read" } }
          : readPost(article, moves.get(`/essays/${article.slug}`) ?? []);
      }
    },
  };
}

function jsonOf<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    console.error(error);
    return null;
  }
}

async function firstOf<T>(names: string[], read: (name: string) => Promise<T | null>) {
  for (const name of names) {
    const found = await read(name);
    if (found !== null) return found;
  }
  return null;
}

const siteOf = (article: Article | null) => (article ? new URL(article.address).origin : null);

function readPost(article: Article, moves: { from: string }[]): Read {
  const { guid, address, slug, title, excerpt, content, category, tags, image, imageAlt, imageCaption } =
    article;
  return {
    post: {
      key: keyOfOurs(guid ?? address),
      kind: "post",
      title,
      slug,
      ...stateOf(article),
      excerpt,
      text: { markdown: content },
      tags,
      categories: category === null ? [] : [category],
      image: image === null ? null : { url: image, alt: imageAlt, caption: imageCaption },
      metaTitle: article.metaTitle,
      metaDescription: article.metaDescription,
      sourceUrl: article.sourceUrl,
      authors: [],
      guid,
      addresses: [`/essays/${slug}`, ...moves.map(({ from }) => from)],
    },
  };
}

function stateOf({
  status,
  publishedAt,
  scheduledFor,
}: Article): Pick<ForeignPost, "status" | "at" | "notes"> {
  if (status === "archived")
    return {
      status: "draft",
      at: timeOf(publishedAt),
      notes: ["It was archived, so it’s imported as a draft."],
    };
  return { status, at: timeOf(status === "scheduled" ? scheduledFor : publishedAt), notes: [] };
}
