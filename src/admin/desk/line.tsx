import type { ReactNode } from "react";

/** A term of the panel's list, and its content. */
export const Line = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="grid grid-cols-[6.5rem_1fr] gap-3">
    <dt className="text-muted">{title}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
);
