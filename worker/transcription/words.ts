/** A word as a model heard it, with its time in seconds from the start of the recording. */
export type Word = {
  start: number;
  end: number;
  text: string;
  /** The number of a voice, if the model distinguishes voices. */
  voice?: number;
};

/** What a model heard in a piece. */
export type Heard = {
  words: Word[];
  /** As the model names it; null if it does not. */
  language: string | null;
};

/** A word as it is compared and sought: without case and punctuation. */
export const bareWord = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
