import { like } from "drizzle-orm";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Site } from "#worker/settings/contract.ts";

/** "25 November 2026", in the site's language and time zone. */
export const dayOf = ({ language, timeZone }: Pick<Site, "language" | "timeZone">, at: Date) =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone }).format(at);

const IMPORTED = "Imported on ";

/** The stored consent of an imported subscriber. */
export const importedConsent = (
  ctx: Context,
  site: Site,
  { fileName, words }: { fileName: string; words: string },
) => `${IMPORTED}${dayOf(site, ctx.now)} from ${fileName}: ${words}`;

/** SQL: the stored consent is from an import. A sign-up by the form, which sends its own email, replaces it. */
export const hasImportedConsent = like(subscribers.consent, `${IMPORTED}%`);

/** The stored consent of a subscriber whom the owner entered. */
export const enteredConsent = (ctx: Context, site: Site, words: string) =>
  `Entered by hand on ${dayOf(site, ctx.now)}: ${words}`;
