import { useEffect } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";

/** Asks before somebody leaves the page while an import runs. */
export function LeaveQuestion({ children }: { children: string }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, []);
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Stop the import?"
      confirm="Stop and leave"
      onConfirm={() => blocker.proceed?.()}
    >
      <p>{children}</p>
    </ConfirmDialog>
  );
}
