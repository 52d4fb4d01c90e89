/** Keeps the cells of CSV files plain text, on the server and in the browser. */

/** Text that a spreadsheet would run as a formula, full-width characters included. */
export const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

/**
 * The text with an apostrophe where a formula would begin behind a semicolon: spreadsheets of many countries separate cells there,
 * also in a file whose cells are separated by commas.
 */
export const withoutInnerFormulas = (cell: string) => cell.replaceAll(INNER_FORMULA, ";'");

const INNER_FORMULA = /;(?=\s*[=+\-@＝＋－＠])/g;

/** The text with bidirectional overrides and control characters replaced by U+FFFD. */
export const visible = (cell: string) => cell.replaceAll(INVISIBLE, "\ufffd");

const INVISIBLE = /(?![\n\r\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;
