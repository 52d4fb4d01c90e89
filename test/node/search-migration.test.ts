import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { root } from "../../scripts/tools.ts";
import { insertRow } from "../support/insert-row.ts";

const CARRIES_OVER = "0010_search_documents.sql";
const files = readdirSync(join(root, "migrations"))
  .filter((name) => name.endsWith(".sql"))
  .toSorted();

test("the migration to search documents preserves all results, for the former version too", () => {
  const db = new DatabaseSync(":memory:");
  const apply = (name: string) => db.exec(readFileSync(join(root, "migrations", name), "utf8"));
  for (const name of files.slice(0, files.indexOf(CARRIES_OVER))) apply(name);
  const html = "<p>Of <em>wom</em>bats &#x26; leases.</p>\n<p>More</p>";
  insertRow(db, "episodes", {
    id: 7,
    title: "Seven",
    status: "published",
    show_notes_html: html,
    guid: "7",
    slug: "seven",
  });
  insertRow(db, "episodes", {
    id: 8,
    title: "Eight",
    status: "draft",
    show_notes_html: html,
    guid: "8",
    slug: "eight",
  });
  insertRow(db, "articles", {
    id: 7,
    title: "Article",
    status: "published",
    content_html: html,
    slug: "an-article",
  });
  insertRow(db, "press_items", { id: 3, title: "Press", published: 1, content_html: html });
  insertRow(db, "episode_passages", { id: 1, episode_id: 7, speakers: "A", text: "The wombats." });
  const formerly = () =>
    db
      .prepare(
        "select rowid % 4 as kind, rowid / 4 as id, title, body from search where search match 'wombat' order by rank",
      )
      .all();
  const before = formerly();
  assert.equal(before.length, 3);

  apply(CARRIES_OVER);

  const trimmed = (rows: ReturnType<typeof formerly>) =>
    rows.map((row) => ({ ...row, body: String(row["body"]).trim() }));
  assert.deepEqual(trimmed(formerly()), trimmed(before));
  const found = db
    .prepare("select kind, item_id, slug from search where search match 'wombats AND leasing' order by kind")
    .all()
    .map((row) => ({ ...row }));
  assert.deepEqual(found, [
    { kind: "episode", item_id: 7, slug: "seven" },
    { kind: "essay", item_id: 7, slug: "an-article" },
    { kind: "press", item_id: 3, slug: "" },
  ]);
  assert.equal(
    db.prepare("select rowid from passage_search where passage_search match 'wombat'").all().length,
    1,
  );
  db.exec(
    "update episodes set title = 'Anew' where id = 7; delete from articles; delete from episode_passages",
  );
  db.exec("insert into search (search, rank) values ('integrity-check', 1)");
  assert.equal(db.prepare("select doc from search_vocabulary where term = 'wombats'").get()?.["doc"], 2);
});
