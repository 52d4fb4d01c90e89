/** A file that is refused. The message is for its uploader. */
export class InvalidFileError extends Error {}

/** A file whose structure makes no sense. */
export class UnreadableError extends Error {}

export const cutOff = () => new InvalidFileError("The file seems cut off. Upload it again.");
export const isNotPlayed = (codec: string) =>
  new InvalidFileError(
    `Browsers and podcast apps don’t play the audio in this file (${codec}). Export it as MP3 or M4A.`,
  );
export const tooManyParts = () =>
  new InvalidFileError("The file has too many small parts. Export it again and retry.");
