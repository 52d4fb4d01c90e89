import { useEffect } from "react";
import { useBlocker, useNavigation } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";

/** Asks before the page is left, by a link or by closing it, while something is unsaved. */
export function LeaveGuard({ isUnsaved }: { isUnsaved: boolean }) {
  const isSaving = useNavigation().formMethod !== undefined;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved && !isSaving && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isUnsaved]);
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave without saving?"
      confirm="Leave"
      onConfirm={() => blocker.proceed?.()}
    >
      What you changed here is not saved yet.
    </ConfirmDialog>
  );
}
