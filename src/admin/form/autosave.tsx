import { useEffect, useState, useSyncExternalStore, type RefObject } from "react";
import { useActionData, useLocation, useNavigation } from "react-router";
import { ApiError } from "#site/api.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatClock } from "#site/ui/format-more.ts";
import { UNSAVED_TEXT } from "./unsaved-text.tsx";
import { Observable } from "../shell/observable.ts";

/** Milliseconds without a change before an autosave. */
const PAUSE = 2000;
/** Milliseconds after which it saves even while the owner keeps typing. */
const LONGEST = 15_000;
/** Milliseconds before a temporary error is retried. */
const RETRY = 15_000;

/**
 * Saves a form's values, based on its `basedOn`, or as a new draft; null if the form must not be autosaved.
 * @throws {ApiError} as the API
 */
export type SaveDraft = (form: FormData, isNew: boolean) => Promise<SavedDraft> | null;

type SavedDraft = {
  updatedAt: number;
  /** The address at which a new item is edited from now on. */
  address?: string;
};

export type AutosaveState = {
  /** An autosave is running. */
  isSaving: boolean;
  /** A submission by its button is pending. */
  isSending: boolean;
  /** Changed since the last save, or since the values of the running save were read. */
  isChanged: boolean;
  /** Milliseconds UTC. */
  savedAt?: number;
  /** The last saved version. */
  updatedAt?: number;
  error: string | null;
  /** It was saved elsewhere: the user decides which version stays. */
  isConflict: boolean;
  /** It was deleted elsewhere: no autosave until the user chooses to save it as a new draft. */
  isGone: boolean;
};

const initial: AutosaveState = {
  isSaving: false,
  isSending: false,
  isChanged: false,
  error: null,
  isConflict: false,
  isGone: false,
};

/** Autosaves a form, one save at a time, and tracks unsaved changes. */
export class Autosave extends Observable {
  #state = initial;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** An autosave is due, immediately or at the next start. */
  #isDue = false;
  /** The time of the oldest unsaved change. */
  #changedAt = 0;
  #running: Promise<void> | null = null;
  #stopped = false;
  /** The item was deleted, and the user chose to continue with a new draft, which is not saved yet. */
  #isNew = false;
  #save: (isNew: boolean) => Promise<number> | null = () => null;
  #isLeaving = false;
  /** Resolves once no submission is pending, to whether it was saved. */
  #answer = Promise.resolve(true);
  #resolveAnswer: (isSaved: boolean) => void = () => {};

  /** `save` resolves to the new `updatedAt`; null if there is nothing to autosave. */
  saveBy(save: (isNew: boolean) => Promise<number> | null) {
    this.#save = save;
  }

  readonly getState = () => this.#state;

  #set(change: Partial<AutosaveState>) {
    this.#state = { ...this.#state, ...change };
    this.notify();
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
    this.#isDue = true;
    if (!this.#stopped) this.#timer = setTimeout(() => void this.flush(), delay);
  }

  /** Saves immediately. */
  async flush() {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    const { isChanged, isSending, isConflict, isGone } = this.#state;
    if (isChanged && !isSending && !isConflict && !isGone && !this.#stopped) {
      this.#running = this.#saveOnce().finally(() => (this.#running = null));
      await this.#running;
    }
  }

  /** Saves an item that was deleted elsewhere as a new draft. */
  saveAsNew() {
    this.#isNew = true;
    this.#set({ isChanged: true, isGone: false, error: null });
    this.#saveIn(0);
  }

