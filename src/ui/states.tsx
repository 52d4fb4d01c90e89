import type { ReactNode } from "react";
import { cx } from "./cx.ts";

type Notice = { title: string; children?: ReactNode; action?: ReactNode; className?: string };
/** `h1` if it replaces a whole page. */
type ErrorNotice = Notice & { heading?: "h1" | "p" };

/** Nothing here yet, and what to do next. */
export function EmptyState({ title, children, action, className }: Notice) {
  return (
    <div className={cx("grid justify-items-start gap-3 border-t border-rule py-10", className)}>
      <p className="text-lg font-medium">{title}</p>
      {children && <div className="max-w-xl text-muted">{children}</div>}
      {action}
    </div>
  );
}

/** An error in place of the content. */
export function ErrorState({ title, heading: Heading = "p", children, action, className }: ErrorNotice) {
  return (
    <div
      role="alert"
      className={cx("grid justify-items-start gap-3 border-t-2 border-danger py-10", className)}
    >
      <Heading className="text-lg font-medium">{title}</Heading>
      {children && <div className="max-w-xl text-muted">{children}</div>}
      {action}
    </div>
  );
}

/** A placeholder in the size of the content that is loading. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden className={cx("block animate-pulse bg-tint", className)} />
);
