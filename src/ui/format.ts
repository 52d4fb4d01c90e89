/** Dates read the same on the server and in every browser: the site's own time zone, not the reader's. */
const timeZone = "Australia/Sydney";

const shortDate = new Intl.DateTimeFormat("en-US", { timeZone, dateStyle: "medium" });
const longDate = new Intl.DateTimeFormat("en-AU", { timeZone, dateStyle: "long" });
const longDateTime = new Intl.DateTimeFormat("en-AU", {
  timeZone,
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

/** Milliseconds UTC to "Nov 21, 2026": lists. */
export const formatShortDate = (at: number | Date) => shortDate.format(at);
/** "21 November 2026": everywhere else. */
export const formatLongDate = (at: number | Date) => longDate.format(at);
/** "21 November 2026 at 9:30 am AEDT". */
export const formatDateTime = (at: number | Date) => longDateTime.format(at);
/** For `<time dateTime>`. */
export const isoDate = (at: number | Date) => new Date(at).toISOString();

const longMonth = new Intl.DateTimeFormat("en-AU", { timeZone: "UTC", year: "numeric", month: "long" });
/** "2026-11" to "November 2026". */
export const formatMonth = (month: string) => longMonth.format(new Date(`${month}-01`));

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

const count = new Intl.NumberFormat("en-AU");
/** "1 like", "1,204 likes". */
export const counted = (number: number, noun: string) =>
  `${count.format(number)} ${noun}${number === 1 ? "" : "s"}`;

const year = new Intl.DateTimeFormat("en-AU", { timeZone, year: "numeric" });
/** The current year where the site is. */
export const yearOf = (at: number | Date) => year.format(at);
