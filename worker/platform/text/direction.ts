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

/** Cached, since a search in the engine's locale data is expensive. One is enough: a site has one language. */
let known: { language: string; locale: Intl.Locale } | undefined;

/** A language tag with its likeliest script and territory: de is de-Latn-DE. */
export function likelyLocale(language: string) {
  if (known?.language !== language) known = { language, locale: new Intl.Locale(language).maximize() };
  return known.locale;
}

/** The `dir` of a document in a language, a tag such as ar-EG: `rtl`, or undefined for the default, left to right. */
export function directionOf(language: string) {
  const { script = "" } = likelyLocale(language);
  return RIGHT_TO_LEFT.has(script) ? "rtl" : undefined;
}
