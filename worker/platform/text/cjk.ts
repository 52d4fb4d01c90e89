/**
 * For the brackets of a regular expression: punctuation of Chinese, Japanese and Korean texts, except characters that
 * occur in names (・ 々 〜).
 */
export const CJK_PUNCTUATION =
  "\\u2014\\u201c\\u201d\\u2026\\u3000-\\u3003\\u3008-\\u3011\\u3014-\\u301b\\u301d-\\u301f" +
  "\\ufe10-\\ufe19\\ufe30-\\ufe44\\ufe50-\\ufe57\\uff01\\uff08\\uff09\\uff0c\\uff0e\\uff0f\\uff1a\\uff1b\\uff1f" +
  "\\uff3b\\uff3d\\uff5b-\\uff5d\\uff5f-\\uff64";

/** The same for UTF-16 units of Han, kana, Hangul and Bopomofo; the surrogates are the first halves of rare Han characters. */
export const CJK_LETTER =
  "\\u1100-\\u11ff\\u2e80-\\u2fdf\\u3005-\\u3007\\u3041-\\u3096\\u30a1-\\u30ff\\u3105-\\u318e\\u31a0-\\u31ff" +
  "\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua960-\\ua97f\\uac00-\\ud7ff\\ud840-\\ud888\\uf900-\\ufaff\\uff66-\\uffdc";

const punctuation = new RegExp(`[${CJK_PUNCTUATION}]`);
const letter = new RegExp(`[${CJK_LETTER}]`);

export const isCjkPunctuation = (unit: string) => punctuation.test(unit);
export const isCjkLetter = (unit: string) => letter.test(unit);
