/**
 * Runs in the page, by its source alone. The element that a person would mean: shown, of this role, and so called.
 * The name is what a screen reader would most likely say, which is enough to find something by.
 */
export function find({ role, name, within }: Target): HTMLElement | null {
  const selectors: Record<Role, string> = {
    alert: "[role=alert]",
    article: "article",
    button: "button",
    dialog: "dialog[open], [role=dialog], [role=alertdialog]",
    field: "input, textarea, select",
    group: "fieldset, [role=group]",
    heading: "h1, h2, h3",
    label: "label",
    link: "a[href]",
    list: "ul, ol",
    option: "input[type=radio]",
    region: "section, [role=region], [role=contentinfo], footer",
    slider: "input[type=range]",
    status: "[role=status]",
    textbox: "input:not([type]), input[type=email], input[type=text]",
  };
  const squeeze = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  const nameOf = (element: HTMLElement) => {
    const said = element.getAttribute("aria-label");
    const ids = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const labels = "labels" in element ? [...(element.labels as NodeListOf<HTMLElement>)] : [];
    const sources = ids.length > 0 ? ids.map((id) => document.getElementById(id)) : labels;
    if (said !== null) return squeeze(said);
    if (sources.length > 0) return squeeze(sources.map((source) => source?.textContent ?? "").join(" "));
    return squeeze(element.textContent);
  };
  const isShown = (element: HTMLElement) =>
    element.getClientRects().length > 0 &&
    getComputedStyle(element).visibility !== "hidden" &&
    !element.closest("[inert], [aria-hidden=true]");
  const isCalled = (element: HTMLElement) =>
    name === undefined ||
    (name.endsWith("…") ? nameOf(element).startsWith(name.slice(0, -1)) : nameOf(element) === name);
  const root = within ? find(within) : document;
  const candidates = [...(root?.querySelectorAll<HTMLElement>(selectors[role]) ?? [])];
  return candidates.find((element) => isShown(element) && isCalled(element)) ?? null;
}

export type Role =
  | "alert"
  | "article"
  | "button"
  | "dialog"
  | "field"
  | "group"
  | "heading"
  | "label"
  | "link"
  | "list"
  | "option"
  | "region"
  | "slider"
  | "status"
  | "textbox";

/** A name that ends with … is the beginning of one; without a name it is the first of its role. */
export type Target = { role: Role; name?: string; within?: Target };

/** Runs in the page: the middle of an element, once a pointer there would hit it; otherwise null. */
export function middleOf(element: HTMLElement) {
  const isWithin = ({ top, bottom }: DOMRect) => top >= 0 && bottom <= innerHeight;
  if (!isWithin(element.getBoundingClientRect()))
    element.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  const hit = document.elementFromPoint(x, y);
  return hit && (element.contains(hit) || hit.contains(element)) ? { x, y, left, width } : null;
}
