import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { useBlocker, useLocation, useNavigate, useSubmit, type Blocker, type Location } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { isLogout } from "../auth/paths.ts";
import { Leaving, LeavingContext } from "./leaving.ts";

/** Asks before a page is left or a dialog closed with unsaved changes. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const [leaving] = useState(() => new Leaving());
  useBlockedNavigation(leaving);
  const question = useSyncExternalStore(leaving.subscribe, leaving.getQuestion, () => null);
  return (
    <LeavingContext value={leaving}>
      {/* Before the page, so that the page's dialog is the last to return the focus when both close. */}
      {question && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && leaving.stay()}
          title={question.title}
          confirm={question.confirm}
          onConfirm={() => leaving.leave()}
        >
          <p>{question.text}</p>
        </ConfirmDialog>
      )}
      {children}
    </LeavingContext>
  );
}

/** The router allows one blocker: this one covers the whole admin area. */
function useBlockedNavigation(leaving: Leaving) {
  const navigate = useNavigate();
  const submit = useSubmit();
  const location = useLocation();
  const heldFrom = (current: Location, next: Location) =>
    leaving.unsaved(({ isKept }) => !isKept(current, next));
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => heldFrom(currentLocation, nextLocation).length > 0,
  );
  const latest = useRef(blocker);
  useEffect(() => {
    latest.current = blocker;
  });
  const goOn = useEffectEvent(({ pathname, search, hash, state }: Location) =>
    isLogout(state)
      ? submit(null, { method: "post", action: pathname, state })
      : navigate({ pathname, search, hash }, { state }),
  );
  const heldNow = useEffectEvent((next: Location) => heldFrom(location, next));

  const target = blocker.location;
  useEffect(() => {
    if (!target) return;
    const held = heldNow(target);
    for (const { current } of held) current.autosave?.leave(true);
    // The router drops a blocked navigation when a loader finishes.
    const isHeld = () => latest.current.location === target;
    void leaving.want({
      held,
      go: () => void ((isHeld() && proceed(latest.current)) || goOn(target)),
      stay: () => isHeld() && latest.current.reset?.(),
    });
    return () => {
      for (const { current } of held) current.autosave?.leave(false);
    };
  }, [target, leaving]);
}

/**
 * Whether the blocked navigation continues: the router throws if it has dropped its blocker and that has not rendered
 * yet.
 */
function proceed(blocker: Blocker) {
  try {
    blocker.proceed?.();
    return blocker.state === "blocked";
  } catch {
    return false;
  }
}