  /** Waits for pending saves, and saves the rest if possible. */
  async finish(): Promise<"saved" | "unsaved" | "refused"> {
    if (!(await this.#answer)) return "refused";
    await this.flush();
    // A postponed submission may have followed.
    if (!(await this.#answer)) return "refused";
    return this.#state.isChanged ? "unsaved" : "saved";
  }

  async #saveOnce() {
    const saving = this.#save(this.#isNew);
    this.#isDue = false;
    this.#changedAt = Date.now();
    if (!saving) return this.#state.error === null ? undefined : this.#set({ error: null });
    this.#set({ isSaving: true, isChanged: false });
    try {
      const updatedAt = await saving;
      this.#isNew = false;
      this.#set({ updatedAt, savedAt: Date.now(), isSaving: false, error: null });
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown) {
    const isConflict = error instanceof ApiError && error.status === 409 && error.field === undefined;
    const isGone = error instanceof ApiError && error.status === 404;
    this.#set({ isSaving: false, isChanged: true, error: wordsOf(error), isConflict, isGone });
    if (!isRefused(error)) this.#saveIn(RETRY);
  }

  /** Called while the form is being submitted, and after it unmounts. */
  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  start() {
    this.#stopped = false;
    if (this.#isDue) this.#saveIn(PAUSE);
  }

  /** The form is being submitted by its button. */
  send() {
    this.#isDue = false;
    this.#answer = new Promise((resolve) => (this.#resolveAnswer = resolve));
    this.#set({ isSending: true, isChanged: false });
  }

  /** The submission was saved; the loader may still be running. */
  saved() {
    this.#set({ isSending: false, error: null, isConflict: false, isGone: false, savedAt: undefined });
    if (!this.#state.isChanged) this.#answerAll(true);
  }

  /**
   * Called once no submission is pending, with every new answer and address, since a submission that fails
   * immediately never renders as pending. An unsaved form is not sent again automatically before it changes.
   */
  settled(_answer: unknown, _key: string) {
    const isRefused = this.#state.isSending;
    if (isRefused) this.#set({ isSending: false, isChanged: true });
    this.#answerAll(!isRefused);
  }

  /** The user is navigating to another page, not to a new item's own address. */
  leave(isLeaving: boolean) {
    this.#isLeaving = isLeaving;
  }

  isLeaving() {
    return this.#isLeaving;
  }

  /** The form unmounted; a redirect followed the save. */
  close() {
    this.#answerAll(true);
  }

  #answerAll(isSaved: boolean) {
    this.#resolveAnswer(isSaved);
    this.#answer = Promise.resolve(true);
  }

  /** Discards the typed values, and does not wait for a pending submission. */
  discard() {
    this.#isDue = false;
    this.#isNew = false;
    this.#set({ isChanged: false, isSending: false, isConflict: false, isGone: false, error: null });
    this.#answerAll(true);
  }

  isUnsaved() {
    const { isChanged, isSaving, isSending } = this.#state;
    return isChanged || isSaving || isSending;
  }
}

/** Whether a retry would be refused again. */
export const isRefused = (error: unknown) =>
  error instanceof ApiError && [404, 409, 413, 422].includes(error.status);

function wordsOf(error: unknown) {
  if (error instanceof TypeError)
    return "No connection. Your changes save automatically when you’re back online.";
  if (!(error instanceof ApiError)) {
    console.error("autosave:", error);
    return "Autosave failed.";
  }
  if (error.status === 401)
    return "Your session has ended. Sign in in another tab and your changes save automatically.";
  return error.status === 422 ? `Autosave failed: ${error.message}` : error.message;
}

type Options = {
  form: RefObject<HTMLFormElement | null>;
  /** Without it there is no autosave. */
  save: SaveDraft | undefined;
  /** Moves the form to a new item's own address. */
  moveTo: (address: string) => Promise<void>;
  /** When it was saved by its button. */
  submittedAt: number | undefined;
};

/** A form's autosave and its state. */
export function useAutosave({ form, save, moveTo, submittedAt }: Options) {
  const [autosave] = useState(() => new Autosave());
  const state = useSyncExternalStore(autosave.subscribe, autosave.getState, () => initial);
  useEffect(() => {
    const follow = async ({ updatedAt, address }: SavedDraft) => {
      if (address !== undefined && !autosave.isLeaving()) await moveTo(address);
      return updatedAt;
    };
    autosave.saveBy((isNew) => {
      if (!save || !form.current) return null;
      const data = new FormData(form.current);
      const { updatedAt } = autosave.getState();
      const unsaved = data.get(UNSAVED_TEXT);
      // The first save would lose an offered text; a restored one stays based on its own version.
      if (unsaved === "offered") return null;
      // The form may not have rendered since the last save.
      if (!unsaved && updatedAt !== undefined && updatedAt > Number(data.get("basedOn")))
        data.set("basedOn", String(updatedAt));
      return save(data, isNew)?.then(follow) ?? null;
    });
  });
  useEffect(() => {
    if (submittedAt !== undefined) autosave.saved();
  }, [autosave, submittedAt]);
  // The form is being submitted by its button, or moves to another address.
  const isUnderway = useNavigation().state !== "idle";
  const answer: unknown = useActionData();
  const { key } = useLocation();
  useEffect(() => {
    if (!isUnderway) autosave.settled(answer, key);
  }, [autosave, isUnderway, answer, key]);
  const isOn = save !== undefined && !isUnderway;
  useEffect(() => {
    if (!isOn) return;
    autosave.start();
    return () => autosave.stop();
  }, [autosave, isOn]);
  useEffect(() => () => autosave.close(), [autosave]);
  useEffect(() => {
    const saveNow = () => void autosave.flush();
    // A phone may kill a page in the background.
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

type NoteProps = Pick<AutosaveState, "isSaving" | "isChanged" | "savedAt" | "error"> & {
  /** An earlier text is on offer, which the first save would overwrite. */
  isOffered: boolean;
};

/** Shown beside the save button. Announces only problems. */
export function AutosaveNote({ isSaving, isChanged, savedAt, error, isOffered }: NoteProps) {
  const problem = error ?? (isOffered && isChanged ? OFFERED : null);
  return (
    <p className="text-sm text-muted">
      <span role="status" className="font-medium text-ink">
        {problem}
      </span>
      {!problem && isSaving && <span>Saving…</span>}
      {!problem && !isSaving && savedAt !== undefined && (
        <span>
          Draft saved at <DateTime at={savedAt} format={formatClock} />
          {isChanged && <span>, changed since</span>}
        </span>
      )}
    </p>
  );
}

const OFFERED = "Autosave is off until you restore or discard the earlier text.";
