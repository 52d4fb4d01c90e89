import { createContext, use, useEffect, useId, useRef, type RefObject } from "react";
import type { Location } from "react-router";
import type { Autosave } from "./autosave.tsx";
import { isSamePage } from "./name.ts";
import { Observable } from "../shell/observable.ts";

/** The question before unsaved changes are lost. */
export type Question = { title: string; confirm: string; text: string };

const LEAVE: Question = {
  title: "Leave without saving?",
  confirm: "Leave",
  text: "Your changes here aren’t saved yet.",
};

/** Something that leaving would lose: a form, or running work. */
export type Unsaved = {
  /** Evaluated on demand: it may just have been saved or discarded. */
  isUnsaved: () => boolean;
  /** Whether a navigation does not affect it. */
  isKept: (current: Location, next: Location) => boolean;
  /** The user discards it. */
  discard: () => void;
  /** Of a form. */
  autosave?: Autosave;
  /** If the default text does not fit. */
  question?: Question;
  /** The id of the dialog, or the part of a page, with which it closes. */
  part?: string;
};

/** A pending request to leave unsaved changes. */
type Wish = {
  held: RefObject<Unsaved>[];
  question?: Question;
  go: () => void;
  stay?: () => void;
};

/** Milliseconds after which it asks without waiting for a save's answer, which may be lost. */
const PATIENCE = 10_000;

/**
 * Tracks a page's unsaved changes and requests to leave it. Waits for pending submissions, autosaves what it can, and
 * asks about the rest.
 */
export class Leaving extends Observable {
  readonly #all = new Set<RefObject<Unsaved>>();
  /** The pending request. */
  #wish: Wish | undefined;
  #asked: Question | null = null;

  readonly getQuestion = () => this.#asked;

  /** Until the returned function is called. */
  add(unsaved: RefObject<Unsaved>) {
    this.#all.add(unsaved);
    return () => {
      this.#all.delete(unsaved);
      // The submission redirects to another page, and then the requested navigation continues.
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
    // Already answered, or replaced by another request.
    if (this.#wish !== wish) return;
    // A refused form shows its own error.
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
    this.notify();
  }
}

/** Null if nothing is guarded, as before the login. */
export const LeavingContext = createContext<Leaving | null>(null);

/** Guards possible unsaved changes, also against closing the page. `isChanged`: there may be some. */
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

/** Guards what no form saves, such as running work. */
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

/** Leaves the page once everything unsaved is saved or discarded. */
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

/** Closes a dialog, or a part of a page; asks first if a form within its `PartContext` has unsaved changes. */
export function useClosing(question = LEAVE) {
  const id = useId();
  const leaving = use(LeavingContext);
  const heldNow = () => leaving?.unsaved(({ part }) => part === id) ?? [];
  const leave = (close: () => void, asked = question) => {
    const held = heldNow();
    if (held.length === 0) return close();
    // After the save it may already be closed.
    void leaving?.want({ held, question: asked, go: () => held.some((one) => leaving?.has(one)) && close() });
  };
  return { id, leave, isUnsaved: () => heldNow().length > 0 };
}
