import type { Locale } from "#site/ui/locale.ts";

/** "12 Nov", below a chart. A day is written as its midnight UTC. */
export function shortDays({ language }: Locale) {
  const format = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });
  return (day: string) => format.format(new Date(day));
}
