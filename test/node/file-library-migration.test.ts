import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { root } from "../../scripts/tools.ts";
import { insertRow } from "../support/insert-row.ts";

const files = readdirSync(join(root, "migrations"))
  .filter((name) => name.endsWith(".sql"))
  .toSorted();

test("files that are there before the library are numbered, described, and known by their uses", () => {
  const db = new DatabaseSync(":memory:");
  const apply = (name: string) => db.exec(readFileSync(join(root, "migrations", name), "utf8"));
  const library = files.findIndex((name) => name.endsWith("_file_library.sql"));
  files.slice(0, library).forEach(apply);
  const stored = { folder: "uploads", type: "image/png", size: 1, part_size: 1, status: "complete" };
  for (const [id, completed_at] of [
    ["late", 3],
    ["early", 1],
    ["middle", 2],
  ] as const)
    insertRow(db, "files", { id, key: `uploads/${id}/a.png`, name: `${id}.png`, ...stored, completed_at });
  insertRow(db, "files", { id: "begun", key: "uploads/begun/a.png", ...stored, status: "uploading" });
  insertRow(db, "articles", {
    id: 7,
    slug: "a",
    title: "A",
    status: "draft",
    image_file_id: "early",
    image_alt: "The harbour",
    embedded_file_ids: '["middle","early"]',
  });
  insertRow(db, "revisions", { id: 4, kind: "article", item: "7", embedded_file_ids: '["middle"]' });
  apply(files[library]!);
  const rows = (text: string) =>
    db
      .prepare(text)
      .all()
      .map((row) => Object.values(row));
  assert.deepEqual(rows("select id, number, is_used, alt from files order by id"), [
    ["begun", null, 0, ""],
    ["early", 1, 1, "The harbour"],
    ["late", 3, 0, ""],
    ["middle", 2, 1, ""],
  ]);
  assert.deepEqual(rows("select * from file_uses order by file_id, version"), [
    ["early", "article", "7", 0],
    ["middle", "article", "7", 0],
    ["middle", "article", "7", 4],
  ]);
  assert.deepEqual(rows("select rowid from file_search where file_search match 'harbour'"), [[1]]);
  assert.deepEqual(rows("select rowid from file_search where file_search match 'useno'"), [[3]]);
});
