import type { Locale } from "./locale.ts";

export type At = number | Date;

/**
 * Formats dates in the site's locale, so that server and browser agree. Creates the formatter at its first use, because a
 * browser takes 15 ms to load its locale data.
 */
export function dates(options: Intl.DateTimeFormatOptions) {
  let made: Intl.DateTimeFormat | undefined;
  let madeFor: Locale | undefined;
  return (at: At, { language, timeZone }: Locale) => {
    if (!made || madeFor?.language !== language || madeFor.timeZone !== timeZone) {
      made = new Intl.DateTimeFormat(language, { timeZone, ...options });
      madeFor = { language, timeZone };
    }
    return made.format(at);
  };
}
