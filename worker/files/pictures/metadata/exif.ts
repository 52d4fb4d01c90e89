const ORIENTATION = 0x0112;

/** Bytes of Exif that are read, whatever its length; its first directory is at the start. */
export const EXIF_BEGINNING = 64 * 1024;

/** 1 to 8, from Exif's first directory; 1, upright, if it is missing or an offset is invalid. */
export function orientationOf(exif: DataView) {
  if (exif.byteLength < 8) return 1;
  // "II" (little-endian) or "MM".
  const isLittle = exif.getUint16(0) === 0x4949;
  const directory = exif.getUint32(4, isLittle);
  const entries = directory + 2 <= exif.byteLength ? exif.getUint16(directory, isLittle) : 0;
  const end = Math.min(directory + 2 + entries * 12, exif.byteLength);
  for (let at = directory + 2; at + 12 <= end; at += 12) {
    if (exif.getUint16(at, isLittle) !== ORIENTATION) continue;
    const orientation = exif.getUint16(at + 8, isLittle);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}

/** Exif without any entry: "MM", 42, a directory at byte 8. */
export const EMPTY_EXIF = new Uint8Array([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]);

/** One entry: the tag, type 3 (a short), a count of 1; the value follows. */
const ENTRY = [0, 1, ORIENTATION >> 8, ORIENTATION & 0xff, 0, 3, 0, 0, 0, 1];

/** Exif with only the orientation. */
export const exifOf = (orientation: number) =>
  new Uint8Array([...EMPTY_EXIF.subarray(0, 8), ...ENTRY, 0, orientation, 0, 0, 0, 0, 0, 0]);
