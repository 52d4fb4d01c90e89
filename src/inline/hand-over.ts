/**
 * Hands the loaders' data to React Router (`src/handoff.ts`): takes the written texts from where they stand in the page,
 * and makes the flat array of it that the router reads.
 */
import type { DATA, NULL, SELECTOR } from "../handoff.ts";

type Controller = ReadableStreamDefaultController<string>;
declare global {
  interface Window {
    __reactRouterContext: { streamController: Controller };
  }
}

const block: `[${typeof DATA}]` = "[data-handoff]";
const selector: typeof SELECTOR = "[class='reading'],[class^='reading ']";
const none: typeof NULL = -5;

const {
  __reactRouterContext: { streamController: controller },
} = window;
const texts = document.querySelectorAll(selector);
const data: unknown = JSON.parse(document.querySelector(block)?.textContent ?? "", (_, value) =>
  value?.[""] >= 0 ? texts[value[""]]?.innerHTML : value,
);

const values: unknown[] = [];
const put = (value: unknown) => {
  if (value === null) return none;
  const at = values.push(value) - 1;
  if (Array.isArray(value)) values[at] = value.map(put);
  else if (typeof value === "object") {
    values[at] = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [`_${put(key)}`, put(inner)]),
    );
  }
  return at;
};

if (typeof data === "string") controller.enqueue(data);
else {
  put(data);
  controller.enqueue(`${JSON.stringify(values)}\n`);
}
controller.close();
