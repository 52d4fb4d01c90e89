import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { FileUseKind, StoredFile } from "#worker/files/contract.ts";
import { fileIdOf } from "#worker/files/object-keys.ts";
import { usedBy, type FileReferences } from "#worker/files/library/references.ts";
import { findEmbeddedIn } from "#worker/files/pictures/markdown-images.ts";
import type { Noun, Statement, TextFacet } from "#worker/nouns/noun.ts";
import type { Context } from "#worker/platform/context.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { feedChanged } from "#worker/publications/record-publication.ts";
import { namedSlugOf } from "#worker/revisions/queries.ts";
import { recordChange } from "#worker/revisions/record-revision.ts";

/** A file, and the one that replaces it. */
export type FileMove = { from: string; to: StoredFile };

export type Moved = {
  /** Point the items to the other file, and expire what visitors see. An item that was saved in between is not changed. */
  statements: Statement[];
  /** Called once they are written. */
  enqueue?: () => void;
};

/** How the items of a noun follow a file. */
export type FilePlace = {
  /**
   * Points items, by id or slug, to another file.
   * @throws `conflict` where a form of its own must do it; `forbidden`; `invalid` for a file that does not fit
   */
  move: (ctx: Context, items: string[], move: FileMove) => Promise<Moved>;
  /** The statements that expire the answers which show the file's own description. */
  described: (ctx: Context, fileId: string) => Statement[];
  /** The statements that expire the answers which list the smaller copies of a picture, once they are made. */
  copied: (ctx: Context, fileId: string) => Statement[];
};

/** Of each kind. The picture found inside an audio file is never replaced, and an item in the bin keeps its files. */
export type FilePlaces = Record<Exclude<FileUseKind, "file" | "bin">, FilePlace>;

/** The nouns' references to files, and how they replace them. */
export type Nouns = { references: FileReferences; places: FilePlaces };

export const placesOf = (nouns: readonly Noun[]) =>
  Object.fromEntries(
    nouns.flatMap(({ files, ...noun }) =>
      files && files.kind !== "file" && files.kind !== "bin"
        ? [[files.kind, placeOf({ ...noun, files })]]
        : [],
    ),
  ) as FilePlaces;

type NounWithFiles = Noun & { files: NonNullable<Noun["files"]> };

function placeOf(noun: NounWithFiles): FilePlace {
  const { table, files, changed = () => [] } = noun;
  const columns = getTableColumns(table);
  return {
    move(ctx, items, move) {
      files.requireFit?.(move.to);
      if (files.capabilityOf) for (const item of items) requireCapability(files.capabilityOf(item), ctx);
      const key = columns[files.key ?? "id"]!;
      // As JSON in one parameter: D1 allows 100 per statement.
      const which = sql`${key} in (select value from json_each(${JSON.stringify(items.map((item) => (files.key ? item : Number(item))))}))`;
      return noun.text
        ? moveInTexts(ctx, noun, noun.text, which, move)
        : moveInColumns(ctx, noun, which, move);
    },

    described: (ctx, fileId) =>
      Object.entries(files.descriptions ?? {}).flatMap(([name, description]) => [
        ...changed(
          ctx,
          sql`${columns.id!} in ${usedBy(files.kind, fileId)} and ${columns[name]!} = ${fileId} and ${columns[description!]!} = ''`,
        ),
      ]),

    copied(ctx, fileId) {
      if (!noun.copied) return [];
      const isIn = (files.columns ?? []).map((name) => sql`${columns[name]!} = ${fileId}`);
      return isIn.flatMap((which) => [...noun.copied!(ctx, which), ...changed(ctx, which)]);
    },
  };
}

/** Without a text, nothing is rendered and no version is stored, so that no row is read. */
async function moveInColumns(ctx: Context, noun: NounWithFiles, which: SQL, { from, to }: FileMove) {
  const columns = getTableColumns(noun.table);
  const updates = (noun.files.columns ?? []).map((name) =>
    ctx.db
      .update(noun.table)
      .set({
        [name]: to.id,
        ...noun.files.alsoSet?.(ctx),
        updatedAt: sql`max(${ctx.now.getTime()}, ${columns.updatedAt!} + 1)`,
      })
      .where(and(which, eq(columns[name]!, from))),
  );
  return { statements: [...(noun.changed?.(ctx, which) ?? []), ...updates] };
}

async function moveInTexts(
  ctx: Context,
  noun: NounWithFiles,
  { column, derive, read = (row) => String(row[column]), write = (text) => ({ [column]: text }) }: TextFacet,
  which: SQL,
  move: FileMove,
): Promise<Moved> {
  const { table, files, versions, changed, inFeed } = noun;
  const columns = getTableColumns(table);
  const key = files.key ?? "id";
  const rows = (await ctx.db.select().from(table).where(which)) as Row[];
  for (const row of rows) files.requireReplaceable?.(row, move);
  const texts = rows.map((row) => moveText(read(row), move));
  const pictures = await findEmbeddedIn(ctx, texts);
  const saves = rows.map(async (row, index) => {
    const ids = (files.columns ?? []).map(
      (name) => [name, moveId(row[name] as string | null, move)] as const,
    );
    const written = {
      ...row,
      ...write(texts[index]!),
      ...Object.fromEntries(ids),
      ...files.replaceAddresses?.(row, (text) => moveText(text, move)),
    };
    const next = { ...written, ...derive(written, pictures) };
    const changes = Object.fromEntries(
      Object.entries(next).filter(([name, value]) => value !== row[name as keyof Row]),
    );
    const update = ctx.db
      .update(table)
      .set({ ...changes, updatedAt: laterThan(row.updatedAt, ctx.now) })
      .where(and(eq(columns[key]!, row[key]), eq(columns.updatedAt!, row.updatedAt)));
    const version = versions
      ? await recordMove(ctx, versions, { item: row[key] as string | number, row, next })
      : [];
    return [update, ...version];
  });
  const ping = inFeed && feedChanged(ctx, inFeed(which));
  return {
    statements: [
      ...(await Promise.all(saves)).flat(),
      ...(changed?.(ctx, which) ?? []),
      ...(ping?.statements ?? []),
    ],
    enqueue: ping?.enqueue,
  };
}

type Row = { updatedAt: Date } & Record<string, unknown>;

async function recordMove(
  ctx: Context,
  { kind, valuesOf }: NonNullable<Noun["versions"]>,
  { item, row, next }: { item: string | number; row: Row; next: Row },
) {
  const before = valuesOf(row) as { slug?: string };
  return recordChange(ctx, {
    kind,
    item,
    before: { values: before, savedAt: row.updatedAt },
    values: {
      ...valuesOf(next),
      ...(before.slug !== undefined && {
        slug: await namedSlugOf(ctx, { kind, item }, undefined, before.slug),
      }),
    },
  });
}

const moveId = <Id extends string | null>(id: Id, { from, to }: FileMove) => (id === from ? to.id : id);

/** Replaces the addresses of a file and its smaller copies in a text. */
export const moveText = (text: string, { from, to }: FileMove) =>
  text.replaceAll(/\/media\/([\w-]+\/[\w-]+\/(?:\d+\/)?[\w-]+\.\w+)/g, (address: string, key: string) =>
    fileIdOf(key) === from ? to.url : address,
  );
