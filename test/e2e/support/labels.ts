import type { Page } from "@playwright/test";

/**
 * What a window of this width squeezes: labels that break within a word or leave their box, icons that lose their shape,
 * and text that is cut off without an ellipsis. A description of each.
 */
export const squeezedParts = (page: Page) =>
  page.evaluate(() => {
    /** Pixels that rounding takes. */
    const SLACK = 1;
    const LABELS =
      "a[href], button, summary, label, legend, th, dt, [role=tab], [role=menuitem], h1, h2, h3, h4, h5, h6";
    const found: string[] = [];
    const report = (what: string, element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      const name = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
      found.push(`${what}: <${element.localName}> ${name} (${Math.round(width)} × ${Math.round(height)})`);
    };
    // What is far below is laid out too.
    document.documentElement.classList.remove("first-layout");
    /** Also if a text is only for screen readers at some widths. */
    const isUnseenText = (element: Element) => {
      const { position, width } = getComputedStyle(element);
      return position === "absolute" && width === "1px";
    };
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest(".sr-only, [inert]") &&
      !isUnseenText(element);

    const boxesOf = (text: Text, start: number, end: number) => {
      const range = document.createRange();
      range.setStart(text, start);
      range.setEnd(text, end);
      return [...range.getClientRects()].filter(({ width }) => width > 0);
    };
    for (const label of document.querySelectorAll(LABELS)) {
      if (!isSeen(label)) continue;
      const { left, right, top, bottom } = label.getBoundingClientRect();
      const isBox = getComputedStyle(label).display !== "inline";
      const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
      for (let text; (text = texts.nextNode() as Text | null);) {
        const parent = text.parentElement!;
        if (!isSeen(parent) || parent.closest(LABELS) !== label) continue;
        for (const { index, 0: word } of text.data.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
          const boxes = boxesOf(text, index, index + word.length);
          if (new Set(boxes.map((box) => Math.round(box.top))).size > 1) report(`“${word}” is broken`, label);
          const isOutside = boxes.some(
            (box) =>
              box.left < left - SLACK ||
              box.right > right + SLACK ||
              box.bottom - box.height / 4 > bottom ||
              box.top + box.height / 4 < top,
          );
          if (isBox && isOutside && getComputedStyle(parent).textOverflow !== "ellipsis")
            report(`“${word}” leaves its box`, label);
        }
      }
    }
    for (const icon of document.querySelectorAll<SVGSVGElement>("svg[viewBox]")) {
      if (!isSeen(icon)) continue;
      const { width, height } = icon.getBoundingClientRect();
      const { width: wide, height: high } = icon.viewBox.baseVal;
      const declared = Number(icon.getAttribute("width"));
      const isSquare = wide === high && icon.preserveAspectRatio.baseVal.align !== 1;
      if (isSquare && width < height - SLACK) report("squeezed", icon.closest("a, button") ?? icon);
      else if (
        isSquare &&
        declared &&
        width < declared - SLACK &&
        !/size-|\bw-/.test(icon.getAttribute("class") ?? "")
      )
        report(`narrower than ${declared}`, icon.closest("a, button") ?? icon);
    }
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      const style = getComputedStyle(element);
      const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
      const isCutX = /hidden|clip/.test(style.overflowX) && scrollWidth > clientWidth + SLACK;
      const isCutY = /hidden|clip/.test(style.overflowY) && scrollHeight > clientHeight + SLACK;
      if (!isCutX && !isCutY) continue;
      const isMarked = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      if (isMarked || !element.innerText?.trim() || !isSeen(element)) continue;
      if (element.clientWidth > 1) report("cut off", element);
    }
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} wide`);
    return [...new Set(found)];
  });
