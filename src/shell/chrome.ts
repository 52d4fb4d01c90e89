import type { Site } from "#worker/settings/contract.ts";

/** What the header and the footer of every page need of the site. */
export const chromeOf = ({ name, description, social, platforms, features }: Site) => ({
  name,
  description,
  social,
  platforms,
  features,
});
export type Chrome = ReturnType<typeof chromeOf>;
