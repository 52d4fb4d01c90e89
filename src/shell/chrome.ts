import type { Site } from "#worker/settings/contract.ts";

/** The settings that the header and footer of every page show. */
export const chromeOf = ({ name, description, social, platforms, features }: Site) => ({
  name,
  description,
  social,
  platforms,
  features,
});
export type Chrome = ReturnType<typeof chromeOf>;
