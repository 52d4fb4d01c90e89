/**
 * A text with a secret replaced by “…”, also as JSON or an address escapes it. Services repeat a key that they refuse, and
 * their words are stored, logged and shown.
 */
export const hideSecret = (text: string, secret: string) =>
  secret === "" ? text : text.replace(new RegExp([...secret].map(waysToWrite).join(""), "gu"), "…");

/** A pattern of a character as it is, behind a few backslashes, as JSON’s number of it, and percent-encoded. */
function waysToWrite(character: string) {
  const units = Array.from({ length: character.length }, (_, at) =>
    inAnyCase(hex(character.charCodeAt(at), 4)),
  );
  const bytes = [...new TextEncoder().encode(character)].map((byte) => `%${inAnyCase(hex(byte, 2))}`);
  const numbered = units.map((unit) => `\\\\{1,4}u${unit}`).join("");
  return `(?:\\\\{0,4}${RegExp.escape(character)}|${numbered}|${bytes.join("")})`;
}

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, "0");
const inAnyCase = (digits: string) => digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
