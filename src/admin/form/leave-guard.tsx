import { useEffect, useRef, useState } from "react";
import { useBlocker, useNavigate, useNavigation, type Location } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";

type Props = {
  /** The form's name. */
  name: string | undefined;
  isUnsaved: boolean;
  /** Saves what is unsaved; resolves to whether that worked. */
  save?: () => Promise<boolean>;
};

/** Asks before the page is left, by a link or by closing it, while something is unsaved that does not save itself. */
export function LeaveGuard({ name, isUnsaved, save }: Props) {
  const isSaving = useNavigation().formMethod !== undefined;
  const navigate = useNavigate();
  const isLeaving = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved &&
      !isSaving &&
      !isLeaving.current &&
      currentLocation.pathname !== nextLocation.pathname &&
      !isSameForm(nextLocation, name),
  );
  const [isAsked, setAsked] = useState(false);
  const latest = useRef({ blocker, save });
  useEffect(() => {
    latest.current = { blocker, save };
  });

  const isBlocked = blocker.state === "blocked";
  useEffect(() => {
    if (!isBlocked) return;
    const target = latest.current.blocker.location;
    void (async () => {
      const isSaved = (await latest.current.save?.()) ?? false;
      if (!isSaved) return setAsked(true);
      // A new item got its own address meanwhile, with which the router forgets what it blocked.
      isLeaving.current = true;
      if (latest.current.blocker.state === "blocked") latest.current.blocker.proceed();
      else if (target) await navigate(target);
    })();
    return () => setAsked(false);
  }, [isBlocked, navigate]);

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

/** A new item's form goes on at its own address once it is saved; `state.form` names the form. */
const isSameForm = ({ state }: Location, name: string | undefined) =>
  name !== undefined && (state as { form?: string } | null)?.form === name;
