const BLOCK =
  "html|head|body|p|div|h[1-6]|article|section|main|ul|ol|dl|figure|blockquote|pre|table|script|style";
const beginsWithBlock = new RegExp(`^<(?:!doctype|${BLOCK})\\b`, "i");
const endsWithBlock = new RegExp(`</(?:${BLOCK})\\s*>$`, "i");

/** Whether a text is HTML as a whole, as some exports have it. Markdown may begin with a block of HTML, too. */
export function isHtml(text: string) {
  const shown = text.replaceAll(/<!--[\s\S]*?-->/g, "").trim();
  return beginsWithBlock.test(shown) && endsWithBlock.test(shown);
}

/** Whether a Markdown text has HTML in it, outside its code. */
export const hasHtml = (text: string) =>
  /<\/?(?:script|style|iframe|div|span|p|br|img|video|audio|embed|object|form|table|center|font|details|figure|sup|sub)\b/i.test(
    withoutCode(text),
  );

/** Pictures of a Markdown text that this site does not have. */
export const foreignPictures = (text: string) =>
  [...withoutCode(text).matchAll(/!\[[^\]]{0,1000}\]\(\s*<?([^\s)>]+)/g)].filter(
    ([, address]) => !address!.startsWith("/media/"),
  ).length;

const withoutCode = (text: string) => text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");
