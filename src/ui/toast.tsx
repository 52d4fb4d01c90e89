import { CircleAlert, CircleCheck } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

export type Notice = {
  kind: "success" | "error";
  title: string;
  description?: string;
  /** A button, which needs a notice that lasts longer. */
  action?: ReactNode;
  /** Milliseconds; `DURATION` if not given. */
  lasts?: number;
};

/** Milliseconds. */
const DURATION = 4000;

type ToastProps = {
  notice: Notice | null;
  /** CSS length of the area covered at the bottom of the window. */
  above?: string;
};

/** Shows the latest notice for `DURATION`, and as long as the pointer is over it or the focus in it. */
export function Toast({ notice, above = "0px" }: ToastProps) {
  const [shown, setShown] = useState<(Notice & { count: number }) | null>(null);
  const [isHovered, setHovered] = useState(false);
  const region = useRef<HTMLElement>(null);
  // Screen readers announce new elements in an existing live region; the count makes a repeated text a new element.
  useEffect(() => {
    const frame = requestAnimationFrame(() =>
      setShown((last) => notice && { ...notice, count: (last?.count ?? 0) + 1 }),
    );
    return () => cancelAnimationFrame(frame);
  }, [notice]);
  useEffect(() => {
    if (!shown || isHovered) return;
    const timer = setInterval(() => {
      if (region.current?.contains(document.activeElement)) return;
      // A newer notice may already be set.
      setShown((latest) => (latest === shown ? null : latest));
    }, shown.lasts ?? DURATION);
    return () => clearInterval(timer);
  }, [shown, isHovered]);
  return (
    <section
      ref={region}
      aria-label="Notifications"
      aria-live="polite"
      className="fixed right-4"
      style={{ ...place, bottom: `calc(1rem + ${above} + env(safe-area-inset-bottom))` }}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      {shown && <Message key={shown.count} {...shown} />}
    </section>
  );
}

/** Full width on a phone, at the right otherwise; over dialogs. */
const place = { zIndex: 60, left: "1rem", maxWidth: "22.25rem", marginLeft: "auto" };

const kinds = {
  success: { Icon: CircleCheck, colour: "var(--color-accent)" },
  error: { Icon: CircleAlert, colour: "var(--color-danger)" },
};

function Message({ kind, title, description, action }: Notice) {
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
      {action}
    </div>
  );
}
