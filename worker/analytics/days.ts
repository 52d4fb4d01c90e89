export const DAY_MS = 86_400_000;

/** The number of a day of UTC, from 1 January 1970. */
export const dayOf = (time: Date | number) => Math.floor(Number(time) / DAY_MS);

/** As yyyy-mm-dd. */
export const isoDay = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

export const dayOfIso = (iso: string) => dayOf(Date.parse(iso));

/** Days of the spans that roll-ups have besides all time, each a part of the one before. */
export const SPAN_DAYS = [30, 5, 1] as const;

export type Span = { span: number; from: number; to: number };

/** A period as few spans: months of 30 days, and at its ends what is left in blocks of five days and in days. */
export function spansOf(from: number, to: number, [span, ...smaller]: readonly number[] = SPAN_DAYS): Span[] {
  if (from > to || span === undefined) return [];
  const first = Math.ceil(from / span) * span;
  const end = Math.floor((to + 1) / span) * span;
  if (end <= first) return spansOf(from, to, smaller);
  return [
    ...spansOf(from, first - 1, smaller),
    { span, from: first, to: end - span },
    ...spansOf(end, to, smaller),
  ];
}
