import type { StoredFile } from "#worker/files/contract.ts";

/** Artwork as Apple takes it: square, 1400 to 3000 px, JPEG or PNG, RGB, no alpha channel. */
const SIDE = { min: 1400, max: 3000 };
const TYPES = ["image/jpeg", "image/png"];

type Artwork = Pick<StoredFile, "type" | "width" | "height" | "hasAlpha" | "isCmyk">;

/** What podcast apps would refuse of a picture, a sentence each. `what` it is begins them. */
export function artworkFaults({ type, width, height, hasAlpha, isCmyk }: Artwork, what: string) {
  const faults: string[] = [];
  if (!TYPES.includes(type)) faults.push(`${what} should be a JPEG or PNG for podcast apps.`);
  if (hasAlpha) faults.push(`${what} has transparent areas; Apple Podcasts requires an opaque picture.`);
  if (isCmyk) faults.push(`${what} uses print colours (CMYK); Apple Podcasts requires RGB.`);
  if (width === null || height === null) return faults;
  const wanted = wantedSize(width, height);
  if (wanted) faults.push(`${what} is ${width} × ${height} px; ${wanted}`);
  return faults;
}

function wantedSize(width: number, height: number) {
  const isSquare = width === height;
  const isInRange = Math.min(width, height) >= SIDE.min && Math.max(width, height) <= SIDE.max;
  const range = `${SIDE.min} to ${SIDE.max} px`;
  if (!isSquare) return isInRange ? "podcast apps need a square." : `podcast apps need a square of ${range}.`;
  return isInRange ? null : `Apple requires ${range} each side.`;
}

/** The side in px of the largest square that fits and can be cut from a picture; null when it is too small. */
export function fittingSide({ width, height }: Pick<Artwork, "width" | "height">) {
  const shorter = Math.min(width ?? 0, height ?? 0);
  return shorter < SIDE.min ? null : Math.min(shorter, SIDE.max);
}
