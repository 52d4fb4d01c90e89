import { InvalidFileError, UnreadableError } from "#worker/files/invalid.ts";
import { cleanPicture } from "#worker/files/pictures/metadata/clean.ts";
import type { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import {
  isTooLarge,
  readPicture,
  tooManyPixels,
  type Dimensions,
} from "#worker/files/pictures/picture-headers.ts";
import { logWarning } from "#worker/platform/log.ts";

/** A clean picture's headers are in here, its colour profile among them. */
const PICTURE_HEADERS = 4 * 1024 * 1024;

export type InspectedPicture = Dimensions & { clean: Pieces };

/**
 * The facts of a picture, and its cleaned bytes; null if it is not readable.
 * @throws InvalidFileError if it is truncated, or too large.
 */
export async function inspectPicture(file: Blob): Promise<InspectedPicture | null> {
  try {
    const clean = await cleanPicture(file);
    const dimensions = readPicture(await clean.bytes(file, PICTURE_HEADERS), file.type);
    if (dimensions && isTooLarge(dimensions)) throw new InvalidFileError(tooManyPixels(dimensions));
    return dimensions && { ...dimensions, clean };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    logWarning("files: a picture could not be read", error);
    return null;
  }
}
