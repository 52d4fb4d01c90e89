import { preparedState } from "../../../scripts/prepared-state.ts";

/** Names the storage that each site begins with: migrated, and with the demo. */
export const PREPARED = "ROSTRUM_E2E_STATE";

/** Once a run, before its workers start: it takes longer than all else of a site's start. */
export default async function prepareOnce() {
  process.env[PREPARED] = await preparedState();
}
