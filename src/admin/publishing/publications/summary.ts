import type { Step, StepName } from "#worker/publications/contract.ts";

/** Where an item is once a step is done; of the others there is nothing to see. */
const places: Partial<Record<StepName, string>> = {
  page: "on the site",
  feed: "in the feed",
  search: "in search",
  ping: "announced",
};

/** What succeeded, in one line: "On the site, in the feed, in search." */
export function placesIn(steps: Step[]) {
  const there = steps.flatMap(({ name, state }) => (state === "done" ? (places[name] ?? []) : []));
  const line = there.join(", ");
  return line === "" ? "Not visible yet." : `${line[0]?.toUpperCase()}${line.slice(1)}.`;
}

/** Steps that failed or are pending, or that leave the item out of its feed. The letter is shown with its button. */
export const toListIn = (steps: Step[]) =>
  steps.filter(
    ({ name, state }) =>
      name !== "letter" &&
      (state === "failed" || state === "waiting" || (name === "feed" && state === "none")),
  );
