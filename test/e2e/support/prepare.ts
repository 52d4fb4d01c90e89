import { preparedState } from "../../../scripts/prepared-state.ts";

/** Makes the storage that each site begins with, before the workers start, which would each make it. */
export default async function prepareOnce() {
  await preparedState();
}
