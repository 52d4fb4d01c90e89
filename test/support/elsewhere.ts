import { fromParse5 } from "hast-util-from-parse5";
import { parseFragment } from "parse5";
import type { Root } from "hast";
import type { NewItem } from "#worker/imports/contract.ts";
import type { MovedArticle, MovedEpisode } from "#worker/imports/importers/contract.ts";
import { openExport } from "../../src/admin/moving-in/importers/open.ts";
import type { Choice } from "../../src/admin/moving-in/importers/choice.ts";
import { planOf, type Ask } from "../../src/admin/moving-in/importers/plan.ts";
import { chosenItems, type Unsent } from "../../src/admin/moving-in/importers/send.ts";
import { requestsOf } from "../../src/admin/moving-in/parts.ts";

/** As the page parses HTML. */
export const parse = (html: string) => fromParse5(parseFragment(html, { scriptingEnabled: false })) as Root;
export const file = (content: BlobPart, name: string) => new File([content], name);
export const nothingKnown: Ask = async ({ keys }) => ({ items: keys.map(() => null), taken: [] });
const everything: Choice = { posts: true, drafts: true, pages: true };

type Options = { ask?: Ask; choice?: Choice; siteUrl?: string; categories?: { id: number; name: string }[] };

/** As the page does it: gone through for the plan, and again to send. */
export async function move(
  files: File[],
  { ask = nothingKnown, choice = everything, siteUrl, categories = [] }: Options = {},
) {
  const source = await openExport(files);
  const plan = await planOf(source, ask, parse, () => {}, categories);
  const requests: NewItem[][] = [];
  const unsent: Unsent[] = [];
  const options = {
    choice,
    siteUrl: siteUrl ?? plan.siteUrl,
    parse,
    categories,
    signal: new AbortController().signal,
    onProgress: () => {},
  };
  for await (const items of requestsOf(chosenItems(source, plan, options, unsent))) requests.push(items);
  const articles = requests
    .flat()
    .map(({ payload }) => payload as MovedArticle | MovedEpisode)
    .filter((payload) => payload.place !== "episode");
  const titled = (title: string) => articles.find((article) => article.title === title)!;
  return { source, plan, articles, titled, unsent, requests };
}
