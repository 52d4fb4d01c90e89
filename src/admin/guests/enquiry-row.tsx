import type { ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { cx } from "#site/ui/cx.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate } from "#site/ui/format.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import type { EnquirySummary } from "#worker/enquiries/owner/contract.ts";
import { textOf } from "./draft.ts";
import { enquiryPath } from "./enquiry-kinds.ts";
import { BoxBadge, WhyHidden } from "./parts.tsx";

type Props = {
  kind: EnquiryKind;
  enquiry: EnquirySummary;
  /** Its subject, between sender and date. */
  children: ReactNode;
};

/** A message or booking in its list: title, sender, and the beginning of its text. */
export function EnquiryRow({ kind, enquiry, children }: Props) {
  const { id, box, title, name, email, createdAt, spamReason } = enquiry;
  const text = textOf(enquiry);
  return (
    <li className="grid gap-1 border-t border-rule py-4">
      <header className="flex items-start justify-between gap-4">
        <h2
          className={cx("min-w-0 wrap-anywhere", box === "new" ? "font-semibold" : "font-medium")}
          dir="auto"
        >
          <Link to={enquiryPath(kind, id)} className="underline-offset-4 hover:underline">
            {title}
          </Link>
        </h2>
        <BoxBadge box={box} />
      </header>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        <span className="wrap-anywhere">
          <bdi className="text-ink">{name}</bdi>
          <span>{`, ${email}`}</span>
        </span>
        {children}
        <DateTime at={createdAt} format={formatShortDate} className="whitespace-nowrap figures" />
      </p>
      {text !== "" && (
        <p className="line-clamp-2 max-w-3xl text-sm wrap-anywhere" dir="auto">
          {text}
        </p>
      )}
      <WhyHidden box={box} spamReason={spamReason} />
    </li>
  );
}
