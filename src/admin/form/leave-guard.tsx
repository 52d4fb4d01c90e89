import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useBlocker, useNavigate, useSubmit, type Blocker, type Location } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import type { Autosave, AutosaveState } from "./autosave.tsx";
import { isLogout } from "../auth/paths.ts";
import { formNameAt } from "./name.ts";

type Props = {
  /** The form's name. */
  name: string | undefined;
  autosave: Autosave;
  draft: Pick<AutosaveState, "isChanged" | "isSaving" | "isSending">;
  isUploading: boolean;
  /** What is unsaved may be lost. */
  onLeave: () => void;
};

/** Milliseconds until it asks although a save is not answered: a connection may swallow it. */
const PATIENCE = 10_000;

/**
 * Keeps the page from being left, by a link or by closing it, while something is unsaved. What is being sent is waited
 * for, what saves itself is saved, and for the rest it asks.
 */
export function LeaveGuard({ name, autosave, draft, isUploading, onLeave }: Props) {
  const navigate = useNavigate();
  const submit = useSubmit();
  // As of now: what was saved, or given up, a moment ago may be left.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      (isUploading || autosave.isUnsaved()) && !isSameForm(name, currentLocation, nextLocation),
  );
  const [isAsked, setAsked] = useState(false);
  const latest = useRef({ blocker, isUploading });
  useEffect(() => {
    latest.current = { blocker, isUploading };
  });
  const goOn = useEffectEvent(({ pathname, search, hash, state }: Location) =>
    isLogout(state)
      ? submit(null, { method: "post", action: pathname, state })
      : navigate({ pathname, search, hash }, { state }),
  );
  // Where somebody wants to go, until it is decided. The router itself forgets it when a page was read.
  const wanted = useRef<Location>(undefined);
  useEffect(
    () => () => {
      // What was sent leads to another page, and from there to the one that somebody wants.
      if (!autosave.getState().isSending) wanted.current = undefined;
    },
    [autosave],
  );

  const target = blocker.location;
  useEffect(() => {
    if (!target) return;
    wanted.current = target;
    autosave.leave(true);
    const asking = setTimeout(() => setAsked(true), PATIENCE);
    void (async () => {
      const end = await autosave.finish();
      // Answered, or another link was pressed meanwhile.
      if (wanted.current !== target) return;
      const { blocker: now, isUploading: isUploadingNow } = latest.current;
      const isHeld = now.location === target;
      if (isHeld && (end === "unsaved" || (end === "saved" && isUploadingNow))) return setAsked(true);
      wanted.current = undefined;
      // What was refused says so itself.
      if (end === "refused") now.reset?.();
      else if (!isHeld || !proceed(now)) await goOn(target);
    })();
    return () => {
      autosave.leave(false);
      clearTimeout(asking);
      setAsked(false);
    };
  }, [target, autosave]);
  const stay = () => {
    wanted.current = undefined;
    blocker.reset?.();
  };
  const leave = () => {
    wanted.current = undefined;
    onLeave();
    blocker.proceed?.();
  };

  const isUnsaved = draft.isChanged || draft.isSaving || draft.isSending || isUploading;
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isUnsaved]);
  return (
    <ConfirmDialog
      open={blocker.state === "blocked" && isAsked}
      onOpenChange={(open) => !open && stay()}
      title="Leave without saving?"
      confirm="Leave"
      onConfirm={leave}
    >
      What you changed here is not saved yet.
    </ConfirmDialog>
  );
}

/** Whether what was blocked goes on: the router throws where it has forgotten it, and that is not rendered yet. */
function proceed(blocker: Blocker) {
  try {
    blocker.proceed?.();
    return blocker.state === "blocked";
  } catch {
    return false;
  }
}

/** A form without a name is the only one of its path. */
export const isSameForm = (name: string | undefined, current: Location, next: Location) =>
  name === undefined ? current.pathname === next.pathname : formNameAt(next) === name;
