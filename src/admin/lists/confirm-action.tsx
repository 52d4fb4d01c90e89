import { useState, type ReactNode } from "react";
import { useSubmit } from "react-router";
import { Button } from "#site/ui/button.tsx";
import { ConfirmDialog } from "#site/ui/dialog.tsx";

type Props = {
  intent: string;
  /** Of the button that asks. */
  label: string;
  /** Of the item, for screen readers, if there are several such buttons. */
  name?: string;
  title: string;
  confirm: string;
  /** Label of the button that changes nothing. */
  dismiss?: string;
  tone?: "danger" | "primary";
  busy: boolean;
  /** Sent besides the intent. */
  values?: Record<string, string>;
  buttonTone?: "primary" | "quiet";
  size?: "sm";
  disabled?: boolean;
  /** Explains the consequences. */
  children: ReactNode;
};

/** A button for a page's action, with a confirmation. */
export function ConfirmAction({
  intent,
  label,
  name,
  title,
  confirm,
  dismiss,
  tone,
  busy,
  values = {},
  buttonTone = "quiet",
  size,
  disabled,
  children,
}: Props) {
  const [isOpen, setOpen] = useState(false);
  const submit = useSubmit();
  return (
    <>
      <Button
        tone={buttonTone}
        size={size}
        busy={busy}
        disabled={disabled}
        aria-label={name && `${label} ${name}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={title}
        confirm={confirm}
        dismiss={dismiss}
        tone={tone}
        onConfirm={() => {
          setOpen(false);
          void submit({ intent, ...values }, { method: "post" });
        }}
      >
        <p>{children}</p>
      </ConfirmDialog>
    </>
  );
}
