import { useEffect, useState } from "react";
import { formatWeekdayTime } from "#site/ui/format-more.ts";
import { useLocale, type Locale } from "#site/ui/locale.ts";

/** Milliseconds. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Props = {
  /** Milliseconds UTC; null while no time is chosen. */
  at: number | null;
};

/** A sentence that says when a scheduled item will be published. Uses the browser's clock, so not on the server. */
export function GoesOut({ at }: Props) {
  const locale = useLocale();
  const now = useNow();
  return (
    <p role="status" className="text-sm font-medium empty:hidden">
      {at !== null && now !== null && sentenceOf(at, now, locale)}
    </p>
  );
}

function useNow() {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const look = () => setNow(Date.now());
    const first = setTimeout(look);
    const each = setInterval(look, MINUTE);
    return () => {
      clearTimeout(first);
      clearInterval(each);
    };
  }, []);
  return now;
}

function sentenceOf(at: number, now: number, locale: Locale) {
  if (at <= now) return "This time has passed. Choose a later one.";
  const city = locale.timeZone.split("/").at(-1)?.replaceAll("_", " ");
  return `Goes out on ${formatWeekdayTime(at, locale)} (${city}), ${distanceOf(at - now, locale)}.`;
}

/** "in 3 days"; in a suitable unit. */
function distanceOf(milliseconds: number, { language }: Locale) {
  const words = new Intl.RelativeTimeFormat(language);
  if (milliseconds < 90 * MINUTE)
    return words.format(Math.max(1, Math.round(milliseconds / MINUTE)), "minute");
  if (milliseconds < 36 * HOUR) return words.format(Math.round(milliseconds / HOUR), "hour");
  return words.format(Math.round(milliseconds / DAY), "day");
}
