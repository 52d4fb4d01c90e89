import { useEffect, useRef, useState } from "react";
import { useBlocker, useNavigate, type Blocker, type Location } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import type { Autosave, AutosaveState } from "./autosave.tsx";
import { formNameAt } from "./name.ts";

type Props = {
  /** The form's name. */
  name: string | undefined;
  autosave: Autosave;
  draft: Pick<AutosaveState, "isChanged" | "isSaving" | "isSending">;
  isUploading: boolean;
};

/**
 * Keeps the page from being left, by a link or by closing it, while something is unsaved. What is being sent is waited
 * for, what saves itself is saved, and for the rest it asks.
 */
export function LeaveGuard({ name, autosave, draft, isUploading }: Props) {
  const navigate = useNavigate();
  // As of now: what was saved, or given up, a moment ago may be left.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      (isUploading || autosave.isUnsaved()) && !isSameForm(name, currentLocation, nextLocation),
  );
  const [isAsked, setAsked] = useState(false);
  const latest = useRef({ blocker, isUploading, target: blocker.location });
  useEffect(() => {
    latest.current = { blocker, isUploading, target: blocker.location ?? latest.current.target };
  });

  const isBlocked = blocker.state === "blocked";
  useEffect(() => {
    if (!isBlocked) return;
    let isForgotten = false;
    void (async () => {
      // What was refused says so itself.
      if (!(await autosave.answer())) return latest.current.blocker.reset?.();
      const isSaved = !latest.current.isUploading && (await autosave.flush());
      const { blocker: now, target } = latest.current;
      if (!isSaved && !isForgotten) setAsked(true);
      else if (!proceed(now) && target) await navigate(target);
    })();
    return () => {
      isForgotten = true;
      setAsked(false);
    };
  }, [isBlocked, autosave, navigate]);

  const isUnsaved = draft.isChanged || draft.isSaving || draft.isSending || isUploading;
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isUnsaved]);
  return (
    <ConfirmDialog
      open={isBlocked && isAsked}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave without saving?"
      confirm="Leave"
      onConfirm={() => blocker.proceed?.()}
    >
      What you changed here is not saved yet.
    </ConfirmDialog>
  );
}

/**
 * Whether what was blocked goes on. The router forgets it when a page was read, or a new item got its own address, and
 * throws until that is rendered.
 */
function proceed(blocker: Blocker) {
  try {
    blocker.proceed?.();
    return blocker.state === "blocked";
  } catch {
    return false;
  }
}

/** A form without a name is the only one of its path. */
const isSameForm = (name: string | undefined, current: Location, next: Location) =>
  name === undefined ? current.pathname === next.pathname : formNameAt(next) === name;
