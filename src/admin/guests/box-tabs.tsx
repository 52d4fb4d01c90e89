import { useRouteLoaderData } from "react-router";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import type { EnquiryCounts } from "#worker/enquiries/owner/contract.ts";
import { boxAddress, boxes, tabsOf, type BoxName } from "./enquiry-kinds.ts";
import type { ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { grouped } from "#site/ui/format.ts";

type Props = { kind: EnquiryKind; box: BoxName };

/** Boxes that are not part of "all". */
const APART: BoxName[] = ["spam", "unconfirmed", "all"];

/** The boxes of a list of enquiries. */
export function BoxTabs({ kind, box }: Props) {
  const counts = useRouteLoaderData<EnquiryCounts>("admin/guests/tab")?.[kind] ?? {};
  const listed = tabsOf[kind].filter((name) => !APART.includes(name));
  const countOf = (name: BoxName): number =>
    name === "all" ? listed.reduce((sum, one) => sum + countOf(one), 0) : (counts[name] ?? 0);
  const shown = tabsOf[kind].filter((name) => name !== "unconfirmed" || name === box || countOf(name) > 0);
  return (
    <BoxLinks
      links={shown.map((name) => ({
        to: boxAddress(kind, name),
        label: boxes[name].label,
        count: countOf(name),
        isOpen: name === box,
      }))}
    />
  );
}

type BoxLinksProps = {
  links: { to: string; label: string; count: number; isOpen: boolean }[];
  children?: ReactNode;
};

/** The boxes of a list, with their counts. */
export const BoxLinks = ({ links, children }: BoxLinksProps) => (
  <nav aria-label="Boxes" className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-1 text-sm tabular-nums">
    {links.map(({ to, label, count, isOpen }) => (
      <Link key={to} to={to} aria-current={isOpen ? "page" : undefined} className={linkClass(isOpen)}>
        {`${label} ${grouped(count)}`}
      </Link>
    ))}
    {children}
  </nav>
);

const linkClass = (isOpen: boolean) =>
  `inline-flex min-h-8 items-center whitespace-nowrap underline-offset-8 ${isOpen ? "font-semibold underline" : "text-muted hover:text-ink"}`;
