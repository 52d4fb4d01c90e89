import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import type { AutosaveState } from "./autosave.tsx";
import { fill, textControls } from "./controls.ts";

/** Unsaved text of a form, stored in this browser in case of a crash or an expired session. */
type UnsavedText = {
  /** Milliseconds UTC. */
  at: number;
  /** The version that was edited. */
  basedOn: number | null;
  /** Values by the names of their fields. */
  values: Record<string, string>;
};

const keyOf = (name: string) => `rostrum:unsaved:${name}`;

/** Milliseconds after a change until it is stored. */
const DELAY = 1000;

/** The field with the state: "offered" until answered, then "restored" until saved. */
export const UNSAVED_TEXT = "unsavedText";

type Options = {
  /** Identifies the form; nothing is stored without it. */
  name: string | undefined;
  form: RefObject<HTMLFormElement | null>;
  basedOn: number | undefined;
  /** Distinguishes saves. */
  savedAt: number | undefined;
  /** The current state of saving. */
  getState: () => Pick<AutosaveState, "isChanged" | "isSaving">;
};

type Offered = UnsavedText & {
  /** Its storage key. */
  name: string;
};

/** Stores a form's text while it is unsaved, and offers what an earlier page stored. */
export function useUnsavedText({ name, form, basedOn: current, savedAt, getState }: Options) {
  const [offered, setOffered] = useState<Offered | null>(null);
  const [restored, setRestored] = useState<{ from: number } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasChanged = useRef(false);
  // The version that a restored text was made from, until it is saved.
  const basedOn = restored ? restored.from : current;
  /** Refs to the latest callbacks, which use the form's current name and version. */
  const latest = useRef<{ storeNow: () => void; saved: () => void; left: () => void }>(undefined);

  const forget = () => {
    clearTimeout(timer.current);
    hasChanged.current = false;
    if (name !== undefined && name !== offered?.name) removeStored(name);
  };
  const storeNow = () => {
    if (name === undefined || !form.current) return;
    const values = Object.fromEntries(
      textControls(form.current).map((control) => [control.name, control.value]),
    );
    store(name, { at: Date.now(), basedOn: basedOn ?? null, values });
  };
  const keep = () => {
    hasChanged.current = true;
    // An offered text is not overwritten before it is answered.
    if (name === undefined || offered) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current?.storeNow(), DELAY);
  };
  const saved = () => {
    forget();
    if (getState().isChanged) keep();
  };
  // Text left unsaved without a question, as when the next page fails to load, is offered on return.
  const left = () => {
    if (!hasChanged.current) return;
    const { isChanged, isSaving } = getState();
    if (!isChanged && !isSaving) forget();
    else if (!offered) storeNow();
  };
  useEffect(() => {
    latest.current = { storeNow, saved, left };
  });
  // A new item gets its own name when saved.
  const formerName = useRef(name);
  const rename = useEffectEvent((former: string) => {
    if (former !== offered?.name) removeStored(former);
  });
  useEffect(() => {
    if (formerName.current !== undefined && formerName.current !== name) rename(formerName.current);
    formerName.current = name;
  }, [name]);

  // Only in the browser: the server has no storage.
  const isHydrated = useHydrated();
  const [isRead, setRead] = useState(false);
  if (isHydrated && !isRead) {
    setRead(true);
    setOffered(name === undefined ? null : readStored(name));
  }
  useEffect(() => {
    if (savedAt !== undefined) latest.current?.saved();
  }, [savedAt]);
  // A layout effect, since the form is still mounted then.
  useLayoutEffect(() => () => latest.current?.left(), []);

  const answer = (isWanted: boolean) => {
    if (!offered || !form.current) return;
    if (isWanted) {
      fill(form.current, offered.values);
      if (offered.basedOn !== null) setRestored({ from: offered.basedOn });
    }
    if (!isWanted || offered.name !== name) removeStored(offered.name);
    setOffered(null);
    // The pressed button disappears.
    form.current.querySelector<HTMLElement>("input:not([type=hidden], [type=file])")?.focus();
  };
  // A text is restored until it is saved.
  const [lastSavedAt, setLastSavedAt] = useState(savedAt);
  if (savedAt !== lastSavedAt) {
    setLastSavedAt(savedAt);
    setRestored(null);
  }
  const state = offered ? "offered" : restored && "restored";
  return {
    keep,
    forget,
    isOffered: offered !== null,
    /** To render inside the form. */
    elements: (
      <>
        {state && <input type="hidden" name={UNSAVED_TEXT} value={state} />}
        {offered && <Offer at={offered.at} onAnswer={answer} />}
      </>
    ),
    basedOn,
  };
}

const Offer = ({ at, onAnswer }: { at: number; onAnswer: (isWanted: boolean) => void }) => (
  <div
    role="status"
    className="mb-6 flex flex-wrap items-center gap-3 border-l-4 border-signal bg-tint px-4 py-3"
  >
    <p className="text-sm">
      Text of <DateTime at={at} format={formatDateTime} /> wasn’t saved. It’s still in this browser.
    </p>
    <Button size="sm" onClick={() => onAnswer(true)}>
      Restore it
    </Button>
    <Button size="sm" tone="bare" onClick={() => onAnswer(false)}>
      Discard it
    </Button>
  </div>
);

// A browser may forbid storage, or have no room for it: then nothing is stored.

function readStored(name: string): Offered | null {
  try {
    const text = JSON.parse(localStorage.getItem(keyOf(name)) ?? "null") as UnsavedText | null;
    return text && { ...text, name };
  } catch (error) {
    console.warn("unsaved text:", error);
    return null;
  }
}

function store(name: string, text: UnsavedText) {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(text));
  } catch (error) {
    console.warn("unsaved text:", error);
  }
}

function removeStored(name: string) {
  try {
    localStorage.removeItem(keyOf(name));
  } catch (error) {
    console.warn("unsaved text:", error);
  }
}
