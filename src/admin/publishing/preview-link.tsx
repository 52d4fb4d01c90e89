import { useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { PreviewLink } from "#worker/previews/contract.ts";
import { copyText } from "../shell/copy.ts";
import { toast } from "../shell/toast.tsx";

type Props = {
  /** The current link; null if there is none. */
  link: PreviewLink | null;
  create: () => Promise<PreviewLink>;
  withdraw: () => Promise<unknown>;
};

/**
 * Creates, copies and withdraws the preview link of a draft. Calls the API itself, since a router action would rerun
 * the loader, whose version the form would not expect.
 */
export function PreviewLinkButton({ link: stored, create, withdraw }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [link, setLink] = useState(stored);
  const [isBusy, setBusy] = useState(false);
  const call = async (work: () => Promise<PreviewLink | null>) => {
    setBusy(true);
    try {
      setLink(await work());
    } catch (error) {
      console.error("preview link:", error);
      toast.error(error instanceof Error ? error.message : "Something went wrong. Try again.");
    }
    setBusy(false);
  };
  const createLink = () => void call(create);
  const withdrawLink = () =>
    void call(async () => {
      await withdraw();
      return null;
    });
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Preview link
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Preview link"
        description="Shows the saved version to anyone with the link, for seven days."
      >
        {link ? (
          <ExistingLink link={link} isBusy={isBusy} onReplace={createLink} onWithdraw={withdrawLink} />
        ) : (
          <footer>
            <Button tone="primary" busy={isBusy} onClick={createLink}>
              Create a link
            </Button>
          </footer>
        )}
      </Dialog>
    </>
  );
}

type ExistingProps = {
  link: PreviewLink;
  isBusy: boolean;
  onReplace: () => void;
  onWithdraw: () => void;
};

const ExistingLink = ({ link: { url, expiresAt }, isBusy, onReplace, onWithdraw }: ExistingProps) => (
  <>
    <label className="grid gap-1.5 text-sm font-medium">
      Address
      <input
        readOnly
        value={url}
        className="h-10 w-full rounded-md border border-edge bg-transparent px-3 font-mono font-normal pointer-fine:md:text-sm"
        onFocus={(event) => event.currentTarget.select()}
      />
    </label>
    <p className="text-sm text-muted">
      Works until <DateTime at={expiresAt} format={formatDateTime} />. Creating a new link turns this one off.
    </p>
    <footer className="flex flex-wrap gap-3">
      <Button tone="primary" onClick={() => void copyText(url, "Link copied", "address")}>
        Copy
      </Button>
      <Button busy={isBusy} onClick={onReplace}>
        New link
      </Button>
      <Button busy={isBusy} onClick={onWithdraw}>
        Turn off
      </Button>
    </footer>
  </>
);
