import type { ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { grouped } from "#site/ui/format.ts";

type Props = {
  boxes: { to: string; label: string; count: number; isOpen: boolean }[];
  children?: ReactNode;
};

/** The boxes of a list, with their counts. */
export const BoxLinks = ({ boxes, children }: Props) => (
  <nav aria-label="Boxes" className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-1 text-sm tabular-nums">
    {boxes.map(({ to, label, count, isOpen }) => (
      <Link key={to} to={to} aria-current={isOpen ? "page" : undefined} className={linkClass(isOpen)}>
        {`${label} ${grouped(count)}`}
      </Link>
    ))}
    {children}
  </nav>
);

const linkClass = (isOpen: boolean) =>
  `inline-flex min-h-8 items-center whitespace-nowrap underline-offset-8 ${isOpen ? "font-semibold underline" : "text-muted hover:text-ink"}`;
