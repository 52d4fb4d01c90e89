import { createContext, use, useEffect, useId, useRef, type RefObject } from "react";
import type { Location } from "react-router";
import type { Autosave } from "./autosave.tsx";
import { isSamePage } from "./name.ts";

/** What is asked before something unsaved is left. */
export type Question = { title: string; confirm: string; text: string };

const LEAVE: Question = {
  title: "Leave without saving?",
  confirm: "Leave",
  text: "Your changes here aren’t saved yet.",
};

/** What is lost where it is left: a form, or work that is under way. */
export type Unsaved = {
  /** As of now: what was saved, or given up, a moment ago may be left. */
  isUnsaved: () => boolean;
  /** Whether a navigation leaves it where it is. */
  isKept: (current: Location, next: Location) => boolean;
  /** It is given up. */
  discard: () => void;
  /** Of a form. */
  autosave?: Autosave;
  /** Where the usual words do not say what is lost. */
  question?: Question;
  /** Of the dialog, or the part of a page, with which it is closed. */
  part?: string;
};

/** Somebody wants to go on, from what is unsaved. */
type Wish = {
  held: RefObject<Unsaved>[];
  question?: Question;
  go: () => void;
  stay?: () => void;
};

/** Milliseconds until it asks although a save is not answered: a connection may swallow it. */
const PATIENCE = 10_000;

/**
 * What of a page is unsaved, and who wants to leave it. What is being sent is waited for, what saves itself is saved, and
 * for the rest it asks.
 */
export class Leaving {
  readonly #all = new Set<RefObject<Unsaved>>();
  readonly #listeners = new Set<() => void>();
  /** Until it is decided. */
  #wish: Wish | undefined;
  #asked: Question | null = null;

  readonly getQuestion = () => this.#asked;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Until the returned function is called. */
  add(unsaved: RefObject<Unsaved>) {
    this.#all.add(unsaved);
    return () => {
      this.#all.delete(unsaved);
      // What was sent leads to another page, and from there to the one that somebody wants.
      if (this.#wish?.held.includes(unsaved) && !unsaved.current.autosave?.getState().isSending) this.stay();
    };
  }

  has(unsaved: RefObject<Unsaved>) {
    return this.#all.has(unsaved);
  }

  unsaved(isMeant: (unsaved: Unsaved) => boolean) {
    return [...this.#all].filter(({ current }) => current.isUnsaved() && isMeant(current));
  }

  async want(wish: Wish) {
    this.#wish = wish;
    const asking = setTimeout(() => this.#ask(wish), PATIENCE);
    const ends = await Promise.all(wish.held.map(({ current }) => current.autosave?.finish()));
    clearTimeout(asking);
    // Answered, or something else is wanted meanwhile.
    if (this.#wish !== wish) return;
    // What was refused says so itself.
    if (ends.includes("refused")) this.stay();
    else if (wish.held.some((one) => this.has(one) && one.current.isUnsaved())) this.#ask(wish);
    else this.#end()?.go();
  }

  stay() {
    this.#end()?.stay?.();
  }

  leave() {
    for (const { current } of this.#wish?.held ?? []) current.discard();
    this.#end()?.go();
  }

  #ask(wish: Wish) {
    if (this.#wish === wish) this.#show(wish.question ?? wish.held[0]?.current.question ?? LEAVE);
  }

  #end() {
    const wish = this.#wish;
    this.#wish = undefined;
    this.#show(null);
    return wish;
  }

  #show(question: Question | null) {
    this.#asked = question;
    this.#listeners.forEach((listener) => listener());
  }
}

/** Null where nothing is guarded, as before somebody has signed in. */
export const LeavingContext = createContext<Leaving | null>(null);

/** Guards what may be unsaved, here and against closing the page. `isChanged`: it may be. */
export function useGuarded(unsaved: Omit<Unsaved, "part">, isChanged: boolean) {
  const leaving = use(LeavingContext);
  const part = use(PartContext)?.id;
  const latest = useRef<Unsaved>({ ...unsaved, part });
  useEffect(() => {
    latest.current = { ...unsaved, part };
  });
  useEffect(() => leaving?.add(latest), [leaving]);
  const isGuarded = leaving !== null && isChanged;
  useEffect(() => {
    if (!isGuarded) return;
    const warn = (event: BeforeUnloadEvent) => {
      if (latest.current.isUnsaved()) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isGuarded]);
}

/** Guards what no form of the kit saves, such as work that is under way. */
export function useUnsaved(isUnsaved: boolean, question?: Question) {
  const isGivenUp = useRef(false);
  useGuarded(
    {
      isUnsaved: () => isUnsaved && !isGivenUp.current,
      isKept: isSamePage,
      discard: () => void (isGivenUp.current = true),
      question,
    },
    isUnsaved,
  );
}

/** Does what leads away from the page once all that is unsaved on it is saved, or the owner gives it up. */
export function useBeforeLeaving() {
  const leaving = use(LeavingContext);
  return (go: () => void) => {
    const held = leaving?.unsaved(() => true) ?? [];
    if (held.length === 0) go();
    else void leaving?.want({ held, go });
  };
}

type Part = { id: string; close: () => void };

/** The dialog, or the part of a page, that closes with the forms in it. */
export const PartContext = createContext<Part | null>(null);

/** What closes a dialog, or a part of a page, asks first while a form within its `PartContext` is unsaved. */
export function useClosing(question = LEAVE) {
  const id = useId();
  const leaving = use(LeavingContext);
  const heldNow = () => leaving?.unsaved(({ part }) => part === id) ?? [];
  const leave = (close: () => void, asked = question) => {
    const held = heldNow();
    if (held.length === 0) return close();
    // Once it is saved, it may be closed already.
    void leaving?.want({ held, question: asked, go: () => held.some((one) => leaving?.has(one)) && close() });
  };
  return { id, leave, isUnsaved: () => heldNow().length > 0 };
}
