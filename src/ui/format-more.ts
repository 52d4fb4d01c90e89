// Formats that few pages need: a first visit does without them.
import { dates, ofDay } from "./format.ts";
import type { Locale } from "./locale.ts";

/** "9:30 am". */
export const formatClock = dates({ hour: "numeric", minute: "2-digit" });
/** "Sunday 4 October 2026 at 6:00 am AEDT". */
export const formatWeekdayTime = dates({
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

const longMonth = dates({ year: "numeric", month: "long" });
/** "2026-11" to "November 2026". */
export const formatMonth = (month: string, locale: Locale) =>
  longMonth(new Date(`${month}-01`), ofDay(locale));
