import { ITEMS_A_REQUEST, MAX_PAYLOAD, type NewItem } from "#worker/imports/contract.ts";
import { MovedArticle } from "#worker/imports/elsewhere/contract.ts";
import type { ParseHtml } from "./convert.ts";
import { breathe, type Source } from "./export.ts";
import { comingOf, pathsOf, type Choice, type Plan } from "./plan.ts";
import { toArticle } from "./to-article.ts";

/** Characters of a request's items: far below what the API takes, whatever they are made of. */
const MOST_CHARACTERS = 800_000;
/** Articles that are made between two pauses. */
const AT_ONCE = 5;

type Options = {
  choice: Choice;
  siteUrl: string | null;
  parse: ParseHtml;
  categories: { id: number; name: string }[];
  signal: AbortSignal;
  send: (items: NewItem[]) => Promise<unknown>;
  onProgress: (part: number) => void;
};

/** Of what cannot be sent, its title and why. */
export type Unsent = { title: string; why: string };

/** Goes through an export again and sends what was chosen, in bounded requests. Pages come as drafts. */
export async function sendChosen(source: Source, plan: Plan, options: Options): Promise<Unsent[]> {
  const { choice, siteUrl, parse, categories, signal, send } = options;
  const coming = new Map(comingOf(plan, choice).map((row) => [row.key, row]));
  const pathHere = pathsOf(plan, choice);
  const unsent: Unsent[] = [];
  let items: NewItem[] = [];
  let characters = 0;
  let made = 0;
  const flush = async () => {
    if (items.length > 0) await send(items);
    [items, characters] = [[], 0];
  };
  for await (const read of source.read(options.onProgress)) {
    if (signal.aborted) return unsent;
    const row = "post" in read ? coming.get(read.post.key) : undefined;
    if (!row || !("post" in read)) continue;
    // Of what the export has twice the first comes.
    coming.delete(row.key);
    if (++made % AT_ONCE === 0) await breathe();
    const post = read.post.kind === "page" ? { ...read.post, status: "draft" as const } : read.post;
    const item = itemOf(row.key, () =>
      toArticle(post, {
        place: source.place,
        siteUrl,
        parse,
        pathHere,
        slug: row.slug,
        categories,
      }),
    );
    if (item.why !== undefined) {
      unsent.push({ title: row.title, why: item.why });
      continue;
    }
    if (items.length === ITEMS_A_REQUEST || (items.length > 0 && characters + item.length > MOST_CHARACTERS))
      await flush();
    items.push(item.item);
    characters += item.length;
  }
  await flush();
  return unsent;
}

const TOO_LONG = `With all that belongs to it, it has more than ${MAX_PAYLOAD.toLocaleString("en")} characters.`;

type Made = { why: string } | { why?: undefined; item: NewItem; length: number };

/** What the server would refuse is not sent, since it refuses a request as a whole. */
function itemOf(key: string, make: () => ReturnType<typeof toArticle>): Made {
  try {
    const { data: payload, error } = MovedArticle.safeParse(make());
    if (error) return { why: error.issues[0]!.message };
    const length = JSON.stringify(payload).length;
    if (length > MAX_PAYLOAD) return { why: TOO_LONG };
    return { item: { key, title: payload.title, payload }, length };
  } catch (error) {
    // HTML of any depth: what a text does here is its own affair, and the others come.
    console.error(error);
    return { why: "Its text could not be read." };
  }
}
