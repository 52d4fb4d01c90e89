import { useRouteLoaderData } from "react-router";
import { Link } from "#site/document/link.tsx";
import { cx } from "#site/ui/cx.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import type { EnquiryCounts } from "#worker/enquiries/owner/contract.ts";
import { boxAddress, boxes, tabsOf, type BoxName } from "./names.ts";

type Props = { kind: EnquiryKind; box: BoxName };

/** The boxes of a list with their numbers. Spam and unconfirmed ones are no part of all. */
export function BoxTabs({ kind, box }: Props) {
  const counts = useRouteLoaderData<EnquiryCounts>("admin/guests/tab")?.[kind] ?? {};
  const listed = tabsOf[kind].filter((name) => !HIDDEN.includes(name) && name !== "all");
  const countOf = (name: BoxName): number =>
    name === "all" ? listed.reduce((sum, one) => sum + countOf(one), 0) : (counts[name] ?? 0);
  const shown = tabsOf[kind].filter((name) => name !== "unconfirmed" || name === box || countOf(name) > 0);
  return (
    <nav aria-label="Boxes" className="mb-6 flex flex-wrap gap-2 text-sm">
      {shown.map((name) => (
        <Link
          key={name}
          to={boxAddress(kind, name)}
          aria-current={name === box ? "page" : undefined}
          className={cx(
            "inline-flex h-8 items-center gap-1.5 rounded-md border px-3 transition-colors",
            name === box ? "border-ink bg-tint font-medium" : "border-rule text-muted hover:border-ink",
          )}
        >
          {boxes[name].label} <span className="figures">({countOf(name)})</span>
        </Link>
      ))}
    </nav>
  );
}

const HIDDEN: BoxName[] = ["spam", "unconfirmed"];
