import { attributeOf, childrenOf, readChannel, refusal, type Node } from "#worker/imports/feed/document.ts";
import { ask, bytesOf, HostError } from "#worker/imports/feed/download.ts";
import { decodeText, unpacked } from "#worker/imports/feed/text.ts";
import type { Context } from "#worker/platform/context.ts";

/** Bytes of one document, packed or not. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Documents of one feed, and milliseconds for all of them. */
const MOST_PAGES = 100;
const MOST_MS = 100_000;

/**
 * The pages of a feed, one after the other: each document leads to the next (RFC 5005).
 * @throws `invalid` beside the address where it cannot be read
 */
export async function* readPages(ctx: Context, address: string): AsyncGenerator<Node> {
  const seen = new Set<string>();
  const end = ctx.clock().getTime() + MOST_MS;
  for (let url: string | null = address; url !== null;) {
    if (seen.size >= MOST_PAGES || ctx.clock().getTime() > end)
      throw refusal("The feed has too many pages, or its host is too slow. Try again later.");
    seen.add(url);
    const channel: Node = readChannel(await readDocument(ctx, url));
    yield channel;
    const next: string | null = nextOf(channel, url);
    url = next !== null && !seen.has(next) ? next : null;
  }
}

async function readDocument(ctx: Context, url: string) {
  try {
    const answer = await ask(ctx, url, {
      headers: { Accept: "application/rss+xml, application/xml, */*;q=0.5" },
    });
    const type = answer.response.headers.get("Content-Type");
    const bytes = await unpacked(await bytesOf(answer, MOST_BYTES), MOST_BYTES);
    if (bytes.length === 0) throw refusal("The feed is empty.");
    return decodeText(bytes, type);
  } catch (error) {
    if (error instanceof HostError) throw refusal(`The feed couldn’t be read. ${error.message}`);
    throw error;
  }
}

/** Archives lead back, pages lead on. */
const RELATIONS = ["next", "prev-archive"];

function nextOf(channel: Node, base: string) {
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
