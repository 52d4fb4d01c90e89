/**
 * The page with the loaders' data in it, for `inline/hand-over.ts`. React Router would write both itself while it streams
 * (its `StreamTransfer`), which a page rendered as one string cannot wait for.
 *
 * Its data is a flat array of values that refer to each other (https://github.com/jacob-ebey/turbo-stream); those
 * references are what compresses worst in a page. So plain data is sent as plain JSON, and the script makes the array of
 * it; what JSON cannot say is sent as React Router encodes it. A written text stands in the page already, and is most of
 * many a page: the script takes it there.
 */
export async function handOff(html: string, data: unknown, encode: () => Promise<string>) {
  const sent = isPlain(data) ? data : await encode();
  const placeOf = placesOf(html);
  const json = JSON.stringify(sent, (_, value) => textAt(placeOf(value)) ?? value);
  const element = elementOf(json.replaceAll("<", "\\u003c"));
  const place = html.includes(PLACE) ? PLACE : "</head>";
  return html.replace(place, () => (place === PLACE ? element : element + place));
}

/** The attribute by which the script finds the data. */
export const DATA = "data-handoff";
const elementOf = (json: string) => `<script type="application/json" ${DATA}="">${json}</script>`;

/**
 * A page may have an empty one where it wants the data: compression finds what was said within the last 32 kB, so it
 * should stand near what the page shows of it. Otherwise it is put into the head.
 */
const PLACE = elementOf("");

/** How the flat array says null; numbers from 0 are places in it. */
export const NULL = -5;

/** Whether JSON gives back what it is given; it leaves out what is undefined. */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean";
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  return (
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every((inner) => inner === undefined || isPlain(inner))
  );
}

/** Stands in the data for a text of the page. No object of ours has a nameless property. */
const textAt = (place: number | undefined) => (place === undefined ? undefined : { "": place });

/** Whatever shows written HTML has this class first. Both find the same elements, in the order of the page. */
const TEXT = "reading";
const CLASS = new RegExp(` class="${TEXT}[ "][^>]*>`, "g");
export const SELECTOR = `[class='${TEXT}'],[class^='${TEXT} ']` as const;
/** Shorter ones weigh no more than saying where they are. */
const WORTHWHILE = 200;

/** Where in the page a text stands as it is. */
function placesOf(html: string) {
  const starts = [...html.matchAll(CLASS)]
    .filter(({ index }) => html.lastIndexOf("<", index) > html.lastIndexOf(">", index))
    .map(({ index, 0: { length } }) => index + length);
  return (value: unknown) => {
    if (!isWritten(value)) return undefined;
    const place = starts.findIndex(
      (start) => html.startsWith(value, start) && html.startsWith("</", start + value.length),
    );
    return place === -1 ? undefined : place;
  };
}

/** HTML, which a browser gives back as HTML; plain text it would give back escaped. */
const isWritten = (value: unknown): value is string =>
  typeof value === "string" && value.length >= WORTHWHILE && value.startsWith("<");
