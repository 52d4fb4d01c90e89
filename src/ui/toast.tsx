import { CircleAlert, CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";

export type Notice = { kind: "success" | "error"; title: string; description?: string };

/** Milliseconds. */
const DURATION = 4000;

type ToastProps = {
  notice: Notice | null;
  /** How much of the window's bottom is taken by something else. */
  above?: string;
};

/** Shows the latest notice for a while; for longer under a pointer. */
export function Toast({ notice, above = "0px" }: ToastProps) {
  const [shown, setShown] = useState<(Notice & { count: number }) | null>(null);
  const [isHeld, setHeld] = useState(false);
  // Screen readers announce what enters a live region that is there already, the same words again only as a new element.
  useEffect(() => {
    const frame = requestAnimationFrame(() =>
      setShown((last) => notice && { ...notice, count: (last?.count ?? 0) + 1 }),
    );
    return () => cancelAnimationFrame(frame);
  }, [notice]);
  useEffect(() => {
    if (!shown || isHeld) return;
    const timer = setTimeout(() => setShown(null), DURATION);
    return () => clearTimeout(timer);
  }, [shown, isHeld]);
  return (
    <section
      aria-label="Notifications"
      aria-live="polite"
      className="fixed right-4"
      style={{ ...place, bottom: `calc(1rem + ${above} + env(safe-area-inset-bottom))` }}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      {shown && <Message key={shown.count} {...shown} />}
    </section>
  );
}

/** As wide as a phone's window, at the right of a wider one, over dialogs. */
const place = { zIndex: 60, left: "1rem", maxWidth: "22.25rem", marginLeft: "auto" };

const kinds = {
  success: { Icon: CircleCheck, colour: "var(--color-accent)" },
  error: { Icon: CircleAlert, colour: "var(--color-danger)" },
};

function Message({ kind, title, description }: Notice) {
  const { Icon, colour } = kinds[kind];
  return (
    <div
      data-toast={kind}
      className={
        "flex w-full animate-appear items-start gap-3 rounded-lg border border-l-4 border-rule bg-raised p-4 font-sans " +
        "text-sm text-ink shadow-float"
      }
      style={{ borderLeftColor: colour }}
    >
      <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
      <div>
        <p className="font-medium">{title}</p>
        {description && <p className="text-muted">{description}</p>}
      </div>
    </div>
  );
}
