/** LinkedIn's "little" format: hashtags and mentions as templates, and its own signs behind a backslash. */
const LITTLE =
  /\{hashtag\|\\?[#＃]\|((?:\\.|[^\\}])*)\}|@\[((?:\\.|[^\\\]])*)\]\(urn:[^)]*\)|\\([\\|{}@[\]()<>#*_~])/g;

/** The words of a post as its readers see them. */
export const plainWords = (little: string): string =>
  little
    .replaceAll(LITTLE, (_, tag?: string, name?: string, sign?: string) =>
      tag !== undefined ? `#${plainWords(tag)}` : name !== undefined ? plainWords(name) : sign!,
    )
    .replaceAll(/\r\n?/g, "\n")
    .trim();
