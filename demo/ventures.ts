import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "#worker/platform/context.ts";
import type { NewVenture } from "#worker/ventures/contract.ts";
import { createVenture } from "#worker/ventures/commands.ts";
import { listActiveVentures } from "#worker/ventures/queries.ts";

export async function loadVentures(ctx: Context) {
  const ventures = JSON.parse(
    readFileSync(join(import.meta.dirname, "ventures.json"), "utf8"),
  ) as NewVenture[];
  // An earlier load may have been interrupted.
  const loaded = new Set((await listActiveVentures(ctx)).map(({ name }) => name));
  for (const venture of ventures) if (!loaded.has(venture.name)) await createVenture(ctx, venture);
}
