import { Button } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { copyText } from "../shell/copy.ts";

type Props = { label: string; value: string; help?: string; /** What is copied: "address". */ what: string };

/** A text to be set elsewhere, with a button that copies it. */
export const CopyText = ({ label, value, help, what }: Props) => (
  <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3">
    <TextField label={label} value={value} help={help} readOnly className="min-w-0" />
    <Button
      className="mt-[1.625rem] h-10"
      aria-label={`Copy ${label}`}
      onClick={() => void copyText(value, "Copied", what)}
    >
      Copy
    </Button>
  </div>
);
