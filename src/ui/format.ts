/** Dates read the same on the server and in every browser: the site's own time zone, not the reader's. */
const timeZone = "Australia/Sydney";

/** Made when it is first used: a browser takes 15 ms to read its locales, which a page's start must not pay. */
function dates(locale: string, options: Intl.DateTimeFormatOptions) {
  let made: Intl.DateTimeFormat | undefined;
  return (at: number | Date) =>
    (made ??= new Intl.DateTimeFormat(locale, { timeZone, ...options })).format(at);
}

/** Milliseconds UTC to "Nov 21, 2026": lists. */
export const formatShortDate = dates("en-US", { dateStyle: "medium" });
/** "21 November 2026": everywhere else. */
export const formatLongDate = dates("en-AU", { dateStyle: "long" });
/** "21 November 2026 at 9:30 am AEDT". */
export const formatDateTime = dates("en-AU", {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});
/** For `<time dateTime>`. */
export const isoDate = (at: number | Date) => new Date(at).toISOString();

const longMonth = dates("en-AU", { timeZone: "UTC", year: "numeric", month: "long" });
/** "2026-11" to "November 2026". */
export const formatMonth = (month: string) => longMonth(new Date(`${month}-01`));

const twoDigits = (number: number) => String(number).padStart(2, "0");

/** Seconds as m:ss, or h:mm:ss when an hour or more. */
export function formatTime(seconds: number) {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = twoDigits(whole % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/**
 * A length in a list: "1h 5m" from 60 minutes, else "45m", which machines read in a `<time>` as it is. Whatever lasts at
 * all lasts a minute.
 */
export function formatDuration(seconds: number) {
  const minutes = seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0;
  return minutes >= 60 ? `${Math.floor(minutes / 60)}h ${minutes % 60}m` : `${minutes}m`;
}

/** Not by `toLocaleString`: a browser's first use of it costs 30 ms, just when the page is to become alive. */
const grouped = (whole: number) => String(whole).replace(/\B(?=(\d{3})+$)/g, ",");

/** "1 like", "1,204 likes". */
export const counted = (number: number, noun: string) =>
  `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

/** The current year where the site is. */
export const yearOf = dates("en-AU", { year: "numeric" });
