import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "#worker/platform/context.ts";
import type { NewPressItem } from "#worker/press/contract.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { listPress } from "#worker/press/queries.ts";

/** Media coverage and press releases; skips those that an interrupted load has already created. */
export async function loadPress(ctx: Context) {
  const text = readFileSync(join(import.meta.dirname, "press.json"), "utf8");
  const wanted = JSON.parse(text) as NewPressItem[];
  const { items } = await listPress(ctx, { limit: wanted.length });
  const loaded = new Set(items.map(({ title }) => title));
  for (const item of wanted) if (!loaded.has(item.title)) await createPressItem(ctx, item);
}
