import { X } from "lucide-react";
import { AlertDialog, Dialog as Radix } from "radix-ui";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { useCloseOnBack } from "./close-on-back.ts";
import { cx } from "./cx.ts";
import { lockScroll } from "./scroll-lock.ts";

const panelClass =
  "fixed inset-0 z-50 m-auto grid h-fit max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] animate-appear gap-5 overflow-y-auto rounded-lg border border-rule bg-raised p-6 text-ink shadow-float";

/** Marks the element that gets the focus when a dialog opens; the default is the first focusable one. */
const FIRST = "[data-first-focus]";

/**
 * Returns the focus to the opener, which Radix does not know because dialogs open by state, without its trigger. If the
 * opener is gone (the button of a deleted row), the next row gets the focus, else the previous one, else its panel,
 * else `<main>`.
 */
export function useFocusReturn() {
  const opener = useRef<Element | null>(null);
  const neighbours = useRef<(Element | null | undefined)[]>([]);
  const panel = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = document.activeElement;
      const row = opener.current?.closest("tr, li");
      panel.current = opener.current?.closest<HTMLElement>("section[tabindex]") ?? null;
      neighbours.current = [row?.nextElementSibling, row?.previousElementSibling];
      const first = event.currentTarget instanceof Element && event.currentTarget.querySelector(FIRST);
      if (!(first instanceof HTMLElement)) return;
      event.preventDefault();
      first.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const from = opener.current;
      if (from instanceof HTMLElement && from.isConnected && from !== document.body) from.focus();
      else focusInstead(neighbours.current, panel.current);
    },
  };
}

/** A tabbable link: a picture may link to the same page as the name next to it. */
const LINK = 'a[href]:not([tabindex="-1"])';

function focusInstead(rows: (Element | null | undefined)[], panel: HTMLElement | null) {
  const row = rows.find((one) => one?.isConnected);
  const control = [LINK, "button"].map((kind) => row?.querySelector<HTMLElement>(kind)).find(Boolean);
  if (control) return control.focus();
  const place = panel?.isConnected ? panel : document.querySelector("main");
  // It contains the part in view, so do not scroll.
  place?.focus({ preventScroll: true });
}

/**
 * Covers the page and locks its scroll. Radix's own overlay inserts a style element, which the content policy refuses. Sets
 * `pointer-events` because Radix removes them outside of its dialog.
 */
export function Backdrop({ className = "z-50" }: { className?: string }) {
  useLayoutEffect(lockScroll, []);
  return (
    <div
      className={cx("fixed inset-0 animate-appear bg-[rgb(12_12_10/0.5)]", className)}
      style={{ pointerEvents: "auto" }}
    />
  );
}

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  /** As wide as the window. */
  full?: boolean;
  /**
   * Whether the browser's Back closes it. Not for forms of the admin area, which have addresses and ask before leaving.
   */
  closesOnBack?: boolean;
  children: ReactNode;
};

export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, wide, full, closesOnBack = false, children } = props;
  const focusReturn = useFocusReturn();
  useCloseOnBack(open && closesOnBack, () => onOpenChange(false));
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Backdrop />
        <Radix.Content
          {...focusReturn}
          {...(!description && { "aria-describedby": undefined })}
          className={cx(panelClass, full ? "max-w-none" : wide ? "max-w-3xl" : "max-w-lg")}
        >
          <header className="grid grid-cols-[1fr_auto] items-start gap-4">
            <div className="grid gap-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description && <Radix.Description className="text-muted">{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <Button tone="bare" size="icon" aria-label="Close" className="-mt-1.5 -mr-2">
                <X aria-hidden size={18} />
              </Button>
            </Radix.Close>
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type ConfirmProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Explains what is lost or changed. */
  children?: ReactNode;
  /** Further choices. */
  fields?: ReactNode;
  /** Label of the button: "Delete episode". */
  confirm: string;
  /** Label of the button that changes nothing. */
  dismiss?: string;
  tone?: "danger" | "primary";
  busy?: boolean;
  /** Whether the browser's Back closes it. */
  closesOnBack?: boolean;
  /** Does not close the dialog: the caller closes it after success, so that an error can be read. */
  onConfirm: () => void;
};

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  fields,
  confirm,
  dismiss = "Cancel",
  tone = "danger",
  busy,
  closesOnBack = false,
  onConfirm,
}: ConfirmProps) {
  const focusReturn = useFocusReturn();
  useCloseOnBack(open && closesOnBack, () => onOpenChange(false));
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <Backdrop />
        <AlertDialog.Content
          {...focusReturn}
          {...(!children && { "aria-describedby": undefined })}
          className={cx(panelClass, "max-w-md")}
        >
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          {children && (
            <AlertDialog.Description asChild>
              <div className="text-muted">{children}</div>
            </AlertDialog.Description>
          )}
          {fields}
          <footer className="flex justify-end gap-3">
            <AlertDialog.Cancel asChild>
              <Button>{dismiss}</Button>
            </AlertDialog.Cancel>
            <Button tone={tone} busy={busy} onClick={onConfirm}>
              {confirm}
            </Button>
          </footer>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
