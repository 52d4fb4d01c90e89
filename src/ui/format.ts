import type { Locale } from "./locale.ts";

type At = number | Date;

/**
 * Formats dates in the site's locale, so that server and browser agree. Creates the formatter at its first use, because a
 * browser takes 15 ms to load its locale data.
 */
export function dates(options: Intl.DateTimeFormatOptions) {
  let made: Intl.DateTimeFormat;
  let madeFor: string | undefined;
  return (at: At, { language, timeZone }: Locale) => {
    if (madeFor !== language + timeZone) {
      try {
        made = new Intl.DateTimeFormat(language, { timeZone, ...options });
      } catch {
        // A browser that does not know the zone uses its own.
        made = new Intl.DateTimeFormat(language, options);
      }
      madeFor = language + timeZone;
    }
    return made.format(at);
  };
}

/** English lists use the US order, month first. */
const inLists = (locale: Locale) =>
  /^en\b/.test(locale.language) ? { ...locale, language: "en-US" } : locale;
export const ofDay = (locale: Locale) => ({ ...locale, timeZone: "UTC" });

const mediumDate = dates({ dateStyle: "medium" });
const mediumDay = dates({ dateStyle: "medium" });
const longDay = dates({ dateStyle: "long" });

/** Milliseconds UTC to "Nov 21, 2026": lists. */
export const formatShortDate = (at: At, locale: Locale) => mediumDate(at, inLists(locale));
/** The same for a day, stored as its midnight UTC: the same day in every time zone. */
export const formatShortDay = (at: At, locale: Locale) => mediumDay(at, ofDay(inLists(locale)));
/** "21 November 2026": everywhere else. */
export const formatLongDate = dates({ dateStyle: "long" });
/** The same for a day such as "2026-11-21". */
export const formatLongDay = (day: string, locale: Locale) => longDay(new Date(day), ofDay(locale));
/** "21 November 2026 at 9:30 am AEDT". */
export const formatDateTime = dates({
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});
/** For `<time dateTime>`. */
export const isoDate = (at: At) => new Date(at).toISOString();

const twoDigits = (number: number) => String(number).padStart(2, "0");

/** Seconds as m:ss, or h:mm:ss when an hour or more. */
export function formatTime(seconds: number) {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = twoDigits(whole % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A duration in a list: "1h 5m" from 60 minutes, else "45m"; a valid `<time>` text. At least a minute, unless 0. */
export function formatDuration(seconds: number) {
  const minutes = seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0;
  return minutes >= 60 ? `${Math.floor(minutes / 60)}h ${minutes % 60}m` : `${minutes}m`;
}

/** Not `toLocaleString`, whose first use takes a browser 30 ms during hydration. */
export const grouped = (whole: number) => String(whole).replace(/\B(?=(\d{3})+$)/g, ",");

/** "1 like", "1,204 likes". */
export const counted = (number: number, noun: string) =>
  `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

/** The year in the site's time zone. */
export const yearOf = dates({ year: "numeric" });
