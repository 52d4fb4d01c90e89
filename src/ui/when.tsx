import { useEffect, useRef, useState } from "react";
import { isoDate } from "./format.ts";
import { isHydrating } from "./hydrating.ts";
import { useLocale, type Locale } from "./locale.ts";

type WhenProps<At> = {
  at: At;
  format: (at: At, locale: Locale) => string;
  /** For machines, where `at` says more than is meant. */
  dateTime?: string;
  className?: string;
};

/**
 * A date, for people and for machines. The first page's are left as the server wrote them: a browser's first date costs
 * it 15 ms (four times that on a phone), just when the page is to become alive.
 */
export function When<At extends number | Date | string>({ at, format, dateTime, className }: WhenProps<At>) {
  const locale = useLocale();
  const element = useRef<HTMLTimeElement>(null);
  const [written, setWritten] = useState(isHydrating() ? at : null);
  const isWritten = written === at;
  if (written !== null && !isWritten) setWritten(null);
  useEffect(() => {
    // React makes a page anew that it could not take over.
    if (isWritten && element.current?.textContent === "") setWritten(null);
  }, [isWritten]);
  return (
    <time
      ref={element}
      dateTime={dateTime ?? (typeof at === "string" ? at : isoDate(at))}
      className={className}
      suppressHydrationWarning
    >
      {isWritten ? "" : format(at, locale)}
    </time>
  );
}
