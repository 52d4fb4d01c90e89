import type { Limits } from "#worker/files/audio/cutting/piece.ts";
import type { Plan } from "#worker/platform/plan-limits.ts";

const OVERLAP = 10;

/** How long a piece is. Small ones on the free plan, whose invocations have 10 ms of processor time. */
export const pieceLimits: Record<Plan, Limits> = {
  free: { seconds: 120, overlap: OVERLAP, bytes: 4_000_000 },
  paid: { seconds: 240, overlap: OVERLAP, bytes: 12_000_000 },
};

/** Seconds that the model is sent of a recording of this length, with what the pieces overlap. */
export function sentSeconds(lasts: number, { seconds, overlap }: Limits) {
  const pieces = Math.max(1, Math.ceil((lasts - overlap) / (seconds - overlap)));
  return lasts + (pieces - 1) * overlap;
}
