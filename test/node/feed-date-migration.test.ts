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

/** The date of the feed after the upgrade, if it was 5 before. */
function dateAfter(site: object, show: object) {
  const db = new DatabaseSync(":memory:");
  const apply = (name: string) => db.exec(readFileSync(join(root, "migrations", name), "utf8"));
  const upgrade = files.findIndex((name) => name.endsWith("_feed_without_support.sql"));
  files.slice(0, upgrade).forEach(apply);
  insertRow(db, "shows", { id: 1, feed_changed_at: 5, ...show });
  insertRow(db, "settings", { id: 1, site: JSON.stringify(site) });
  files.slice(upgrade).forEach(apply);
  return db.prepare("select feed_changed_at as at from shows").get()?.["at"];
}

test("a feed that loses its support link with the upgrade gets a new date, and no other does", () => {
  const off = { features: { patreon: false } };
  const link = { funding_url: "https://example.com/fund" };
  const begun = Date.now();
  const at = Number(dateAfter(off, link));
  assert.ok(at >= begun && at <= Date.now(), String(at));
  assert.equal(dateAfter({ features: { patreon: true } }, link), 5);
  assert.equal(dateAfter({}, link), 5);
  assert.equal(dateAfter(off, { funding_url: null }), 5);
  const later = Date.now() + 60_000;
  assert.equal(dateAfter(off, { ...link, feed_changed_at: later }), later + 1);
});
