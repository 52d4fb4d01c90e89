import { setTimeout as sleep } from "node:timers/promises";
import type { PointerStep, Tab } from "./browser.ts";
import { find, middleOf, type Role, type Target } from "./in-page.ts";

/** Milliseconds. No journey is about the machine's speed: this only ends what hangs. */
const LONGEST = 30_000;
const PAUSE = 50;
/** Pieces of a drag, and the time of each, so that the page sees a movement and no leap. */
const DRAG = { steps: 8, stepMs: 30 };
/** WebDriver's own letters. */
const KEYS = {
  Delete: "\uE017",
  Enter: "\uE007",
  Escape: "\uE00C",
  Tab: "\uE004",
  ArrowRight: "\uE014",
  Space: " ",
};

export type Page = ReturnType<typeof openPage>;

declare global {
  interface Window {
    /** Whether the document is about to be replaced. */
    isLeft?: boolean;
  }
}

export const a = (role: Role, name?: string, within?: Target): Target => ({ role, name, within });

/** A tab as a person uses it: everything waits until it can be done, and is done by real input. */
export function openPage(tab: Tab, origin: string) {
  /** What a function of the page's returns. It is called by its source: it sees nothing of here but its arguments. */
  async function evaluate<Given extends unknown[], Result>(
    work: (...given: Given) => Result,
    ...given: Given
  ) {
    const source = `(given) => JSON.stringify((${work.toString()})(...JSON.parse(given)) ?? null)`;
    return JSON.parse(await tab.call(source, JSON.stringify(given))) as Result;
  }

  /** The same for an element; null while it is missing. */
  async function of<Result>(target: Target, work: (element: HTMLElement) => Result) {
    const source = `(given) => {
      ${find.toString()}
      const element = find(JSON.parse(given));
      return JSON.stringify((element && (${work.toString()})(element)) ?? null);
    }`;
    return JSON.parse(await tab.call(source, JSON.stringify(target))) as Result | null;
  }

  const textOf = (target: Target) => of(target, (element) => element.textContent);

  /** Its position, once it no longer moves and can be hit. */
  async function placeOf(target: Target) {
    let before = "";
    return until(`${describe(target)} can be hit`, async () => {
      const place = await of(target, middleOf);
      const isStill = JSON.stringify(place) === before;
      before = JSON.stringify(place);
      return isStill ? place : null;
    });
  }

  const point = (actions: PointerStep[]) =>
    tab.perform([{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }]);
  const move = (x: number, y: number, duration = 0): PointerStep => ({ type: "pointerMove", x, y, duration });
  const down: PointerStep = { type: "pointerDown", button: 0 };
  const up: PointerStep = { type: "pointerUp", button: 0 };

  async function clickAt(target: Target, share = 0.5) {
    const { y, left, width } = await placeOf(target);
    await point([move(Math.round(left + width * share), y), down, up]);
  }

  /** Presses keys one after another. */
  const strike = (letters: string[]) =>
    tab.perform([
      {
        type: "key",
        id: "keyboard",
        actions: letters.flatMap((value) => [
          { type: "keyDown" as const, value },
          { type: "keyUp" as const, value },
        ]),
      },
    ]);

  return {
    evaluate,
    of,
    textOf,
    /** Opens an address of the site and waits until React has taken over: before, forms and links are plain HTML. */
    async open(path: string) {
      await evaluate(() => void (window.isLeft = true));
      await tab.open(origin + path);
      await until("the page is there", () =>
        evaluate(() => !window.isLeft && document.readyState !== "loading"),
      );
      await point([move(1, 1), move(3, 3)]);
      await until("React has taken over", () =>
        evaluate(() => Object.keys(document.body).some((key) => key.startsWith("__reactFiber$"))),
      );
    },
    click: (target: Target) => clickAt(target),
    clickAt,
    /** Drags one thing to another and drops it there. */
    async drag(from: Target, to: Target) {
      const start = await placeOf(from);
      const end = await placeOf(to);
      const ways = Array.from({ length: DRAG.steps }, (_, index) => (index + 1) / DRAG.steps);
      const way = ways.map((part) =>
        move(start.x, Math.round(start.y + (end.y - start.y) * part), DRAG.stepMs),
      );
      await point([move(start.x, start.y), down, ...way, { type: "pause", duration: DRAG.stepMs }, up]);
    },
    press: (key: keyof typeof KEYS) => strike([KEYS[key]]),
    type: (text: string) => strike([...text]),
    /** Waits until something is there, whose text it may have to be. */
    see: (target: Target, text?: string) =>
      until(`${describe(target)} is seen${text === undefined ? "" : `, as "${text}"`}`, async () => {
        const found = await textOf(target);
        return text === undefined ? found !== null : found?.trim() === text;
      }),
    gone: (target: Target) =>
      until(`${describe(target)} is gone`, async () => (await textOf(target)) === null),
    close: () => tab.close(),
  };
}

const describe = ({ role, name, within }: Target): string =>
  `${role} ${name ?? ""}${within ? ` in ${describe(within)}` : ""}`.trim();

/** Asks until there is an answer other than null and false; a page that is being left answers later. */
export async function until<Result>(what: string, ask: () => Promise<Result>) {
  const end = Date.now() + LONGEST;
  let trouble: unknown;
  while (Date.now() < end) {
    const answer = await ask().catch((error: unknown) => {
      trouble = error;
      return null;
    });
    if (answer !== null && answer !== false) return answer as NonNullable<Exclude<Result, false>>;
    await sleep(PAUSE);
  }
  throw new Error(`Waited in vain until ${what}.`, { cause: trouble });
}
