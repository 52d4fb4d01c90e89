import { api, readJson } from "#site/api.ts";
import { ITEMS_A_REQUEST, type LinkedInPost, type NewItem } from "#worker/imports/contract.ts";
import { sendUntilAnswered } from "../retry.ts";
import { itemKeyOf } from "./item-key.ts";
import type { Post } from "./post.ts";

/** Characters of one request's items, far from what the API takes. */
const MOST_CHARACTERS = 1_000_000;

/** What the posts become. */
export type ImportedAs = "draft" | "published";

type Options = {
  as: ImportedAs;
  signal: AbortSignal;
  /** The import may run, and end, before the answer to its start is here. */
  onCreated: (id: number) => void;
};

/** Submits posts to be imported, each by itself; the page may be closed once it is done. */
export async function startImport(source: string, posts: Post[], { as, signal, onCreated }: Options) {
  const again = { signal, onWaiting: () => {} };
  const { id } = await readJson(api.imports.$post({ json: { kind: "linkedin", source } }));
  onCreated(id);
  const param = { id: String(id) };
  for (const items of requestsOf(await Promise.all(posts.map((post) => toItem(post, as)))))
    await sendUntilAnswered(
      () => readJson(api.imports[":id"].items.$post({ param, json: { items } })),
      again,
    );
  await readJson(api.imports[":id"].start.$post({ param, query: {} }));
}

async function toItem(post: Post, status: ImportedAs): Promise<NewItem> {
  const {
    title,
    excerpt,
    content,
    sourceUrl,
    originalPublishedAt,
    isForConnections,
    urn,
    engagement,
    image,
  } = post;
  const payload: LinkedInPost = {
    title,
    excerpt,
    content,
    sourceUrl,
    originalPublishedAt,
    isForConnections,
    status,
    urn,
    engagement,
    image,
  };
  return { key: await itemKeyOf(post), title, payload };
}

function requestsOf(items: NewItem[]) {
  const requests: NewItem[][] = [];
  let size = Infinity;
  for (const item of items) {
    const length = JSON.stringify(item).length;
    if (size + length > MOST_CHARACTERS || requests.at(-1)!.length >= ITEMS_A_REQUEST) {
      requests.push([]);
      size = 0;
    }
    requests.at(-1)!.push(item);
    size += length;
  }
  return requests;
}
