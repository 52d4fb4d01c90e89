type Instead = (opening: RegExpExecArray, inner: string, whole: string) => string;

/**
 * Replaces the text between each opening and its closing, in linear time even if many are never closed. `opening` and
 * the expression that `closingOf` returns for its first group must be global.
 */
export function replaceEnclosed(
  text: string,
  opening: RegExp,
  closingOf: (name: string) => RegExp,
  instead: Instead,
) {
  const unclosed = new Set<string>();
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(opening)) {
    const name = match[1]!.toLowerCase();
    if (match.index < at || unclosed.has(name)) continue;
    const start = match.index + match[0].length;
    const closing = closingOf(name);
    closing.lastIndex = start;
    const found = closing.exec(text);
    if (!found) {
      unclosed.add(name);
      continue;
    }
    const end = found.index + found[0].length;
    parts.push(
      text.slice(at, match.index),
      instead(match, text.slice(start, found.index), text.slice(match.index, end)),
    );
    at = end;
  }
  return parts.join("") + text.slice(at);
}
