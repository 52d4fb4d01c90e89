/** A font for letters that the pictures' own fonts lack: a package of Fontsource, whose files each have some characters. */
export type FontFamily = {
  /** Below `@fontsource-variable/`; also the folder of its files in the assets. */
  package: string;
  /** As in the files' name table, which resvg reads. */
  name: string;
  /** The subsets that are deployed, as `unicode.json` names them. */
  subsets: RegExp;
  /**
   * The width of an outline in ems, which makes the strokes as heavy as those of the pictures' own fonts: resvg draws the
   * default instance of a variable font, which is thin in some. A package with a file for each weight has 76 MB.
   */
  outline: number;
};

const NUMBERED = /^\[\d+\]$/;

const NOTO: FontFamily = {
  package: "noto-sans",
  name: "Noto Sans",
  subsets: /^(?:greek|greek-ext|cyrillic|cyrillic-ext|devanagari)$/,
  outline: 0.01,
};
const ARABIC: FontFamily = {
  package: "noto-sans-arabic",
  name: "Noto Sans Arabic",
  subsets: /^arabic$/,
  outline: 0.01,
};
const HEBREW: FontFamily = {
  package: "noto-sans-hebrew",
  name: "Noto Sans Hebrew Thin",
  subsets: /^hebrew$/,
  outline: 0.05,
};
const THAI: FontFamily = {
  package: "noto-sans-thai",
  name: "Noto Sans Thai",
  subsets: /^thai$/,
  outline: 0.01,
};
const CHINESE: FontFamily = {
  package: "noto-sans-sc",
  name: "Noto Sans SC Thin",
  subsets: NUMBERED,
  outline: 0.045,
};
const JAPANESE: FontFamily = {
  package: "noto-sans-jp",
  name: "Noto Sans JP Thin",
  subsets: NUMBERED,
  outline: 0.045,
};
const KOREAN: FontFamily = {
  package: "noto-sans-kr",
  name: "Noto Sans KR Thin",
  subsets: NUMBERED,
  outline: 0.045,
};

export const fontFamilies = [NOTO, ARABIC, HEBREW, THAI, CHINESE, JAPANESE, KOREAN];

const BY_SCRIPT: [RegExp, FontFamily][] = [
  [/[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Devanagari}]/u, NOTO],
  [/\p{Script=Arabic}/u, ARABIC],
  [/\p{Script=Hebrew}/u, HEBREW],
  [/\p{Script=Thai}/u, THAI],
];
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u;

/** The families that a text needs, the preferred one first. Han characters look as in the language of the other ones. */
export function familiesFor(text: string) {
  const families = BY_SCRIPT.filter(([script]) => script.test(text)).map(([, family]) => family);
  if (!EAST_ASIAN.test(text)) return families;
  const preferred = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? JAPANESE
    : /\p{Script=Hangul}/u.test(text)
      ? KOREAN
      : CHINESE;
  return [...families, ...new Set([preferred, CHINESE, JAPANESE, KOREAN])];
}

/** Where the Worker finds a family's list of characters and its files among the assets. */
export const FONTS_FOLDER = "share-fonts";
export const charactersFile = (family: FontFamily) => `${FONTS_FOLDER}/${family.package}/unicode.json`;
export const fontFile = (family: FontFamily, subset: string) =>
  `${FONTS_FOLDER}/${family.package}/${fontFileName(family, subset)}`;
/** As Fontsource names it: `[119]` is `…-119-…`. */
export const fontFileName = (family: FontFamily, subset: string) =>
  `${family.package}-${subset.replace(/[[\]]/g, "")}-wght-normal.woff2`;
