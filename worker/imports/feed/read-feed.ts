import { readChannel, refusal } from "#worker/imports/feed/document.ts";
import { attributeOf, childrenOf, type Node } from "#worker/imports/feed/node.ts";
import { ask, bytesOf, HostError } from "#worker/imports/feed/download.ts";
import type { MissingPage } from "#worker/imports/feed/contract.ts";
import { decodeText, unpacked } from "#worker/imports/feed/text.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Bytes of one document, packed or not. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Documents of one feed, and milliseconds for all of them. */
const MOST_PAGES = 100;
const MOST_MS = 100_000;

/** A page of a feed; or one that could not be read, behind which there may be more. */
export type FeedPage = { channel: Node } | { missing: MissingPage };

/**
 * The pages of a feed, one after the other: each document leads to the next (RFC 5005). One that cannot be read is the last.
 * @throws `invalid` beside the address where the first cannot be read
 */
export async function* readPages(ctx: Context, address: string): AsyncGenerator<FeedPage> {
  const seen = new Set<string>();
  const end = ctx.clock().getTime() + MOST_MS;
  let next: string | null = address;
  while (next !== null && !seen.has(next)) {
    const url: string = next;
    if (seen.size >= MOST_PAGES || ctx.clock().getTime() > end)
      return yield { missing: { url, why: "The feed has too many pages, or its host is too slow." } };
    seen.add(url);
    try {
      const channel: Node = await readPage(ctx, url);
      yield { channel };
      next = nextOf(channel);
    } catch (error) {
      const why = error instanceof HostError || error instanceof AppError ? error.message : null;
      if (why === null) throw error;
      if (seen.size > 1) return yield { missing: { url, why } };
      if (!(error instanceof HostError)) throw error;
      throw refusal(`The feed couldn’t be read. ${why}${error.isTemporary ? " Try again later." : ""}`);
    }
  }
}

/** @throws {HostError}; `invalid` */
async function readPage(ctx: Context, address: string) {
  const answer = await ask(ctx, address, {
    headers: { Accept: "application/rss+xml, application/atom+xml, application/xml, */*;q=0.5" },
  });
  const type = answer.response.headers.get("Content-Type");
  const bytes = await unpacked(await bytesOf(answer, MOST_BYTES), MOST_BYTES);
  if (bytes.length === 0) throw refusal("The feed is empty.");
  return readChannel(decodeText(bytes, type), answer.url);
}

/** Archived feeds link to previous documents, paged ones to the next. */
const RELATIONS = ["next", "prev-archive"];

function nextOf(channel: Node) {
  const base = attributeOf(channel, "xml:base");
  const links = Object.keys(channel)
    .filter((name) => /(?:^|:)link$/.test(name))
    .flatMap((name) => childrenOf(channel, name));
  for (const relation of RELATIONS) {
    const link = links.find((each) => attributeOf(each, "rel") === relation);
    const url = URL.parse(attributeOf(link, "href"), base);
    if (link && url) return url.href;
  }
  return null;
}
