import type { Context } from "#worker/platform/context.ts";
import type { Site } from "#worker/settings/contract.ts";

/** "25 November 2026", in the site's language and time zone. */
export const dayOf = ({ language, timeZone }: Pick<Site, "language" | "timeZone">, at: Date) =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone }).format(at);

/** What is kept as the consent of an imported subscriber. */
export const importedConsent = (
  ctx: Context,
  site: Site,
  { fileName, words }: { fileName: string; words: string },
) => `Imported on ${dayOf(site, ctx.now)} from ${fileName}: ${words}`;

/** What is kept as the consent of one whom the owner entered. */
export const enteredConsent = (ctx: Context, site: Site, words: string) =>
  `Entered by hand on ${dayOf(site, ctx.now)}: ${words}`;
