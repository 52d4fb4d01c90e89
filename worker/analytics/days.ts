export const DAY_MS = 86_400_000;

/** The number of a day of UTC, from 1 January 1970. */
export const dayOf = (time: Date | number) => Math.floor(Number(time) / DAY_MS);

/** As yyyy-mm-dd. */
export const isoDay = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

export const dayOfIso = (iso: string) => dayOf(Date.parse(iso));

/** Days of a block; see the roll-ups in table.ts. */
export const BLOCK = 10;

/** A period as whole blocks, and the days before and behind them. Both ends inclusive; an empty range has `to` before `from`. */
export function spansOf(from: number, to: number) {
  const firstBlock = Math.ceil(from / BLOCK) * BLOCK;
  const endOfBlocks = Math.floor((to + 1) / BLOCK) * BLOCK;
  if (endOfBlocks <= firstBlock) return [{ span: 1, from, to }];
  return [
    { span: 1, from, to: firstBlock - 1 },
    { span: BLOCK, from: firstBlock, to: endOfBlocks - BLOCK },
    { span: 1, from: endOfBlocks, to },
  ];
}
