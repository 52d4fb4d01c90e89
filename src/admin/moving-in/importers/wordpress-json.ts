import { z } from "zod";
import { BadFile } from "../zip.ts";
import { apart, breathe, EPISODE, timeOf, type ForeignPost, type Read, type Source } from "./export.ts";

/** Bytes of one file, which is read as a whole. */
const MOST = 300_000_000;
/** Posts between two pauses. */
const AT_ONCE = 50;

const Rendered = z.object({ rendered: z.string(), protected: z.boolean().default(false) });
const Term = z.object({ name: z.string(), taxonomy: z.string() });

/** A post as WordPress's REST API shows it, at /wp-json/wp/v2/posts. */
const Post = z.object({
  id: z.int(),
  date_gmt: z.string().nullish(),
  date: z.string().nullish(),
  guid: Rendered.nullish(),
  slug: z.string().default(""),
  status: z.string().default(""),
  type: z.string().default("post"),
  link: z.string().default(""),
  title: Rendered,
  content: Rendered,
  excerpt: Rendered.nullish(),
  sticky: z.boolean().default(false),
  featured_media: z.int().default(0),
  _embedded: z
    .object({
      author: z
        .array(z.object({ name: z.string() }))
        .catch([])
        .default([]),
      "wp:featuredmedia": z
        .array(z.object({ source_url: z.string(), alt_text: z.string().default("") }))
        .catch([])
        .default([]),
      "wp:term": z.array(z.array(Term)).catch([]).default([]),
    })
    .optional(),
});
type Post = z.infer<typeof Post>;

/** Whether a JSON text begins as such an answer does. */
export const isWordPressJson = (beginning: string) =>
  /^\s*\[\s*\{/.test(beginning) && /"rendered"\s*:/.test(beginning);

/**
 * Responses of WordPress's REST API, for owners without an export: one file for each hundred posts.
 * @throws {BadFile}
 */
export async function openWordPressJson(files: File[]): Promise<Source> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MOST) throw new BadFile("These files are larger than 300 MB, the most that can be read.");
  const rows = (await Promise.all(files.map(rowsOf))).flat();
  const firstLink = rows
    .map((row) => (row as { link?: unknown }).link)
    .find((link) => typeof link === "string");
  return {
    place: "wordpress",
    fileName: files[0]!.name,
    siteUrl: () => URL.parse(String(firstLink ?? ""))?.origin ?? null,
    needsSite: false,
    lists: [],
    remarks: () => [
      "WordPress’s API shows only what is public: drafts aren’t in it, nor is the text of what has a password.",
    ],
    close: async () => {},
    async *read(onProgress) {
      for (const [index, row] of rows.entries()) {
        if (index % AT_ONCE === 0) await breathe();
        onProgress(index / rows.length);
        yield readPost(row);
      }
    },
  };
}

async function rowsOf(file: File): Promise<unknown[]> {
  try {
    const read: unknown = JSON.parse(await file.text());
    if (Array.isArray(read)) return read;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new BadFile(`This JSON can’t be read, or is cut off: ${file.name}.`);
}

function readPost(row: unknown): Read {
  const { data: post, error } = Post.safeParse(row);
  if (error) return { leftOut: { title: titleOf(row), why: "It isn’t a post as WordPress’s API shows it" } };
  const { author = [], "wp:featuredmedia": media = [], "wp:term": terms = [] } = post["_embedded"] ?? {};
  const named = (taxonomy: string) =>
    terms
      .flat()
      .filter((term) => term.taxonomy === taxonomy && !/^uncategori[sz]ed$/i.test(term.name))
      .map(({ name }) => name);
  const url = URL.parse(post.link);
  const audio = audioOf(post, url);
  const number = `/?${post.type === "page" ? "page_id" : "p"}=${post.id}`;
  return apart({
    post: {
      key: `wordpress ${post.guid?.rendered ?? post.link} ${post.id}`.slice(0, 500),
      kind: post.type === "page" ? "page" : "post",
      title: post.title.rendered,
      slug: post.slug,
      ...stateOf(post, media.length, audio ? [EPISODE] : []),
      excerpt: excerptOf(post),
      text: { html: post.content.rendered },
      categories: named("category"),
      tags: [...named("post_tag"), ...named("category")],
      image: media[0] ? { url: media[0].source_url, alt: media[0].alt_text } : null,
      metaTitle: "",
      metaDescription: "",
      sourceUrl: null,
      authors: author.map(({ name }) => name),
      guid: post.guid?.rendered ?? null,
      addresses: [...(url && url.pathname !== "/" ? [url.pathname] : []), number],
      ...(audio && { audio }),
    },
  });
}

const titleOf = (row: unknown) => {
  const { data } = z.object({ title: Rendered }).safeParse(row);
  return data?.title.rendered ?? "";
};

/** WordPress generates an excerpt from the first words if the author wrote none. */
const excerptOf = ({ excerpt }: Post) =>
  excerpt && !/\[(?:…|&hellip;|&#8230;)\]|more-link/.test(excerpt.rendered) ? excerpt.rendered : "";

/** PowerPress and Seriously Simple Podcasting put their players into the text that is shown. */
const PLAYER = /class="[^"]*\b(?:powerpress_(?:player|links)|podcast_player|podcast_meta|castos-player)\b/;

function audioOf({ content: { rendered }, type }: Post, url: URL | null): ForeignPost["audio"] | null {
  if (type !== "podcast" && !PLAYER.test(rendered)) return null;
  const [, sound = null] = /<(?:audio|source)\b[^>]*\bsrc="([^"]+)"/i.exec(rendered) ?? [];
  const address = sound ?? /<a\b[^>]*\bhref="([^"]+\.(?:mp3|m4a|ogg)[^"]*)"/i.exec(rendered)?.[1] ?? null;
  return { url: address?.replaceAll("&amp;", "&") ?? null, feed: url ? `${url.origin}/feed/podcast/` : null };
}

function stateOf(post: Post, media: number, said: string[]): Pick<ForeignPost, "status" | "at" | "notes"> {
  const at = timeOf(post.date_gmt) ?? timeOf(post.date);
  const notes = [
    ...said,
    ...(post.sticky ? ["It was pinned to the top, which isn’t kept."] : []),
    ...(post.featured_media > 0 && media === 0 ? [NO_PICTURE] : []),
  ];
  const asDraft = (why: string) => ({
    status: "draft" as const,
    at,
    notes: [`${why}, so it’s imported as a draft.`, ...notes],
  });
  if (post.content.protected) return asDraft("It was password-protected");
  switch (post.status) {
    case "publish":
      return { status: "published", at, notes };
    case "future":
      return { status: "scheduled", at, notes };
    case "draft":
      return { status: "draft", at: null, notes };
    default:
      return asDraft(
        post.status === "private" ? "It was private" : `Its status was “${post.status.slice(0, 40)}”`,
      );
  }
}

const NO_PICTURE = "Its picture isn’t in the file: ask the API for it with &_embed.";
