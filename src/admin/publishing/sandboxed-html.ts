/** For a frame of this origin in which nothing runs or is sent; the tabs that its links open are like any other. */
export const STILL = "allow-same-origin allow-popups allow-popups-to-escape-sandbox";

/** The HTML of a document for such a frame: its links open in tabs of their own, also while its pictures load. */
export function stillHtml(document: Document) {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    const href = link.getAttribute("href")!;
    // By default it would navigate relative to the address of the page around the frame.
    if (href.startsWith("#")) link.setAttribute("href", `about:srcdoc${href}`);
    else Object.assign(link, { target: "_blank", rel: "noopener" });
  }
  return `<!doctype html>${document.documentElement.outerHTML}`;
}

export const parseHtml = (html: string) => new DOMParser().parseFromString(html, "text/html");
