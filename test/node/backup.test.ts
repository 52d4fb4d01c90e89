import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, test } from "vitest";
import { getPlatformProxy } from "wrangler";
import { backUp } from "../../worker/backups/database-sql.ts";
import { makeTables } from "../support/made-tables.ts";
import { capture } from "../../scripts/tools.ts";
import { createIndex, dropIndex } from "../../worker/discovery/search-schema.ts";
import type { Ask } from "../../worker/platform/data/schema.ts";

type Proxy = Awaited<ReturnType<typeof getPlatformProxy<Env>>>;
let folder: string;
let before: D1Database;
const proxies: Proxy[] = [];

async function databaseIn(name: string) {
  const proxy = await getPlatformProxy<Env>({
    persist: { path: join(folder, name, "v3") },
    remoteBindings: false,
  });
  proxies.push(proxy);
  return proxy.env.DB;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rostrum-backup-"));
  before = await databaseIn("before");
  await makeTables(before);
  await fill(before);
});
afterAll(async () => {
  for (const proxy of proxies) await proxy.dispose();
  await rm(folder, { recursive: true });
});

const askOf =
  (db: D1Database): Ask =>
  async (reads) =>
    (await db.batch<Awaited<ReturnType<Ask>>[number][number]>(reads.map((read) => db.prepare(read)))).map(
      ({ results }) => results,
    );

/** Long enough for several statements, with what SQL and line breaks are written by. */
const LONG = `${"It’s 'quoted'; -- \\n \\r 🍋\r\nCREATE TABLE x (y);\n".repeat(9000)}\ue000\ue001`;

async function fill(db: D1Database) {
  // With the SQL of a rebuilt index, not of the migrations.
  await db.batch([...dropIndex, ...createIndex].map((statement) => db.prepare(statement)));
  const insert = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(...values);
  await db.batch([
    insert("insert into categories (id, name, slug, description, color) values (7, 'C', 'c', '', '#fff')"),
    insert(
      `insert into articles (id, slug, title, excerpt, status, published_at, category_id, tags, image_alt, meta_title,
        meta_description, meta_keywords, reading_minutes, source, created_at, updated_at, embedded_file_ids, content,
        content_html, content_text)
      values (5, 'a', 'A wombat', '', 'published', 1, 7, '[]', '', '', '', '', 1, 'website', 1, 1, '[]', ?1, ?1, ?1)`,
      LONG,
    ),
    insert("insert into outbox_bodies (id, content, created_at) values ('b', '{}', 1)"),
    insert(
      "insert into outbox_bodies (id, content, created_at) values ('nul', 'a' || char(0) || ?1, 1)",
      LONG,
    ),
    insert(
      "insert into outbox (id, topic, payload, created_at, not_before, body_id) values ('o', 'mail', '{}', 1, 1, 'b')",
    ),
    insert(
      "insert into comments (content_type, content_id, name, email, text, status, created_at, updated_at) values ('article', 5, 'N', 'n@example.com', 'T', 'approved', 1, 1)",
    ),
    ...["one", "two", "three"].map((name) =>
      insert(
        "insert into subscribers (id, email, status, source, subscribed_at, consent, stamp) values (?1, ?1 || '@example.com', 'active', 'footer', 1, '{}', 's')",
        name,
      ),
    ),
    insert("delete from subscribers where id = 'one'"),
    insert(
      "insert into engagements (title, description, venue, location, status, contact_email, contact_phone, notes, fee, created_at, updated_at) values ('E', '', '', '', 'upcoming', '', '', '', 1234.1, 1, 1)",
    ),
  ]);
}

/** As docs/deploy.md says. */
async function restore(statements: string[], name: string) {
  const file = join(folder, `${name}.sql`);
  await writeFile(file, statements.map((statement) => `${statement};\n`).join(""));
  const place = ["--local", "--persist-to", join(folder, name)];
  await capture("wrangler", ["d1", "execute", "DB", ...place, "--yes", "--file", file]);
}

/** Every row of every table, those of the search index among them, and what belongs to the tables. */
async function contentOf(db: D1Database) {
  const { results: schema } = await db
    .prepare("select type, name, sql from sqlite_schema where name not like '\\_cf\\_%' escape '\\'")
    .all<{ type: string; name: string; sql: string | null }>();
  // After a rebuild of the index, all rows are still to be indexed.
  const tables = schema.filter(
    ({ type, name }) =>
      type === "table" && !/_(?:data|idx|docsize|config)$|^search_pending$|^sqlite_/.test(name),
  );
  const rows = await db.batch(tables.map(({ name }) => db.prepare(`select rowid, * from "${name}"`)));
  return {
    schema: schema.map(({ type, name, sql }) => `${type} ${name} ${sql}`).toSorted(),
    rows: new Map(tables.map(({ name }, at) => [name, rows[at]!.results])),
  };
}

test("an empty database becomes the one that was backed up, with its search", async () => {
  await restore(await Array.fromAsync(backUp(askOf(before))), "after");
  const after = await databaseIn("after");
  const [expected, found] = [await contentOf(before), await contentOf(after)];
  assert.deepEqual(found.schema, expected.schema);
  for (const [table, rows] of expected.rows) assert.deepEqual(found.rows.get(table), rows, table);
  assert.equal(
    (await after.prepare("select rowid from document_search where document_search match 'wombat'").all())
      .results.length,
    1,
  );
  assert.deepEqual((await after.prepare("pragma foreign_key_check").all()).results, []);
  const withNul = "select hex(content) as bytes, typeof(content) as type from outbox_bodies where id = 'nul'";
  assert.deepEqual(await after.prepare(withNul).first(), await before.prepare(withNul).first());
});

test("a row of which the other was deleted while the tables were read is left out", async () => {
  const ask = askOf(before);
  const meanwhile: Ask = async (reads) => {
    const rows = await ask(reads);
    return rows.map((each) => each.filter(({ c2 }) => c2 !== "'c'"));
  };
  const statements = await Array.fromAsync(backUp(meanwhile));
  assert.ok(!statements.some((statement) => statement.startsWith('INSERT INTO "categories"')));
  const after = new DatabaseSync(":memory:");
  for (const statement of ["begin", ...statements, "commit"]) after.exec(statement);
  const { category_id: category } = after.prepare("select category_id from articles").get()!;
  assert.equal(category, null);
});
