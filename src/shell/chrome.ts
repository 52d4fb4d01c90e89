import { switchesOf } from "#worker/addresses.ts";
import type { Site } from "#worker/settings/contract.ts";

/** The settings that the header and footer of every page show. */
export const chromeOf = ({ name, description, social, platforms, ...site }: Site) => ({
  name,
  description,
  social,
  platforms,
  switches: switchesOf(site),
});
export type Chrome = ReturnType<typeof chromeOf>;
