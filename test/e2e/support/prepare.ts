import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare } from "../../../scripts/local.ts";

/** Names the storage that each site begins with: migrated, and with the demo. */
export const PREPARED = "ROSTRUM_E2E_STATE";

/** Once a run: it takes longer than all else of a site's start. */
export default async function prepareOnce() {
  const state = await mkdtemp(join(tmpdir(), "rostrum-e2e-"));
  await prepare(state);
  process.env[PREPARED] = state;
  return () => rm(state, { recursive: true, force: true, maxRetries: 5 });
}
