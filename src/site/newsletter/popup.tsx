import { useEffect, useState } from "react";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { TextField } from "#site/ui/field.tsx";
import { OPEN_MODAL } from "#site/ui/popover.ts";
import { FormGuard } from "../forms/guard.tsx";
import { withoutBubbles } from "../forms/send.ts";
import { useToast } from "#site/shell/toast.ts";
import { useLayoutData } from "../use-layout.ts";
import { SUBSCRIBE } from "./form.tsx";
import { watchTopEdge } from "./exit-intent.ts";
import { mayShowPopup } from "./may-show-popup.ts";
import { browserStorage, saveDismissed, saveShown, readNewsletterState } from "./newsletter-storage.ts";
import { useSubscribe } from "./use-subscribe.ts";

/** Exit-intent popup, once a page. */
export function ExitIntentPopup() {
  const [isOpen, setOpen] = useState(false);
  useEffect(
    () =>
      watchTopEdge(document.documentElement, isCovered, () => {
        const storage = browserStorage();
        // Another form or tab may have changed the state since.
        if (!storage || !mayShowPopup(readNewsletterState(storage), new Date())) return;
        saveShown(storage, new Date());
        setOpen(true);
      }),
    [],
  );
  const dismiss = () => {
    setOpen(false);
    const storage = browserStorage();
    if (storage) saveDismissed(storage, new Date());
  };
  return (
    <Dialog
      closesOnBack
      open={isOpen}
      onOpenChange={dismiss}
      title="Before you go"
      description="Readers of the letter get early access to essays and conversations, 48 hours before others."
    >
      <PopupForm onSubscribed={() => setOpen(false)} onDismiss={dismiss} />
    </Dialog>
  );
}

/** It would open over another dialog, or under the browser's top layer. */
const isCovered = () => document.querySelector(OPEN_MODAL) !== null;

function PopupForm({ onSubscribed, onDismiss }: { onSubscribed: () => void; onDismiss: () => void }) {
  const say = useToast();
  const consent = useLayoutData()?.newsletter?.consent;
  const { state, emailError, handlers } = useSubscribe((ok) => {
    say(ok ? welcome : failure);
    if (ok) onSubscribed();
  });
  const isSubmitting = state === "submitting";
  return (
    <form ref={withoutBubbles} method="post" action={SUBSCRIBE} className="grid gap-4" {...handlers}>
      {/* Posted without scripts, it redirects to the message in the footer, since the popup is then closed. */}
      <FormGuard form="footer" />
      <input type="hidden" name="source" value="popup" />
      <TextField
        label="Email address"
        type="email"
        name="email"
        data-first-focus
        required
        maxLength={254}
        autoComplete="email"
        disabled={isSubmitting}
        help={consent}
        error={emailError}
      />
      <ButtonRow>
        <Button type="submit" tone="primary" busy={isSubmitting}>
          {isSubmitting ? "Subscribing..." : "Subscribe"}
        </Button>
        <Button tone="bare" onClick={onDismiss}>
          No, thank you
        </Button>
      </ButtonRow>
    </form>
  );
}

const welcome = {
  kind: "success",
  title: "Welcome aboard! 🎉",
  description: "Check your email for your exclusive content guide.",
} as const;

const failure = {
  kind: "error",
  title: "Subscription failed",
  description: "Please try again later.",
} as const;
