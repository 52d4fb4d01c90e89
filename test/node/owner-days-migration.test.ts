import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { root } from "../../scripts/tools.ts";

const UPDATE = "0055_owner_days.sql";
const files = readdirSync(join(root, "migrations"))
  .filter((name) => name.endsWith(".sql"))
  .toSorted();

/** A database of the version before, with a day's figures. */
function databaseBefore({ isCounted }: { isCounted: boolean }) {
  const db = new DatabaseSync(":memory:");
  const apply = (name: string) => db.exec(readFileSync(join(root, "migrations", name), "utf8"));
  for (const name of files.slice(0, files.indexOf(UPDATE))) apply(name);
  if (isCounted) {
    db.exec(`insert into analytics_salts values (20700, 'a-salt');
      insert into analytics_totals values (1, 20700, 'site', '', 7, 5, 5, 2, 0, 0, 7);
      insert into download_totals values ('show', 1, 20700, 0, '', 3, 0);
      insert into downloads (day, episode_id, network, listener, app, device, country)
        values (20700, 1, 'n', 'l', 'Overcast', 'Phone', 'AU');`);
  }
  return { db, update: () => apply(UPDATE) };
}

const rowsOf = (db: DatabaseSync, query: string) =>
  db
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));

test("an update keeps the figures, as days of UTC", () => {
  const { db, update } = databaseBefore({ isCounted: true });
  const figures = () => [
    rowsOf(db, "select * from analytics_totals"),
    rowsOf(db, "select * from download_totals"),
  ];
  const before = figures();
  update();
  assert.deepEqual(figures(), before);
  assert.deepEqual(rowsOf(db, "select * from analytics_zones"), [{ day: 0, time_zone: "UTC" }]);
  assert.deepEqual(rowsOf(db, "select day, owner_day, quarter from downloads"), [
    { day: 20700, owner_day: 20700, quarter: null },
  ]);
  // Visitors from before the update are recognised for the rest of the day.
  assert.deepEqual(rowsOf(db, 'select * from analytics_salts order by "of"'), [
    { of: "downloads", day: 20700, salt: "a-salt" },
    { of: "events", day: 20700, salt: "a-salt" },
  ]);
});

test("an update of a site without figures has no days of UTC", () => {
  const { db, update } = databaseBefore({ isCounted: false });
  update();
  assert.deepEqual(rowsOf(db, "select * from analytics_zones"), []);
});
