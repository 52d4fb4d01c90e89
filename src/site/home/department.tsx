import type { ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { cx } from "#site/ui/cx.ts";

type DepartmentProps = {
  title: string;
  more?: { to: string; label: string };
  /** The content has the whole width, also in a wide window. */
  isWide?: boolean;
  children: ReactNode;
};

/** A section of the front page: a rule, a small heading, and content; in a wide window the heading is at the side. */
export const Department = ({ title, more, isWide, children }: DepartmentProps) => (
  <section
    className={cx(
      "grid grid-cols-1 gap-x-10 gap-y-4 border-t border-ink pt-4 pb-6 sm:pb-12",
      !isWide && "lg:grid-cols-12",
    )}
  >
    <header className="flex items-baseline justify-between gap-4 lg:col-span-3 lg:grid lg:content-start lg:gap-2">
      <h2 className="text-base font-semibold">{title}</h2>
      {more && (
        <Link to={more.to} className="link w-fit shrink-0 text-sm">
          {more.label}
        </Link>
      )}
    </header>
    <div className="lg:col-span-9">{children}</div>
  </section>
);
