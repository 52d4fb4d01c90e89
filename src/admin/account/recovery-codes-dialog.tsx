import { Button, ButtonRow } from "#site/ui/button.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { copyText } from "../shell/copy.ts";

type Props = { codes: string[] | undefined; email: string; onClose: () => void };

/** The recovery codes, which no later answer has. */
export const RecoveryCodesDialog = ({ codes, email, onClose }: Props) => (
  <Dialog
    open={codes !== undefined}
    onOpenChange={(isOpen) => !isOpen && onClose()}
    title="Save your recovery codes"
    description="If you lose your phone, one of these takes the place of the app’s code. Each works once."
  >
    {codes && <Codes codes={codes} email={email} onClose={onClose} />}
  </Dialog>
);

const Codes = ({ codes, email, onClose }: Props & { codes: string[] }) => (
  <>
    <p className="border-l-4 border-signal pl-3 print:hidden">
      They are shown only now. Keep them away from this device: on paper, or in a password manager.
    </p>
    <p className="hidden print:block">{headingOf(email)}</p>
    <ul
      data-printed=""
      aria-label="Recovery codes"
      className="grid gap-x-6 gap-y-2 rounded-md border border-rule px-1.5 py-3 font-mono text-sm sm:px-4 sm:py-4 grid-cols-[repeat(auto-fit,minmax(min(31ch,100%),1fr))]"
    >
      {codes.map((code) => (
        <li key={code} dir="ltr">
          {code}
        </li>
      ))}
    </ul>
    <ButtonRow>
      <Button onClick={() => void copyText(codes.join("\n"), "Codes copied", "codes")}>Copy</Button>
      <Button onClick={() => download(codes, email)}>Download</Button>
      <Button onClick={() => print()}>Print</Button>
      <Button tone="primary" className="ml-auto" onClick={onClose}>
        I have saved them
      </Button>
    </ButtonRow>
  </>
);

const headingOf = (email: string) => `Recovery codes of ${email} for ${location.host}`;

function download(codes: string[], email: string) {
  const text = [headingOf(email), "Each works once, after the password.", "", ...codes, ""].join("\r\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = `recovery-codes-${location.hostname}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
