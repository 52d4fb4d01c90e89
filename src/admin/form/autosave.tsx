import { useEffect, useState, useSyncExternalStore, type RefObject } from "react";
import { ApiError } from "#site/api.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatClock } from "#site/ui/format-more.ts";
import { UNSAVED_TEXT } from "./unsaved-text.tsx";

/** Milliseconds without a change until a form is saved by itself. */
const PAUSE = 2000;
/** Milliseconds after which it is saved although somebody goes on typing. */
const LONGEST = 15_000;
/** Milliseconds until an error is tried again that may pass. */
const RETRY = 15_000;

/**
 * Saves what a form holds, based on its `basedOn`. Resolves to the new `updatedAt`; null where the form is not to be saved
 * by itself.
 * @throws {ApiError} as the API
 */
export type SaveDraft = (form: FormData) => Promise<number> | null;

type AutosaveState = {
  isSaving: boolean;
  /** Changed since it was saved. */
  isChanged: boolean;
  /** Milliseconds UTC. */
  savedAt?: number;
  /** The version that was saved last. */
  updatedAt?: number;
  error: string | null;
  /** Somebody else saved it meanwhile: the owner decides which version stays. */
  isConflict: boolean;
};

const initial: AutosaveState = { isSaving: false, isChanged: false, error: null, isConflict: false };

/** Saves a form by itself, one save after another. */
class Autosave {
  #state = initial;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the oldest change was made that is not saved. */
  #changedAt = 0;
  #running: Promise<void> | null = null;
  #stopped = false;
  #save: () => Promise<number> | null = () => null;

  /** Resolves to the new `updatedAt`; null where there is nothing to save by itself. */
  saveBy(save: () => Promise<number> | null) {
    this.#save = save;
  }

  readonly getState = () => this.#state;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #set(change: Partial<AutosaveState>) {
    this.#state = { ...this.#state, ...change };
    this.#listeners.forEach((listener) => listener());
  }

  /** Saves after a pause in typing. */
  schedule() {
    if (!this.#state.isChanged) {
      this.#changedAt = Date.now();
      this.#set({ isChanged: true });
    }
    const longest = this.#changedAt + LONGEST - Date.now();
    this.#saveIn(Math.max(0, Math.min(PAUSE, longest)));
  }

  #saveIn(delay: number) {
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(() => void this.flush(), delay);
  }

  /** Saves at once; resolves to whether everything is saved. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    if (this.#state.isChanged && !this.#state.isConflict && !this.#stopped) {
      this.#running = this.#saveOnce().finally(() => (this.#running = null));
      await this.#running;
    }
    return !this.#state.isChanged;
  }

  async #saveOnce() {
    const saving = this.#save();
    this.#changedAt = Date.now();
    if (!saving) return this.#state.error === null ? undefined : this.#set({ error: null });
    this.#set({ isSaving: true, isChanged: false });
    try {
      const updatedAt = await saving;
      this.#set({ updatedAt, savedAt: Date.now(), isSaving: false, error: null });
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown) {
    const isConflict = error instanceof ApiError && error.status === 409 && error.field === undefined;
    this.#set({ isSaving: false, isChanged: true, error: wordsOf(error), isConflict });
    const isRefused = error instanceof ApiError && [409, 413, 422].includes(error.status);
    if (!isRefused) this.#saveIn(RETRY);
  }

  /** While the form is being sent, and after it is gone. */
  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  start() {
    this.#stopped = false;
    if (this.#state.isChanged) this.#saveIn(PAUSE);
  }

  /** The form is being sent by its button. */
  submitted() {
    this.#set({ isChanged: false });
  }

  /** It was saved by its button. */
  reset() {
    this.#set({ error: null, isConflict: false, savedAt: undefined });
  }
}

function wordsOf(error: unknown) {
  if (error instanceof TypeError) return "No connection. It is saved by itself as soon as there is one.";
  if (!(error instanceof ApiError)) {
    console.error("autosave:", error);
    return "It could not be saved by itself.";
  }
  if (error.status === 401) return "Your session has ended. Sign in in another tab: it is saved then.";
  return error.status === 422 ? `Not saved by itself: ${error.message}` : error.message;
}

type Options = {
  form: RefObject<HTMLFormElement | null>;
  /** The form is not saved by itself without it. */
  save: SaveDraft | undefined;
  /** The form is being sent by its button, or moves to another address. */
  isUnderway: boolean;
};

/** What saves a form by itself, and how that stands. */
export function useAutosave({ form, save, isUnderway }: Options) {
  const [autosave] = useState(() => new Autosave());
  const state = useSyncExternalStore(autosave.subscribe, autosave.getState, () => initial);
  useEffect(() => {
    autosave.saveBy(() => {
      if (!save || !form.current) return null;
      const data = new FormData(form.current);
      const { updatedAt } = autosave.getState();
      const unsaved = data.get(UNSAVED_TEXT);
      // An offered text would be lost with the first save; one that was restored stays based on its own version.
      if (unsaved === "offered") return null;
      // The form may not be rendered yet since the last save.
      if (!unsaved && updatedAt !== undefined && updatedAt > Number(data.get("basedOn")))
        data.set("basedOn", String(updatedAt));
      return save(data);
    });
  });
  const isOn = save !== undefined && !isUnderway;
  useEffect(() => {
    if (!isOn) return;
    autosave.start();
    return () => autosave.stop();
  }, [autosave, isOn]);
  useEffect(() => {
    const saveNow = () => void autosave.flush();
    // A phone may end a page that is in the background.
    const saveHidden = () => void (document.visibilityState === "hidden" && autosave.flush());
    addEventListener("online", saveNow);
    document.addEventListener("visibilitychange", saveHidden);
    return () => {
      removeEventListener("online", saveNow);
      document.removeEventListener("visibilitychange", saveHidden);
    };
  }, [autosave]);
  return { autosave, ...state };
}

type NoteProps = Pick<AutosaveState, "isSaving" | "isChanged" | "savedAt" | "error">;

/** Beside the button that saves. Only what goes wrong is announced. */
export const AutosaveNote = ({ isSaving, isChanged, savedAt, error }: NoteProps) => (
  <p className="text-sm text-muted">
    <span role="status" className="font-medium text-ink">
      {error}
    </span>
    {!error && isSaving && "Saving…"}
    {!error && !isSaving && savedAt !== undefined && (
      <>
        Draft saved at <DateTime at={savedAt} format={formatClock} />
        {isChanged && ", changed since"}
      </>
    )}
  </p>
);
