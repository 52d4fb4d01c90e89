import { ChevronDown } from "lucide-react";
import { Link } from "#site/document/link.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime, formatShortDate } from "#site/ui/format.ts";
import type { HeldKind } from "#worker/people/contract.ts";
import { fieldName, kindTitles, pathsOf } from "./record-titles.ts";

/** The JSON form of `Held`. */
type Item = { id: string; at: number; title: string; data: Record<string, unknown> };
type Props = { kind: HeldKind; count: number; items: Item[] };

/** The records of one kind; each expands to all of its fields. */
export const HeldList = ({ kind, count, items }: Props) => (
  <section aria-labelledby={kind} className="mt-8">
    <h2 id={kind} className="mb-2 font-semibold">
      <span>{`${kindTitles[kind]} `}</span>
      <span className="font-normal text-muted">{count.toLocaleString("en")}</span>
    </h2>
    <ul className="border-t border-rule">
      {items.map((item) => (
        <li key={item.id} className="border-b border-rule">
          <HeldItem kind={kind} item={item} />
        </li>
      ))}
    </ul>
    {count > items.length && (
      <p className="mt-2 text-sm text-muted">
        The latest <span>{items.length}</span> of <span>{count.toLocaleString("en")}</span>. The export has
        them all.
      </p>
    )}
  </section>
);

function HeldItem({ kind, item: { id, at, title, data } }: { kind: HeldKind; item: Item }) {
  const path = pathsOf[kind]?.(id);
  return (
    <details className="group text-sm">
      <summary className="grid cursor-pointer list-none grid-cols-[1fr_auto_auto] items-baseline gap-x-3 py-2 [&::-webkit-details-marker]:hidden">
        <span
          dir="auto"
          className="min-w-0 truncate font-medium first-letter:uppercase group-open:whitespace-normal group-open:wrap-anywhere"
        >
          {title || "Untitled"}
        </span>
        <DateTime at={at} format={formatShortDate} className="text-muted" />
        <ChevronDown aria-hidden size={16} className="self-center group-open:rotate-180" />
      </summary>
      <div className="grid gap-3 pb-4">
        <Fields data={data} />
        {path && (
          <p>
            <Link to={path} className="link">
              Open<span className="sr-only">{` ${title}`}</span>
            </Link>
          </p>
        )}
      </div>
    </details>
  );
}

const Fields = ({ data }: { data: Record<string, unknown> }) => (
  <dl className="grid gap-x-6 gap-y-1.5 sm:grid-cols-[11rem_1fr]">
    {Object.entries(data)
      .filter(([, value]) => !isEmpty(value))
      .map(([field, value]) => (
        <div key={field} className="contents">
          <dt className="text-muted">{fieldName(field)}</dt>
          <dd className="min-w-0 whitespace-pre-wrap wrap-anywhere max-sm:mb-1">
            <Value value={value} />
          </dd>
        </div>
      ))}
  </dl>
);

const isEmpty = (value: unknown) =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function Value({ value }: { value: unknown }) {
  if (typeof value === "boolean") return <span>{value ? "Yes" : "No"}</span>;
  if (typeof value === "string" && ISO_TIME.test(value)) {
    return <DateTime at={Date.parse(value)} format={formatDateTime} />;
  }
  if (Array.isArray(value)) {
    return (
      <ul className="grid gap-3">
        {value.map((entry, index) => (
          // Index keys are safe: the entries never change here.
          <li key={index} className="border-l-2 border-rule pl-3">
            <Value value={entry} />
          </li>
        ))}
      </ul>
    );
  }
  return typeof value === "object" ? (
    <Fields data={value as Record<string, unknown>} />
  ) : (
    <span>{String(value)}</span>
  );
}
