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
 * A picture as it may be published: without places, names, serial numbers and whatever else a camera or a program wrote
 * beside it. Orientation and colour profile stay; the picture itself is not decoded.
 * @throws InvalidFileError when the file is cut off, or made of too many parts to be gone through.
 * @throws UnreadableError when its structure makes no sense.
 */
export async function cleanPicture(file: Blob): Promise<Pieces> {
  const clean = cleaners[file.type];
  if (!clean) throw new UnreadableError(`${file.type} is not a picture`);
  const pieces = new Pieces();
  try {
    await clean(new Reader(file), pieces);
  } catch (error) {
    // A length that points past the end of what it stands in.
    if (error instanceof RangeError) throw new UnreadableError("A wrong length", { cause: error });
    throw error;
  }
  return pieces;
}
