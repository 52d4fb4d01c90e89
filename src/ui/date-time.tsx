import { useEffect, useRef, useState } from "react";
import { isoDate } from "./format.ts";
import { isHydrating } from "#site/document/hydrating.ts";
import { useLocale, type Locale } from "./locale.ts";

type DateTimeProps<At> = {
  at: At;
  format: (at: At, locale: Locale) => string;
  /** The attribute, if `at` is more precise than the shown date. */
  dateTime?: string;
  className?: string;
};

/**
 * A `<time>` element. During hydration it keeps the server's text: a browser's first use of `Intl` takes 15 ms, on a phone
 * four times that.
 */
export function DateTime<At extends number | Date | string>({
  at,
  format,
  dateTime,
  className,
}: DateTimeProps<At>) {
  const locale = useLocale();
  const element = useRef<HTMLTimeElement>(null);
  const [serverDate, setServerDate] = useState(isHydrating() ? at : null);
  const isServerText = serverDate === at;
  if (serverDate !== null && !isServerText) setServerDate(null);
  useEffect(() => {
    // React clears the text if hydration fails.
    if (isServerText && element.current?.textContent === "") setServerDate(null);
  }, [isServerText]);
  return (
    <time
      ref={element}
      dateTime={dateTime ?? (typeof at === "string" ? at : isoDate(at))}
      className={className}
      suppressHydrationWarning
    >
      {isServerText ? "" : format(at, locale)}
    </time>
  );
}
