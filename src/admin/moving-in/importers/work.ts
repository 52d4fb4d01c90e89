import { api, readJson } from "#site/api.ts";
import { counted } from "#site/ui/format.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { MOVED_ARTICLES, placeNames } from "#worker/imports/importers/contract.ts";
import { bringCategories } from "../bring-categories.ts";
import { sendImport } from "../send-import.ts";
import { percentOf, type SourceWork, type Tools } from "../wizard/use-wizard.ts";
import type { Choice, Plan } from "./choice.ts";
import type { Source } from "./export.ts";
import type { Unsent } from "./send.ts";

/** The files of an export, or the address of a site that has none. */
export type Chosen = File[] | string;
export type ExportPlan = { source: Source; plan: Plan };
export type ExportChoice = { choice: Choice; siteUrl: string | null };
export type SentImport = { id: number; unsent: Unsent[] };

const opener = lazyImport(() => import("./open.ts"));
const siteReader = lazyImport(() => import("./read-site.ts"));
const planner = lazyImport(() => Promise.all([import("./plan.ts"), import("./parse.ts")]));
const sender = lazyImport(() => Promise.all([import("./send.ts"), import("./parse.ts")]));

type Categories = { id: number; name: string }[];

const READING = "Reading the export";

/** Articles from another place: read in the browser, then sent as the items of an import. */
export const exportWork = (
  categories: Categories,
): SourceWork<Chosen, ExportPlan, ExportChoice, SentImport> => ({
  begin: percentOf(READING, 0),
  cancelled: "Cancelled. Nothing was imported.",
  wordsOf,
  async read(chosen, tools) {
    const { signal, show, until, onDiscard } = tools;
    const files = typeof chosen === "string" ? await filesAt(chosen, tools) : chosen;
    signal.throwIfAborted();
    show(percentOf(READING, 0));
    const [{ openExport }, [{ planOf }, { parse }]] = await Promise.all([opener(), planner()]);
    const source = await openExport(files);
    onDiscard(() => void source.close());
    const plan = await planOf(
      source,
      (json) => until(() => readJson(api.imports.elsewhere.known.$post({ json }))),
      parse,
      (part) => show(percentOf(READING, part)),
      categories,
    );
    return { source, plan };
  },
  async run({ source, plan }, { choice, siteUrl }, { signal, show, until }) {
    const onProgress = (part: number) => show(percentOf("Uploading your posts", part));
    onProgress(0);
    const [{ chosenItems }, { parse }] = await sender();
    const all = await bringCategories(source.categories ?? [], categories, until);
    const unsent: Unsent[] = [];
    const options = { choice, siteUrl, parse, categories: all, signal, onProgress };
    const name = `${placeNames[source.place]}: ${source.fileName}`.slice(0, 2000);
    const items = chosenItems(source, plan, options, unsent);
    const id = await sendImport({ kind: MOVED_ARTICLES, source: name }, items, { signal, until });
    return { id, unsent };
  },
});

/** Reads a site that has no export, by its address. */
async function filesAt(address: string, { show, until }: Tools<ExportPlan>) {
  const { filesOfSite } = await siteReader();
  const fetchDocument = async (url: string) =>
    (await until(() => readJson(api.imports.elsewhere.document.$post({ json: { url } })))).text;
  return filesOfSite(address, fetchDocument, (posts) => {
    const words = `Reading the site: ${counted(posts, "post")}`;
    show({ label: words, part: null, words, announced: words });
  });
}

function wordsOf(error: unknown) {
  console.error(error);
  return error instanceof Error ? error.message : "The file couldn’t be read.";
}
