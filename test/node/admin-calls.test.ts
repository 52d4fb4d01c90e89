import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { adminScreens, unsentCalls } from "../e2e/support/admin-calls.ts";

/** `POST /ventures`: test/roles.test.ts holds that docs/roles.md has the routes of the running site. */
const routes = new Set(
  [...readFileSync("docs/roles.md", "utf8").matchAll(/^\| `([A-Z]+ \/[^`]*)`/gm)].map(([, route]) => route),
);

it("each request that the browser tests have to send is a route of the admin API", () => {
  const calls = new Set(adminScreens().flatMap(({ calls: reached }) => [...reached.keys()]));
  expect(calls.size).toBeGreaterThan(100);
  expect([...calls].filter((call) => !routes.has(call))).toEqual([]);
});

it("a request that a screen sent counts for that screen, and for the files that one screen is enough for", () => {
  const before = unsentCalls([]);
  const sent = { method: "POST", path: "/api/admin/ventures", screen: "/admin/ventures/new" };
  const after = new Set(unsentCalls([sent]));
  expect(before.filter((call) => !after.has(call))).toEqual(["src/admin/ventures/save.ts: POST /ventures"]);
});
