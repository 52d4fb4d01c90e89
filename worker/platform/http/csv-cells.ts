/** Keeps the cells of CSV files plain text, on the server and in the browser. */

/** Text that a spreadsheet would run as a formula, full-width characters included. */
export const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

/**
 * The text with an apostrophe where a formula would begin behind a semicolon, a tab or a line break. Spreadsheets of many countries
 * separate cells at semicolons and others at tabs, also in a file whose cells are separated by commas: neither sees the quotes
 * around a cell, and a line break in it ends the row.
 */
const withoutInnerFormulas = (cell: string) => cell.replaceAll(INNER_FORMULA, "$&'");

const INNER_FORMULA = /[;\t\n\r](?=[^\S\t\n\r]*[=+\-@＝＋－＠])/g;

/** The text with bidirectional overrides and control characters replaced by U+FFFD. */
const visible = (cell: string) => cell.replaceAll(INVISIBLE, "\ufffd");

const INVISIBLE = /(?![\n\r\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

/** A cell whose text a spreadsheet shows and does not run; a formula at its beginning is left to the writer of the lines. */
export const plainCell = (cell: string) => withoutInnerFormulas(visible(cell));
