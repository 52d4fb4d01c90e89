import type { ComponentProps } from "react";
import { Form as RouterForm, useNavigation } from "react-router";
import { Button } from "#site/ui/button.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { useSingleSubmit } from "#site/ui/use-single-submit.ts";
import { useFormState } from "./context.ts";

/**
 * Disabled while a short form has a running upload, and before hydration: without scripts the browser would submit the
 * form to an address that does not exist.
 */
export function Submit({ tone = "primary", disabled = false, ...button }: ComponentProps<typeof Button>) {
  const { intent, uploads, savesDuringUpload } = useFormState();
  const isReady = useHydrated() && (savesDuringUpload || uploads.size === 0);
  const { name } = button;
  const { isBusy, isOther } = useSending({ intent, ...(name && { [name]: String(button.value) }) });
  return (
    <Button {...button} tone={tone} type="submit" disabled={disabled || !isReady || isOther} busy={isBusy} />
  );
}

type ActionButtonProps = ComponentProps<typeof Button> & {
  intent: string;
  /** Further values for the action. */
  values?: Record<string, string>;
};

/** A button that is its own form, without fields; the result is a toast. */
export function ActionButton({ intent, values = {}, ...button }: ActionButtonProps) {
  const isHydrated = useHydrated();
  const { isBusy, isOther } = useSending({ intent, ...values });
  return (
    <RouterForm method="post" onSubmit={useSingleSubmit()}>
      {Object.entries({ intent, ...values }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button {...button} type="submit" disabled={!isHydrated || isOther} busy={isBusy} />
    </RouterForm>
  );
}

/**
 * Whether a submission with these values is pending, or another form's whose answer, with the saved version, would be
 * lost by a new submission.
 */
function useSending(values: Record<string, string>) {
  const { formData } = useNavigation();
  const isBusy = Object.entries(values).every(([name, value]) => formData?.get(name) === value);
  return { isBusy, isOther: !isBusy && formData?.has("basedOn") === true };
}
