import { UnreadableError } from "#worker/files/invalid.ts";
import { cleanGif } from "#worker/files/pictures/metadata/gif.ts";
import { cleanHeif } from "#worker/files/pictures/metadata/heif.ts";
import { cleanJpeg } from "#worker/files/pictures/metadata/jpeg.ts";
import { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import { cleanPng } from "#worker/files/pictures/metadata/png.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";
import { cleanWebp } from "#worker/files/pictures/metadata/webp.ts";

const cleaners: Record<string, (reader: Reader, pieces: Pieces) => Promise<void>> = {
  "image/jpeg": cleanJpeg,
  "image/png": cleanPng,
  "image/gif": cleanGif,
  "image/webp": cleanWebp,
  "image/avif": cleanHeif,
  "image/heic": cleanHeif,
};

/**
 * A picture as it may be published: without locations, names, serial numbers and other metadata of cameras or programs.
 * Orientation and colour profile remain; the picture itself is not decoded.
 * @throws InvalidFileError if the file is cut off, or has too many parts.
 * @throws UnreadableError if its structure is invalid.
 */
export async function cleanPicture(file: Blob): Promise<Pieces> {
  const clean = cleaners[file.type];
  if (!clean) throw new UnreadableError(`${file.type} is not a picture`);
  const pieces = new Pieces();
  try {
    await clean(new Reader(file), pieces);
  } catch (error) {
    // A length that points past the end of its container.
    if (error instanceof RangeError) throw new UnreadableError("A wrong length", { cause: error });
    throw error;
  }
  return pieces;
}
