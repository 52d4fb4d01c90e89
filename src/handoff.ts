/**
 * The page with the loaders' data in it, for `inline/hand-over.ts`. React Router would write both itself while it streams
 * (its `StreamTransfer`), which a page rendered as one string cannot wait for.
 *
 * Its data is a flat array of values that refer to each other (https://github.com/jacob-ebey/turbo-stream); those
 * references are what compresses worst in a page. So plain data is sent as plain JSON, and the script makes the array of
 * it. A written text stands in the page already, and is most of many a page: the script takes it there.
 */
export function handOff(data: string, html: string) {
  const end = data.indexOf("\n");
  // What comes later, in lines of its own, is awaited: no plain data.
  const plain = end === data.length - 1 ? plainOf(JSON.parse(data.slice(0, end)) as unknown[]) : undefined;
  const placeOf = placesOf(html);
  const json = JSON.stringify(plain ?? data, (_, value) => textAt(placeOf(value)) ?? value);
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

/** How the flat array says null and undefined; the other negative numbers are no JSON. */
export const NULL = -5;
const UNDEFINED = -7;

class NotPlain extends Error {}

/** What the array says, if JSON can say it: neither dates, maps, errors nor promises. Otherwise undefined. */
function plainOf(values: unknown[]) {
  const read = (at: number): unknown => {
    if (at === NULL) return null;
    if (at < 0) throw new NotPlain();
    const value = values[at];
    if (typeof value !== "object" || value === null) return value;
    return Array.isArray(value) ? value.map(readItem) : Object.fromEntries(entriesOf(value));
  };
  // An array whose first item is a name is something else than an array.
  const readItem = (at: unknown) => {
    if (typeof at !== "number") throw new NotPlain();
    return read(at);
  };
  const entriesOf = (value: object) =>
    Object.entries(value).flatMap(([key, at]) =>
      at === UNDEFINED ? [] : [[values[Number(key.slice(1))], read(at)] as const],
    );
  try {
    return read(0);
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
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
