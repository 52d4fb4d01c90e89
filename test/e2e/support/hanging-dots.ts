/** Each dot between facts, or slash of a breadcrumb, that is the first or the last thing of its line, with the words around it. */
export const hangingDots = () => {
  const DOT = "·";
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true });
  const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2;
  const isBeside = (one: DOMRect, other: DOMRect) =>
    Math.abs(middle(one) - middle(other)) < Math.min(one.height, other.height) / 2;
  const found: string[] = [];
  for (const element of document.querySelectorAll("body *")) {
    for (const pseudo of ["::before", "::after"]) {
      const { content, marginLeft } = getComputedStyle(element, pseudo);
      if (!content.startsWith(`"${DOT}"`) && !content.startsWith('"/"')) continue;
      if (!isSeen(element)) continue;
      const place = element.getBoundingClientRect();
      const others = [...element.parentElement!.children].filter(
        (other) => other !== element && isSeen(other),
      );
      const boxes = others
        .map((other) => other.getBoundingClientRect())
        .filter((box) => isBeside(box, place));
      const isBefore = pseudo === "::before";
      const edge = element.parentElement!.getBoundingClientRect();
      // It is in the gap before its element, where the parent's clip path cuts it off at the beginning of a line.
      const isCut =
        isBefore &&
        getComputedStyle(element.parentElement!).clipPath.startsWith("inset(") &&
        place.left + parseFloat(marginLeft) / 2 < edge.left - 4;
      const isAlone = isBefore
        ? !boxes.some((box) => box.right <= place.left)
        : !boxes.some((box) => box.left >= place.right);
      if (isAlone && !isCut) found.push(`${pseudo} ${element.parentElement!.textContent}`);
    }
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const parent = text.parentElement!;
    if (/^(script|style|noscript)$/i.test(parent.tagName) || !isSeen(parent)) continue;
    for (const { index } of text.data.matchAll(new RegExp(`${DOT}|^/$`, "g"))) {
      const boxOf = (start: number, end: number) => {
        const range = document.createRange();
        range.setStart(text, start);
        range.setEnd(text, end);
        return range.getBoundingClientRect();
      };
      const place = boxOf(index, index + 1);
      const block = parent.closest("p, li, div, td, dd, h1, h2, h3")!;
      const around = document.createRange();
      around.selectNodeContents(block);
      const boxes = [...around.getClientRects()].filter((box) => box.width > 0 && isBeside(box, place));
      const isFirst = !boxes.some((box) => box.left < place.left - 1);
      const isLast = !boxes.some((box) => box.right > place.right + 1);
      if (isFirst || isLast) found.push(block.textContent);
    }
  }
  return found;
};
