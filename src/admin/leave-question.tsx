import { useEffect } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";

type Props = { title: string; confirm: string; children: string };

/** Asks before somebody leaves the page while something would be lost that is no form's: see LeaveGuard for those. */
export function LeaveQuestion({ title, confirm, children }: Props) {
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
      title={title}
      confirm={confirm}
      onConfirm={() => blocker.proceed?.()}
    >
      <p>{children}</p>
    </ConfirmDialog>
  );
}
