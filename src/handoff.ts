/**
 * The loaders' data, and the script by which React Router hands them to the browser. It would render that itself while it
 * streams (its `StreamTransfer`), which a page rendered as one string cannot wait for.
 *
 * A written text stands in the page already, and is most of many a page. So its place in the data (a flat array of values
 * that refer to each other, https://github.com/jacob-ebey/turbo-stream) says where it stands, and the script takes it there.
 */
export function handOff(data: string, html: string): Handoff {
  const end = data.indexOf("\n");
  const values = JSON.parse(data.slice(0, end)) as unknown[];
  const places = takeTexts(values, html);
  const block = JSON.stringify([values, data.slice(end)]).replaceAll("<", "\\u003c");
  return {
    data: `<script type="application/json" ${DATA}>${block}</script>`,
    script: `<script>((controller)=>{const [values,rest]=JSON.parse(document.querySelector("[${DATA}]").textContent);${fill(places)}controller.enqueue(JSON.stringify(values)+rest);controller.close()})(window.__reactRouterContext.streamController)</script>`,
  };
}

type Handoff = {
  /** Belongs into the head: compression finds what has been said within the last 32 kB. */
  data: string;
  /** Belongs behind the page. */
  script: string;
};

/** The attribute by which the one script finds the other. */
const DATA = "data-handoff";

type Place = [value: number, text: number];

const fill = (places: Place[]) =>
  places.length === 0
    ? ""
    : `const texts=document.querySelectorAll("${SELECTOR}");for(const [value,text] of ${JSON.stringify(places)})values[value]=texts[text].innerHTML;`;

/** Whatever shows written HTML has this class first. Both find the same elements, in the order of the page. */
const TEXT = "reading";
const OPENING = new RegExp(`<[^>]* class="${TEXT}[ "][^>]*>`, "g");
const SELECTOR = `[class='${TEXT}'],[class^='${TEXT} ']`;
/** Shorter ones weigh no more than saying where they are. */
const WORTHWHILE = 200;

/** Empties the values that stand in the page as they are; which value is which text of the page. */
function takeTexts(values: unknown[], html: string) {
  const texts = values.flatMap((value, at) => (isWritten(value) ? [{ value, at }] : []));
  const places: Place[] = [];
  if (texts.length === 0) return places;
  [...html.matchAll(OPENING)].forEach((opening, place) => {
    const start = opening.index + opening[0].length;
    const text = texts.find(
      ({ value }) => html.startsWith(value, start) && html.startsWith("</", start + value.length),
    );
    if (!text || values[text.at] === "") return;
    values[text.at] = "";
    places.push([text.at, place]);
  });
  return places;
}

/** HTML, which a browser gives back as HTML; plain text it would give back escaped. */
const isWritten = (value: unknown): value is string =>
  typeof value === "string" && value.length >= WORTHWHILE && value.startsWith("<");
