import { requireCapability } from "#worker/access/capabilities.ts";
import { SiteDocument, type FetchedDocument } from "#worker/imports/importers/contract.ts";
import { ask, bytesOf, HostError } from "#worker/imports/feed/download.ts";
import { decodeText, unpacked } from "#worker/imports/feed/text.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/** Bytes of one document, packed or not. */
const MOST_BYTES = 16 * 1024 * 1024;
const ACCEPT =
  "application/json, application/rss+xml, application/atom+xml, application/xml, text/html;q=0.9";
/** As WordPress answers beyond its last page, and sites without its API. */
const NOTHING = [400, 404, 410];

/**
 * Fetches a public document of the articles' old site: a page of WordPress's API, a feed, or a page that links to one.
 * Browsers cannot, because few sites allow cross-origin requests. `text` is null if the site has no such document.
 * @throws `unauthenticated`, `forbidden`; `invalid` beside the address if there is no response
 */
export async function fetchSiteDocument(ctx: Context, input: SiteDocument): Promise<FetchedDocument> {
  requireCapability("edit", ctx);
  const { url } = parseInput(SiteDocument, input);
  try {
    const answer = await ask(ctx, url, { headers: { Accept: ACCEPT }, accepted: [200, ...NOTHING] });
    const { status, headers } = answer.response;
    const bytes = await bytesOf(answer, MOST_BYTES);
    if (status !== 200) return { text: null };
    return { text: decodeText(await unpacked(bytes, MOST_BYTES), headers.get("Content-Type")) };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new AppError("invalid", `The site couldn’t be read. ${error.message}`, { field: "url" });
  }
}
