import { useId } from "react";
import { Button } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { cx } from "#site/ui/cx.ts";
import { FormGuard } from "../forms/guard.tsx";
import { Outcome } from "../forms/outcome.tsx";
import { useLayoutData } from "../use-layout.ts";
import { useSubscribe } from "./use-subscribe.ts";

/** Where every form is posted, with scripts and without. */
export const SUBSCRIBE = "/api/newsletter/subscribe";

type NewsletterFormProps = {
  /** Which form it is; no two of a page are the same. */
  source: string;
  /** What its button says. */
  button?: string;
  className?: string;
};

/** Signs up for the newsletter; nothing while it is switched off. */
export function NewsletterForm({ source, button = "Subscribe", className }: NewsletterFormProps) {
  const offer = useLayoutData()?.newsletter;
  const { state, emailFault, submit } = useSubscribe();
  const consent = useId();
  if (!offer) return null;
  const isSubmitting = state === "submitting";
  return (
    <form
      method="post"
      action={SUBSCRIBE}
      onSubmit={(event) => void submit(event)}
      className={cx("max-w-md", className)}
    >
      <FormGuard form={source} />
      <input type="hidden" name="source" value={source} />
      {/* What is wrong stands under the field as the label does above it, so that the button stays beside the field. */}
      <div
        className={cx("grid gap-3 sm:grid-cols-[1fr_auto]", emailFault ? "sm:items-center" : "sm:items-end")}
      >
        <TextField
          label="Email address"
          type="email"
          name="email"
          required
          maxLength={254}
          autoComplete="email"
          disabled={isSubmitting}
          error={emailFault}
        />
        <Button type="submit" tone="primary" busy={isSubmitting} aria-describedby={consent}>
          {isSubmitting ? "Subscribing..." : button}
        </Button>
      </div>
      {!emailFault && (
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
