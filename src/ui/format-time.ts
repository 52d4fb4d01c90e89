import { dates } from "./format.ts";

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
