import { useState, type ReactNode } from "react";
import { useSubmit } from "react-router";
import { Button } from "#site/ui/button.tsx";
import { ConfirmDialog } from "#site/ui/dialog.tsx";

type Props = {
  intent: string;
  /** Of the button that asks. */
  label: string;
  title: string;
  confirm: string;
  tone?: "danger" | "primary";
  busy: boolean;
  /** Sent besides the intent. */
  values?: Record<string, string>;
  buttonTone?: "primary" | "quiet";
  disabled?: boolean;
  /** What follows from it. */
  children: ReactNode;
};

/** A button of a page's action that asks first. */
export function ConfirmAction({
  intent,
  label,
  title,
  confirm,
  tone,
  busy,
  values = {},
  buttonTone = "quiet",
  disabled,
  children,
}: Props) {
  const [isOpen, setOpen] = useState(false);
  const submit = useSubmit();
  return (
    <>
      <Button tone={buttonTone} busy={busy} disabled={disabled} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={title}
        confirm={confirm}
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
