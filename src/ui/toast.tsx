import { useAtomValue } from "jotai";
import { toast as sonner, Toaster as Sonner, type ExternalToast } from "sonner";
import { themeAtom } from "./theme.ts";

/** Shows a toast, which takes the place of the one before. */
export const toast = { success: replacing("success"), error: replacing("error") };

function replacing(kind: "success" | "error") {
  return (title: string, options?: ExternalToast) => {
    sonner.dismiss();
    sonner[kind](title, options);
  };
}

/** Milliseconds. */
const DURATION = 4000;

/** What sonner keeps clear of the window's edges. */
const EDGE = "1rem";

type ToasterProps = {
  /** How much of the window's bottom is taken by something else. */
  above?: string;
};

/** One toast at a time, in the chosen theme. A layout that uses `toast` places it once. */
export function Toaster({ above = "0px" }: ToasterProps) {
  const offset = { bottom: `calc(${EDGE} + ${above} + env(safe-area-inset-bottom))` };
  return (
    <Sonner
      theme={useAtomValue(themeAtom)}
      position="bottom-right"
      duration={DURATION}
      offset={offset}
      mobileOffset={offset}
      visibleToasts={1}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-start gap-3 rounded-lg border border-rule bg-raised p-4 font-sans text-sm text-ink shadow-float",
          title: "font-medium",
          description: "text-muted",
          error: "border-l-4 border-l-danger",
          success: "border-l-4 border-l-accent",
          icon: "mt-0.5",
          actionButton: "ml-auto font-medium text-accent underline underline-offset-2",
        },
      }}
    />
  );
}
