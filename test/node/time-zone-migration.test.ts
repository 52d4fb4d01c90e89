import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import table from "cldr-bcp47/bcp47/timezone.json" with { type: "json" };
import { test } from "vitest";
import { root } from "../../scripts/tools.ts";
import { insertRow } from "../support/insert-row.ts";

const RENAMES = "0050_time_zone_names.sql";
const files = readdirSync(join(root, "migrations"))
  .filter((name) => name.endsWith(".sql"))
  .toSorted();

type Zone = { _alias: string; _iana?: string };

test("a site that stored a former name of its time zone has today's", () => {
  const db = new DatabaseSync(":memory:");
  const apply = (name: string) => db.exec(readFileSync(join(root, "migrations", name), "utf8"));
  for (const name of files.slice(0, files.indexOf(RENAMES))) apply(name);
  insertRow(db, "settings", { id: 1, site: "{}" });
  const after = (timeZone: string) => {
    db.prepare("update settings set site = ?").run(JSON.stringify({ name: "A site", timeZone }));
    apply(RENAMES);
    return JSON.parse(String(db.prepare("select site from settings").get()!["site"])) as object;
  };
  const zones = Object.values(table.keyword.u.tz as Record<string, unknown>).filter(
    (zone): zone is Zone => typeof zone === "object" && zone !== null && "_iana" in zone,
  );
  assert.ok(zones.length >= 19);
  for (const { _alias, _iana } of zones) {
    for (const name of _alias.split(" ")) assert.deepEqual(after(name), { name: "A site", timeZone: _iana });
  }
  for (const timeZone of ["Australia/Sydney", "UTC"]) {
    assert.deepEqual(after(timeZone), { name: "A site", timeZone });
  }
});
