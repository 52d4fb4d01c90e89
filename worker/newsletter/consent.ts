import { like } from "drizzle-orm";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Site } from "#worker/settings/contract.ts";

/** "25 November 2026", in the site's language and time zone. */
export const dayOf = ({ language, timeZone }: Pick<Site, "language" | "timeZone">, at: Date) =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone }).format(at);

const IMPORTED = "Imported on ";

/** What is kept as the consent of an imported subscriber. */
export const importedConsent = (
  ctx: Context,
  site: Site,
  { fileName, words }: { fileName: string; words: string },
) => `${IMPORTED}${dayOf(site, ctx.now)} from ${fileName}: ${words}`;

/** SQL: the consent that stands is an import's. A sign-up by the form, which sends a mail of its own, replaces it. */
export const hasImportedConsent = like(subscribers.consent, `${IMPORTED}%`);

/** What is kept as the consent of one whom the owner entered. */
export const enteredConsent = (ctx: Context, site: Site, words: string) =>
  `Entered by hand on ${dayOf(site, ctx.now)}: ${words}`;
