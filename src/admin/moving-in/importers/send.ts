import { MAX_PAYLOAD, NewItem } from "#worker/imports/contract.ts";
import { MovedArticle, type MovedEpisode } from "#worker/imports/importers/contract.ts";
import { inWords } from "#worker/platform/contract.ts";
import type { ParseHtml } from "./convert.ts";
import { authorNotes, breathe, withDate, type Source } from "./export.ts";
import { comingOf, joinedOf, pathsOf, statusOf, type Choice, type Plan } from "./choice.ts";
import { MOST_NOTES, toArticle } from "./to-article.ts";

/** Articles that are made between two pauses. */
const AT_ONCE = 5;

type Options = {
  choice: Choice;
  siteUrl: string | null;
  parse: ParseHtml;
  categories: { id: number; name: string }[];
  signal: AbortSignal;
  onProgress: (part: number) => void;
};

/** Of what cannot be sent, its title and why. */
export type Unsent = { title: string; why: string };

/**
 * Reads an export again and yields the chosen items. Pages become drafts. Items that the server would refuse are added
 * to `unsent`.
 * @throws {NothingSent}
 */
export async function* chosenItems(
  source: Source,
  plan: Plan,
  options: Options,
  unsent: Unsent[],
): AsyncGenerator<NewItem> {
  const { choice, siteUrl, parse, categories, signal } = options;
  const coming = new Map(comingOf(plan, choice).map((row) => [row.key, row]));
  const inFolder = (addresses: string[]) => addresses.map((address) => folderOf(source, siteUrl) + address);
  const rows = plan.rows.map((row) => ({ ...row, addresses: inFolder(row.addresses) }));
  const pathHere = pathsOf({ rows }, choice);
  const joined = joinedOf(plan, choice);
  for (const row of joined)
    yield {
      key: row.key,
      title: row.title || "Untitled",
      payload: addressesOf(row, inFolder(row.addresses)),
    };
  let sent = joined.length;
  let made = 0;
  for await (const read of source.read(options.onProgress)) {
    if (signal.aborted) return;
    const row = "post" in read ? coming.get(read.post.key) : undefined;
    if (!row || !("post" in read)) continue;
    // If the export has an item twice, the first is imported.
    coming.delete(row.key);
    if (++made % AT_ONCE === 0) await breathe();
    const dated = withDate(read.post);
    const post = { ...dated, status: statusOf(dated, choice), addresses: inFolder(read.post.addresses) };
    const said = authorNotes(post.authors, plan.authors.length);
    const around = { place: source.place, siteUrl, parse, pathHere, slug: row.slug, categories };
    const item = itemOf(row.key, () => {
      const article = toArticle(post, around);
      return { ...article, notes: [...article.notes, ...said].slice(0, MOST_NOTES) };
    });
    if ("why" in item) unsent.push({ title: row.title, why: item.why });
    else {
      sent++;
      yield item;
    }
  }
  if (sent === 0 && unsent.length > 0) throw new NothingSent(unsent);
}

const addressesOf = ({ audio }: Plan["rows"][number], oldAddresses: string[]): MovedEpisode => ({
  place: "episode",
  episodeId: audio!.here!,
  oldAddresses: oldAddresses.slice(0, MOST_ADDRESSES),
});

/** As the import takes them. */
const MOST_ADDRESSES = 20;
const MOST_LISTED = 10;

/** Its message says why. */
export class NothingSent extends Error {
  constructor(unsent: Unsent[]) {
    const reasons = unsent.slice(0, MOST_LISTED).map(({ title, why }) => `${title || "Untitled"}: ${why}`);
    super(["Nothing could be sent.", ...reasons].join(" "));
  }
}

/** Where the addresses of Ghost and Buttondown begin: their exports do not say the blog's folder. */
const folderOf = ({ place }: Source, siteUrl: string | null) =>
  place === "ghost" || place === "buttondown"
    ? (URL.parse(siteUrl ?? "")?.pathname.replace(/\/+$/, "") ?? "")
    : "";

/** What the server would refuse is not sent, since it refuses a request as a whole. */
function itemOf(key: string, make: () => ReturnType<typeof toArticle>): NewItem | { why: string } {
  try {
    const { data: payload, error } = MovedArticle.safeParse(make(), { error: inWords });
    if (error) return { why: error.issues[0]!.message };
    const item = { key, title: payload.title, payload };
    const why = refusalOf(item);
    return why === null ? item : { why };
  } catch (error) {
    // Very deep HTML may exceed the stack: only this article fails, and the others are sent.
    console.error(error);
    return { why: "Its text couldn’t be read." };
  }
}

const TOO_LONG = `With everything attached, it has more than ${MAX_PAYLOAD.toLocaleString("en")} characters.`;

/** Why the server would refuse an item, and with it the whole request; null for one that it takes. */
function refusalOf(item: NewItem): string | null {
  if (JSON.stringify(item.payload ?? null).length > MAX_PAYLOAD) return TOO_LONG;
  return NewItem.safeParse(item, { error: inWords }).error?.issues[0]?.message ?? null;
}
