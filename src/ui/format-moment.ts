import { dates } from "./dates.ts";

/** "21 November 2026 at 9:30 am AEDT". */
export const formatDateTime = /* @__PURE__ */ dates({
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});
/** "9:30 am". */
export const formatClock = /* @__PURE__ */ dates({ hour: "numeric", minute: "2-digit" });
/** "Sunday 4 October 2026 at 6:00 am AEDT". */
export const formatWeekdayTime = /* @__PURE__ */ dates({
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});
