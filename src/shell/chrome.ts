import { switchesOf } from "#worker/addresses.ts";
import type { Site } from "#worker/settings/contract.ts";
import { appLinks } from "./app-links.ts";

/** Podcast apps in the footer; the others are on the page of all apps. */
const SHOWN_APPS = 4;

/** The settings that the header and footer of every page show. */
export const chromeOf = ({ name, description, social, platforms, ...site }: Site) => ({
  name,
  description,
  social,
  apps: appLinks({ platforms })
    .slice(0, SHOWN_APPS)
    .map(({ label, href }) => ({ label, href })),
  switches: switchesOf(site),
});
export type Chrome = ReturnType<typeof chromeOf>;
