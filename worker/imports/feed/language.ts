import { languageTag } from "#worker/platform/contract.ts";

/** The languages of podcasts that feeds call by a name. */
const CODES =
  "en de fr es it pt nl sv da nb nn no fi is pl cs sk sl hr sr bs mk bg ro hu el tr ru uk be lt lv et ga cy eu ca gl mt sq ar he fa ur hi bn ta te mr gu pa id ms tl vi th ja ko zh af sw am".split(
    " ",
  );

let known: Map<string, string> | undefined;

/** By its name in English, and in itself. */
function codesByName() {
  if (known) return known;
  known = new Map();
  for (const code of CODES)
    for (const language of ["en", code]) {
      const name = new Intl.DisplayNames(language, { type: "language" }).of(code);
      if (name) known.set(name.toLowerCase(), code);
    }
  return known;
}

/** Characters: no tag or name is longer. */
const LONGEST = 100;

/** The tag of a language that a feed writes as `en_US`, `EN-us`, `eng` or "English (US)"; null for none. */
export function languageOf(text: string): string | null {
  const given = text.trim().slice(0, LONGEST);
  if (given === "") return null;
  const [name = ""] = given.toLowerCase().split(/\s*[(,;/]/);
  const tag = codesByName().get(name.trim()) ?? given.replaceAll("_", "-").replace(/\..*$/, "");
  const read = languageTag.safeParse(tag);
  return read.success ? read.data : null;
}
