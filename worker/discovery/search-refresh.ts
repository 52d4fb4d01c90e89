import { and, desc, eq, gt, inArray, lt, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import * as columnTypes from "drizzle-orm/sqlite-core";
import { dropFormer, lists, type Target } from "#worker/discovery/search-schema.ts";
import { searchPending } from "#worker/discovery/table.ts";
import { tokensOf, vocabularyOf } from "#worker/discovery/tokens.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { foldText, normalizeText } from "#worker/platform/text/fold.ts";
import { logError } from "#worker/platform/log.ts";

type Values = Record<string, string>;

type Refresh = {
  /** SQL: the texts of rows; the first column is `row`. */
  read: string;
  /** The indexed columns of the texts. */
  indexed: (texts: Values) => Values;
  /** The text whose words go into spelling and the search for compounds. */
  spoken?: (texts: Values) => string;
  /** The row number in the index of words; without it the rows are not used for spelling. */
  wordRow?: (row: number) => number;
  /** The work per row, in units of ten one-minute passages. */
  weight: number;
};

const SPELT = (row: number) => row;

/** UTF-16 units of a column: D1 takes parameters of 2 MB. */
const LONGEST = 250_000;
const lineOf = (tokens: string[]) => tokens.join(" ").slice(0, LONGEST);
const plainLineOf = (text = "") => {
  const { written, plain } = tokensOf(text, true);
  return lineOf([...written, ...plain]);
};

const refreshes: Record<Target, Refresh> = {
  document_search: {
    read: "select id as row, title, summary, names, body, 'kind' || kind as kind from search_documents where id",
    indexed({ title = "", summary = "", names = "", body = "", kind = "" }) {
      const [inTitle, inSummary, inNames, inBody] = [title, summary, names, body].map((text) =>
        tokensOf(text),
      );
      return {
        title: lineOf(inTitle!.written),
        summary: lineOf(inSummary!.written),
        names: lineOf(inNames!.written),
        body: lineOf(inBody!.written),
        title_plain: lineOf(inTitle!.plain),
        summary_plain: lineOf([...inSummary!.plain, ...inNames!.plain]),
        body_plain: lineOf(inBody!.plain),
        kind,
      };
    },
    spoken: ({ title, summary, names, body }) => [title, summary, names, body].join("\n"),
    wordRow: SPELT,
    weight: 10,
  },
  moment_search: {
    read: "select id as row, speakers, text from episode_passages where id",
    indexed({ speakers = "", text = "" }) {
      const [spoke, said] = [tokensOf(speakers), tokensOf(text)];
      return {
        speakers: lineOf(spoke.written),
        text: lineOf(said.written),
        speakers_plain: lineOf(spoke.plain),
        text_plain: lineOf(said.plain),
      };
    },
    spoken: ({ text = "" }) => text,
    wordRow: (row) => -row,
    weight: 1,
  },
  ...(Object.fromEntries(
    lists.map(({ index, table, row = "id", title = "title", text, filters }) => [
      index,
      {
        read: `select ${row} as row, ${title} as title, ${text} as text, ${filters} as filters from ${table} where ${row}`,
        indexed: (texts) => ({
          title: plainLineOf(texts["title"]),
          text: plainLineOf(texts["text"]),
          filters: texts["filters"] ?? "",
        }),
        spoken: (texts) => `${texts["title"]}\n${texts["text"]}`,
        weight: 10,
      } satisfies Refresh,
    ]),
  ) as unknown as Record<(typeof lists)[number]["index"], Refresh>),
  enquiry_search: {
    read: "select id as row, kind, name, email, title from enquiries where id",
    indexed: ({ kind = "", name = "", email = "", title = "" }) => ({
      kind,
      name: foldText(name),
      email: normalizeText(email),
      title: foldText(title),
    }),
    weight: 1,
  },
  owner_search: {
    read: "select rowid as row, title from owner_search where rowid",
    indexed: ({ title = "" }) => ({ title, words: plainLineOf(title) }),
    spoken: ({ title = "" }) => title,
    weight: 1,
  },
};

type Pending = Pick<typeof searchPending.$inferSelect, "id" | "target" | "row">;

/** The indexes of the public search. */
const PUBLISHED: Target[] = ["document_search", "moment_search"];

const hasChanged = (targets: Target[]) =>
  and(eq(searchPending.isBulk, false), inArray(searchPending.target, targets), isNotAside);

/** A row that could not be indexed gets its negative number, so that others are not held up by it. A change of it gives it a new one. */
const isNotAside = gt(searchPending.id, 0);
const isAside = lt(searchPending.id, 0);

/** A changed published row that is not fully indexed yet; empty if there is none. */
export const findPending = ({ db }: Context) =>
  db.select({ id: searchPending.id }).from(searchPending).where(hasChanged(PUBLISHED)).limit(1);

/** A migration adds this entry after all rows: drops the tables that the previous version reads. */
const FORMER = "former";

/** Maximum rows of a slice, and its maximum total weight; on the free plan for 10 ms of processor time. */
const SLICE = 200;
const SMALL_SLICE = 20;
const sliceOf = ({ config }: Context) => (config.plan === "free" ? SMALL_SLICE : SLICE);
/** Slices that a search waits for. */
const FEW_SLICES = 3;

/**
 * Indexes changed rows, the latest first. A search waits for it; if it fails, the search uses what the triggers wrote.
 * Expires no cached answer: the change itself did, and no search was answered since.
 */
export async function refreshSearch(ctx: Context, ...targets: Target[]) {
  const which = hasChanged(targets.length > 0 ? targets : PUBLISHED);
  try {
    const slices = ctx.config.plan === "free" ? 1 : FEW_SLICES;
    for (let n = 0; n < slices; n++) if ((await refreshSlice(ctx, which)) < sliceOf(ctx)) return;
    // Too much for searches to wait for: the cron does the rest.
    await ctx.db.update(searchPending).set({ isBulk: true }).where(which);
  } catch (error) {
    logError("search: the index was not refreshed", error);
  }
}

/** Milliseconds that the cron works on the index. */
const LONG = 20_000;

/**
 * The same for the cron, until nothing is left or its time is over; includes all rows of a rebuilt index. On the free
 * plan, one slice.
 */
export async function refreshWholeSearch(ctx: Context) {
  const until = ctx.clock().getTime() + LONG;
  do {
    const weight =
      (await refreshSlice(ctx, eq(searchPending.isBulk, false), true)) ||
      (await refreshSlice(ctx, undefined, true));
    if (weight === 0) return tryAsideAgain(ctx);
  } while (ctx.config.plan !== "free" && ctx.clock().getTime() < until);
}

/** Whether any row waits to be indexed. Those that could not be are tried again once an hour. */
export const hasPendingSearch = async ({ db, now }: Context) => {
  const waiting = isTimeForAside(now) ? undefined : isNotAside;
  return (await db.select({ id: searchPending.id }).from(searchPending).where(waiting).limit(1)).length > 0;
};

const isTimeForAside = (now: Date) => now.getUTCMinutes() === 0;

async function tryAsideAgain(ctx: Context) {
  if (!isTimeForAside(ctx.now)) return;
  const rows = await ctx.db
    .select(pendingColumns)
    .from(searchPending)
    .where(isAside)
    .orderBy(desc(searchPending.id))
    .limit(sliceOf(ctx));
  for (const row of rows) await writeSlice(ctx, [row], true).catch(logFailed);
}

const logFailed = (error: unknown) => logError("search: a row was not indexed", error);

/** Returns the weight of the slice: less than its maximum for the last one. */
async function refreshSlice(ctx: Context, which: SQL | undefined, expiresAnswers = false) {
  const rows = await ctx.db
    .select(pendingColumns)
    .from(searchPending)
    .where(and(which, isNotAside))
    .orderBy(desc(searchPending.id))
    .limit(sliceOf(ctx));
  let weight = 0;
  const slice = rows.filter(({ target }, index) => {
    weight += refreshes[target as Target]?.weight ?? 0;
    return index === 0 || weight <= sliceOf(ctx);
  });
  if (slice.length === 0) return 0;
  try {
    await writeSlice(ctx, slice, expiresAnswers);
  } catch {
    for (const row of slice) await writeSlice(ctx, [row], expiresAnswers).catch(setAside(ctx, row));
  }
  return Math.max(weight, 1);
}

const pendingColumns = { id: searchPending.id, target: searchPending.target, row: searchPending.row };

/** Fails, too, while D1 does: then the row stays where it is. */
const setAside =
  ({ db }: Context, { id }: Pending) =>
  async (error: unknown) => {
    await db.update(searchPending).set({ id: -id }).where(eq(searchPending.id, id));
    logFailed(error);
  };

async function writeSlice(ctx: Context, slice: Pending[], expiresAnswers: boolean) {
  const groups = Map.groupBy(slice, ({ target }) => target as Target | typeof FORMER);
  const isFormer = groups.delete(FORMER);
  const writes = await Promise.all(
    [...groups].map(([target, group]) => writesOf(ctx, target as Target, group)),
  );
  const ids = JSON.stringify(slice.map(({ id }) => id));
  const done = ctx.db
    .delete(searchPending)
    .where(sql`${searchPending.id} in (select value from json_each(${ids}))`);
  // Last: the writes apply only to rows that are still pending.
  await ctx.db.batch([...(expiresAnswers ? [changed(ctx, "search")] : []), ...writes.flat(), done] as [
    typeof done,
  ]);
  if (isFormer) for (const drop of dropFormer) await ctx.db.run(drop);
}

async function writesOf({ db }: Context, target: Target, pending: Pending[]): Promise<BatchItem<"sqlite">[]> {
  const { read, indexed, spoken, wordRow } = refreshes[target];
  const rows = JSON.stringify(pending.map(({ row }) => row));
  const texts = await db.all<Values & { row: number }>(
    sql`${sql.raw(read)} in (select value from json_each(${rows}))`,
  );
  const idOf = new Map(pending.map(({ row, id }) => [row, id]));
  const entries: Entry[] = [];
  const words: Entry[] = [];
  const compounds = new Map<number, string>();
  for (const { row, ...values } of texts) {
    const id = idOf.get(row)!;
    entries.push({ id, row, ...indexed(values) });
    if (!spoken) continue;
    const vocabulary = vocabularyOf(spoken(values));
    if (wordRow) words.push({ id, row: wordRow(row), words: lineOf(vocabulary.words) });
    for (const term of vocabulary.compounds) compounds.set(numberOf(term), term);
  }
  return [
    ...writeAnew(db, target, entries),
    ...writeAnew(db, "search_words", words),
    ...slicesOf([...compounds].map(([row, term]) => ({ row, term }))).map((json) =>
      db.insert(tableOf("search_compounds", ["term"])).select(
        sql`select value ->> 'row', value ->> 'term' from json_each(${json})
          where not exists (select 1 from search_compounds where rowid = value ->> 'row')`,
      ),
    ),
  ];
}

/** An FTS5 table for drizzle, which does not support them. */
const tableOf = (name: string, names: string[]) =>
  columnTypes.sqliteTable(name, {
    rowid: columnTypes.integer("rowid"),
    ...Object.fromEntries(names.map((each) => [each, columnTypes.text(each)])),
  });

type Entry = { id: number; row: number } & Record<string, string | number>;

/** A row that changed in between has a new pending id, so nothing is written for it. */
function writeAnew(db: Context["db"], name: Target | "search_words", entries: Entry[]) {
  const [first] = entries;
  if (!first) return [];
  const names = Object.keys(first).filter((each) => each !== "id" && each !== "row");
  const table = tableOf(name, names);
  const isPending = sql`exists (select 1 from search_pending where id = value ->> 'id')`;
  const values = sql.raw(names.map((each) => `value ->> '${each}'`).join(", "));
  const rows = JSON.stringify(entries.map(({ id, row }) => ({ id, row })));
  return [
    db.delete(table).where(sql`rowid in (select value ->> 'row' from json_each(${rows}) where ${isPending})`),
    ...slicesOf(entries).map((json) =>
      db
        .insert(table)
        .select(sql`select value ->> 'row', ${values} from json_each(${json}) where ${isPending}`),
    ),
  ];
}

/** Characters of a parameter. */
const PARAMETER = 400_000;

/** Rows as JSON, split into as many parameters as needed. */
function slicesOf(rows: object[]) {
  const slices: string[][] = [];
  let size = Infinity;
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (size + json.length > PARAMETER) {
      slices.push([]);
      size = 0;
    }
    slices.at(-1)!.push(json);
    size += json.length;
  }
  return slices.map((slice) => `[${slice.join(",")}]`);
}

/** A 52-bit row number from a word (two FNV-1a hashes). */
function numberOf(word: string) {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < word.length; at++) {
    low = Math.imul(low ^ word.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ word.charCodeAt(at), 0x85ebca6b);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}
