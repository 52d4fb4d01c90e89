import { useId } from "react";
import { Button } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { cx } from "#site/ui/cx.ts";
import { FormGuard } from "../forms/guard.tsx";
import { Outcome } from "../forms/outcome.tsx";
import { withoutBubbles } from "../forms/send.ts";
import { useLayoutData } from "../use-layout.ts";
import { useSubscribe } from "./use-subscribe.ts";

/** The address that every form is posted to, with and without scripts. */
export const SUBSCRIBE = "/api/newsletter/subscribe";

type NewsletterFormProps = {
  /** The form's name, unique on a page. */
  source: string;
  /** The button's label. */
  button?: string;
  className?: string;
};

/** Newsletter sign-up; renders nothing while the newsletter is switched off. */
export function NewsletterForm({ source, button = "Subscribe", className }: NewsletterFormProps) {
  const offer = useLayoutData()?.newsletter;
  const { state, emailError, handlers } = useSubscribe();
  const consent = useId();
  if (!offer) return null;
  const isSubmitting = state === "submitting";
  return (
    <form
      ref={withoutBubbles}
      method="post"
      action={SUBSCRIBE}
      className={cx("max-w-md", className)}
      {...handlers}
    >
      <FormGuard form={source} />
      <input type="hidden" name="source" value={source} />
      {/* Label above and error below are equally high, so that the button stays beside the field. */}
      <div
        className={cx("grid gap-3 sm:grid-cols-[1fr_auto]", emailError ? "sm:items-center" : "sm:items-end")}
      >
        <TextField
          label="Email address"
          type="email"
          name="email"
          required
          maxLength={254}
          autoComplete="email"
          disabled={isSubmitting}
          error={emailError}
        />
        <Button type="submit" tone="primary" busy={isSubmitting} aria-describedby={consent}>
          {isSubmitting ? "Subscribing..." : button}
        </Button>
      </div>
      {!emailError && (
        <Outcome
          form={source}
          state={state}
          success="Successfully subscribed! Check your email."
          error="Failed to subscribe. Please try again."
        />
      )}
      <p id={consent} className="mt-2 text-sm text-muted">
        {offer.consent}
      </p>
    </form>
  );
}
