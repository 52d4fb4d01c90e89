/** Scripts that are written from right to left (ISO 15924). */
const RIGHT_TO_LEFT = new Set([
  "Adlm",
  "Arab",
  "Aran",
  "Hebr",
  "Mand",
  "Nkoo",
  "Rohg",
  "Samr",
  "Syrc",
  "Thaa",
]);

/** The `dir` of a document in a language, a tag such as ar-EG: `rtl`, or undefined for the default, left to right. */
export function directionOf(language: string) {
  const { script = "" } = new Intl.Locale(language).maximize();
  return RIGHT_TO_LEFT.has(script) ? "rtl" : undefined;
}
