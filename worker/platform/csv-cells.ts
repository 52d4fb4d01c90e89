/** What keeps a cell of a CSV file a text, wherever the file is written. */

/** What a spreadsheet would take for a formula, in wide characters, too. */
export const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

/** A text in which stands as one that can be seen what turns the text behind it, or is no character. */
export const visible = (cell: string) => cell.replaceAll(INVISIBLE, "\ufffd");

const INVISIBLE = /(?![\n\r\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;
